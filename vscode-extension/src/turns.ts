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

/** Work that is done one after the other, and of which only the last that is asked for is wanted. */
export class Overtaking {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  /** The work is told how to ask, in the midst of it, whether it still is. */
  take<T>(work: (isWanted: () => boolean) => Promise<T>): Promise<T> {
    this.waiting += 1;
    const mine = this.last.then(() => {
      this.waiting -= 1;
      return work(() => this.waiting === 0);
    });
    this.last = mine.catch(() => undefined);
    return mine;
  }

  /** When what was asked for up to now is done. */
  async done(): Promise<void> {
    await this.last;
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

/**
 * Has it be done, and lets it be where it is overtaken: a server that it goes to has ended, a tab that
 * it closes is closed, a line that it shows is in the list no more.
 */
export function unlessOvertaken(work: Thenable<unknown>): void {
  work.then(undefined, () => undefined);
}

export async function after(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}
