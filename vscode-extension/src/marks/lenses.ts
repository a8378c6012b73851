// Lenses that leave the text where it is. VS Code keeps the first row in its place while lenses come
// and go, but looks only at how high the text is before and after: as many lenses of which others
// stand above what is in view pushed the text away. So there are never as many then. Knows no editor,
// so that plain unit tests reach it.

interface Lens {
  range: { start: { line: number } };
  command?: { title: string; command: string; tooltip?: string | undefined } | undefined;
}

/** What VS Code may be showing yet: of answers that come close together it drops some. */
const remembered = 4;

export class Lenses {
  /** The lines that had lenses. */
  private readonly given = new WeakMap<object, readonly (readonly number[])[]>();

  /**
   * The lenses to show for a document; those that are farthest from what is in view are left out
   * where need be: of the last lines, and near the end of a file of the first. `tops`: the first
   * lines that its editors show.
   */
  shown<T extends Lens>(document: object, lenses: T[], tops: readonly number[]): T[] {
    const lines = [...new Set(lenses.map(({ range }) => range.start.line))].sort((a, b) => a - b);
    const before = this.given.get(document) ?? [];
    const pushes = (one: readonly number[]): boolean =>
      one.length === lines.length &&
      (isElsewhere(one, lines) || tops.some((top) => above(one, top) !== above(lines, top)));
    while (before.some(pushes)) {
      const [behind, ahead] = [
        Math.min(...tops) - (lines[0] ?? 0),
        (lines.at(-1) ?? 0) - Math.max(...tops),
      ];
      if (behind > ahead) lines.shift();
      else lines.pop();
    }
    this.given.set(document, [lines, ...before].slice(0, remembered));
    const kept = new Set(lines);
    return lenses.filter(({ range }) => kept.has(range.start.line));
  }
}

/** Whoever goes far twice in a moment may be between the two, whatever has been heard of the tops. */
function isElsewhere(one: readonly number[], other: readonly number[]): boolean {
  const isBefore = (these: readonly number[], those: readonly number[]): boolean =>
    (these.at(-1) ?? Infinity) < (those[0] ?? -Infinity);
  return isBefore(one, other) || isBefore(other, one);
}

function above(lines: readonly number[], top: number): number {
  return lines.filter((line) => line <= top).length;
}

/**
 * Lenses whose scores stand under one another: the way to the next mismatch is a sign, and another
 * one, as wide, stands where there is none. `next`: its command; `blank`: a lens in the same place
 * that does nothing.
 */
export function aligned<T extends Lens>(
  lenses: T[],
  next: string,
  blank: (like: T, title: string) => T,
): T[] {
  const isNext = ({ command }: T): boolean => command?.command === next;
  if (!lenses.some(isNext)) return lenses;
  const begun = new Set<number>();
  return lenses.flatMap((lens) => {
    const { line } = lens.range.start;
    const isFirst = !begun.has(line);
    begun.add(line);
    if (lens.command !== undefined && isNext(lens)) {
      lens.command = { ...lens.command, title: '$(arrow-down)', tooltip: lens.command.title };
      return [lens];
    }
    return isFirst ? [blank(lens, '$(dash)'), lens] : [lens];
  });
}
