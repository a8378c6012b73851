// Lines above sentences that a narrow pane has room for. VS Code cuts them at the pane's edge, where
// what differs stands: it is the further scores that can be done without first, then what is settled
// beside what is open, and why a sentence is broken, which its mark says too. Knows no editor, so that
// plain unit tests reach it.

/** Between what a line says, and between what several lenses of it say. */
const [between, betweenLenses] = [' · ', ' | '];
/** `UAS 95.45`, `F1 83.33, +0.31`, `F1 –`. */
const score = /^\p{L}\S* (\d+\.\d\d|–)(, .*)?$/u;
/** What a score beside it cannot add to; of several systems also in short. */
const saysAll = /(^| · )no mismatch$| ✓$/u;
/** Of an adjudication: `2 open`; `1 settled`, `1 anna ✓`. */
const open = /^\d+ open$/u;
const settled = /^\d+ (settled|.* ✓)$/u;
/** `broken: heads go round in a circle`. */
const reason = 'broken: ';
/** Around words that may be read from the right: what follows is not. */
const [isolate, isolateEnd] = ['\u2068', '\u2069'];
const icon = /\$\([\w-]+\)/gu;

/**
 * Of the fonts that VS Code takes by itself for its own words, in sizes of the font: how wide
 * characters are, those that are no letters or narrow ones apart.
 */
const widths = { icon: 1.05, narrow: 0.33, wide: 0.72, other: 0.56 };
const narrow = /[\s!'().,:;|·ijlftrI[\]]/u;
const wide = /[A-HK-Z↓–—…≠✓“”mwMW]/u;

/** The titles of a line's lenses, in so many sizes of their font; what is cut ends in an ellipsis. */
export function fitted(titles: readonly string[], room: number): string[] {
  const most = Math.max(...titles.map((title) => title.split(between).filter(isScore).length), 1);
  for (let kept = most; kept >= 1; kept--) {
    const shown = titles.map((title) => withScores(title, kept));
    if (widthOf(shown.join(betweenLenses)) <= room) return shown;
  }
  const shown = titles.map((title) => withScores(title, saysAll.test(title) ? 0 : 1));
  if (widthOf(shown.join(betweenLenses)) <= room) return shown;
  const short = shown.map((title) => title.replace(' · no mismatch', ' ✓'));
  if (widthOf(short.join(betweenLenses)) <= room) return short;
  return cut(withShortReason(short.map(withOpen), room), room);
}

/**
 * Of the room of a line, what is left for each of its lenses that says nothing yet: VS Code has what
 * some of them say only later, one by one.
 */
export function leftBeside(titles: readonly string[], room: number): number {
  const others = titles.filter((title) => title !== '');
  const taken = others.reduce((sum, title) => sum + widthOf(title + betweenLenses), 0);
  return (room - taken) / Math.max(titles.length - others.length, 1);
}

function isScore(part: string): boolean {
  return score.test(part);
}

function withScores(title: string, most: number): string {
  let count = 0;
  const kept = title.split(between).filter((part) => !isScore(part) || ++count <= most);
  return kept.join(between);
}

/** What is open of an adjudication, without what is not. */
function withOpen(title: string): string {
  const parts = title.split(between);
  if (!parts.some((part) => open.test(part))) return title;
  return parts.filter((part) => !settled.test(part)).join(between);
}

/** Why a sentence is broken in the room that what differs leaves, down to `broken…`. */
function withShortReason(titles: readonly string[], room: number): string[] {
  const over = widthOf(titles.join(betweenLenses)) - room;
  const fit = (part: string): string =>
    part.startsWith(reason)
      ? shortened(part, Math.max(widthOf(part) - over, widthOf(`${reason.trimEnd()}…`)))
      : part;
  return titles.map((title) => title.split(between).map(fit).join(between));
}

/**
 * The first ones leave the others room for what they say at least. What is behind the edge even so
 * has no room for an ellipsis either: it is left as it is.
 */
function cut(titles: readonly string[], room: number): string[] {
  const least = titles.map(leastWidth);
  let left = room;
  return titles.map((title, at) => {
    const others = least
      .slice(at + 1)
      .reduce((sum, width) => sum + widthOf(betweenLenses) + width, 0);
    const mine = Math.max(left - others, Math.min(least[at] ?? 0, left));
    const shown = widthOf(title) <= mine || left <= 0 ? title : shortened(title, mine);
    left -= widthOf(shown + betweenLenses);
    return shown;
  });
}

/** Of a title up to its score, which of several systems has the name before it. */
function leastWidth(title: string): number {
  const parts = title.split(between);
  const last = saysAll.test(title) ? parts.length : Math.max(parts.findIndex(isScore), 1);
  const rest = last + 1 < parts.length ? '…' : '';
  return widthOf(parts.slice(0, last + 1).join(between) + rest);
}

/** (A number alone says nothing.) */
function shortened(title: string, room: number): string {
  let shown = '';
  for (const one of title) {
    if (widthOf(`${shown}${one}…`) > room) break;
    shown += one;
  }
  const isOpen = shown.lastIndexOf(isolate) > shown.lastIndexOf(isolateEnd);
  return `${shown.replace(/(\s·\s?\d*)?[\s:]*$/u, '')}…${isOpen ? isolateEnd : ''}`;
}

function widthOf(text: string): number {
  const icons = text.match(icon)?.length ?? 0;
  let width = icons * widths.icon;
  for (const one of text.replaceAll(icon, '')) {
    if (one === isolate || one === isolateEnd) continue;
    width += narrow.test(one) ? widths.narrow : wide.test(one) ? widths.wide : widths.other;
  }
  return width;
}
