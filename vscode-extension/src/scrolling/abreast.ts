// Which row of another file stands beside a row of this one, and what to scroll it to. Rows are
// lines with fractions: 3.5 is the middle of the fourth line, wherever that is wrapped. Knows no
// editor, so that plain unit tests reach it.

/** Two rows that stand side by side; of several, both ascend. */
export interface Stop {
  here: number;
  there: number;
}

/** What an editor shows: its first row, and how many. */
export interface View {
  top: number;
  rows: number;
}

/** The row there; undefined for rows that the stops do not reach. */
export function beside(stops: readonly Stop[], row: number): number | undefined {
  let low = 0;
  let high = stops.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stops[middle]?.here ?? 0) <= row) low = middle + 1;
    else high = middle;
  }
  const [before, after] = [stops[low - 1], stops[low]];
  if (before === undefined) return undefined;
  if (after === undefined) return before.here === row ? before.there : undefined;
  const share = (row - before.here) / (after.here - before.here);
  return before.there + share * (after.there - before.there);
}

/** The first row to show there for the first row here. */
export function topForScroll(stops: readonly Stop[], view: View): number | undefined {
  return beside(stops, view.top);
}

/**
 * The first row to show there so that what stands beside the cursor can be seen; undefined if
 * nothing has to move. Where both files show the same stretch from their first rows on, they
 * scroll together; where one takes more room, the cursor's place stands as far down in both.
 */
export function topForCursor(
  stops: readonly Stop[],
  view: View & { cursor: number; scrolled: boolean },
  there: View,
): number | undefined {
  const cursor = beside(stops, view.cursor);
  if (cursor === undefined) return undefined;
  const isSeenFrom = (top: number): boolean => top <= cursor && cursor + 1 <= top + there.rows;
  if (!view.scrolled && isSeenFrom(there.top)) return undefined;
  const top = beside(stops, view.top);
  const share = (view.cursor - view.top) / view.rows;
  const isAway = share < 0 || share > 1;
  // (What it shows is what it showed before it moved: it has yet to say that it has scrolled.)
  if (isAway && !view.scrolled) return undefined;
  // (Whoever has scrolled away from the cursor looks elsewhere.)
  if (top !== undefined && (isSeenFrom(top) || isAway)) return top;
  return Math.max(cursor - share * there.rows, 0);
}

/**
 * The row to show first in place of the first one of the sentence at the cursor (its line, where the
 * editor is worked in): the numbers above it are wanted more than step by the row.
 */
export function rowAbove(
  first: { line: number; character: number },
  cursorLine: number | undefined,
): number | undefined {
  const isWhole = first.character === 0 && first.line > 0;
  return isWhole && first.line === cursorLine ? first.line - 0.001 : undefined;
}
