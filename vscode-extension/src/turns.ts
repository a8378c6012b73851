/** As long as one of several waits for another; a message may ask for an answer, or none come. */
const patience = 2000;

/** Work that is done one after the other, in the order in which it was asked for. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly most = patience) {}

  take(work: () => Promise<void>): Promise<void> {
    const before = this.last;
    const mine = before.then(work);
    this.last = before.then(() => Promise.race([mine, after(this.most)])).catch(() => undefined);
    return mine;
  }
}

async function after(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}
