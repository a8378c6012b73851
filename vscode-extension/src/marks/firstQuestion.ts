// VS Code lets as long a time pass from a change to its next question about lenses as its last
// questions took, and the first one waits until the document has been handed over to the extensions:
// seconds, where that has megabytes. Were it answered, lenses would be as late for long. So it is
// taken back: VS Code is had to ask anew, which takes no time by then. Knows no editor, so that plain
// unit tests reach it.

/** Characters that are handed over in no time. */
const few = 1 << 20;

interface Token {
  isCancellationRequested: boolean;
  onCancellationRequested: (listener: () => void) => { dispose: () => unknown };
}

export class FirstQuestion {
  private readonly asked = new WeakSet();

  /** `patience`: the milliseconds after which a question that VS Code holds on to is answered. */
  constructor(private readonly patience: number) {}

  /** Whether a question about a document of some length has been taken back; `again`: has VS Code ask. */
  async takenBack(
    document: object,
    length: () => number,
    token: Token,
    again: () => void,
  ): Promise<boolean> {
    if (this.asked.has(document)) return false;
    this.asked.add(document);
    if (length() <= few) return false;
    again();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.patience);
      token.onCancellationRequested(() => {
        clearTimeout(timer);
        resolve();
      });
      if (token.isCancellationRequested) resolve();
    });
    return token.isCancellationRequested;
  }
}
