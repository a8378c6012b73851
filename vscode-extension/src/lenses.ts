// Lenses that leave the text where it is. VS Code keeps the first row in its place while lenses come
// and go, but looks only at how high the text is before and after: as many lenses at another place
// of the file pushed the text away. So there are never as many at another place. Knows no editor,
// so that plain unit tests reach it.

interface Lens {
  range: { start: { line: number } };
}

interface Given {
  first: number;
  count: number;
}

export class Lenses {
  private readonly given = new WeakMap<object, Given>();

  /** The lenses to show for a document; those of the last line are left out where need be. */
  shown<T extends Lens>(document: object, lenses: T[]): T[] {
    const lines = [...new Set(lenses.map(({ range }) => range.start.line))].sort((a, b) => a - b);
    const before = this.given.get(document);
    const first = lines[0] ?? 0;
    const tooMany = before?.count === lines.length && before.first !== first;
    const last = tooMany ? lines.pop() : undefined;
    this.given.set(document, { first, count: lines.length });
    return lenses.filter(({ range }) => range.start.line !== last);
  }
}
