/** As long as one of several waits for another; a message may ask for an answer, or none come. */
const patience = 2000;

/** Work that is done one after the other, in the order in which it was asked for. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly most = patience) {}

  take<T>(work: () => Promise<T>): Promise<T> {
    const before = this.last;
    const mine = before.then(work);
    this.last = before.then(() => Promise.race([mine, after(this.most)])).catch(() => undefined);
    return mine;
  }
}

/** What is being done. */
export class Doings {
  private readonly all = new Set<Promise<unknown>>();

  async noted<T>(work: Promise<T>): Promise<T> {
    this.all.add(work);
    try {
      return await work;
    } finally {
      this.all.delete(work);
    }
  }

  /** When all of it is done that has begun. */
  async done(): Promise<void> {
    await Promise.allSettled(this.all);
  }
}

export async function after(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}
