// What a server is asked about documents goes behind their opening. VS Code's language client opens
// those that are in no tab one after the other, each when the one before has been written, and
// documents that come meanwhile behind all of them; what is asked would go past them. Of a document
// that it has not heard of, the server can only say that there is nothing.

export class Openings {
  private readonly underWay = new Set<Promise<void>>();

  /** An opening that is under way. */
  of(opening: Promise<void>): Promise<void> {
    this.underWay.add(opening);
    const end = (): void => void this.underWay.delete(opening);
    opening.then(end, end);
    return opening;
  }

  /** When all of them are through, and those that they held up. */
  async areThrough(): Promise<void> {
    while (this.underWay.size > 0) {
      await Promise.allSettled(this.underWay);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
