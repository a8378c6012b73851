// Whether a file is compared with no other, as a server has said: of one that has just started, or has
// not scored a pair yet, nothing is known. Knows no editor, so that plain unit tests reach it.

/** The pairs that a file is in; undefined where nobody answers. */
export type AskPairs = (file: string) => Promise<readonly unknown[] | undefined>;

export class Unpaired {
  private file: string | undefined;
  private asked: string | undefined;
  private isSaid = false;
  /** Answers to what was asked before it are about what is no more. */
  private turn = 0;

  constructor(
    private readonly ask: AskPairs,
    private readonly changed: () => void,
  ) {}

  /** Whether it is said of this file; where that is not known, it is asked. */
  has(file: string): boolean {
    if (this.file !== file) this.forget();
    this.file = file;
    if (this.asked !== file) void this.look(file);
    return this.isSaid;
  }

  /** Something is compared otherwise: what was said holds until there is an answer again. */
  again(): void {
    this.asked = undefined;
  }

  /** The server is gone, or the file is in a pair. */
  forget(): void {
    this.file = this.asked = undefined;
    this.isSaid = false;
    this.turn += 1;
  }

  private async look(file: string): Promise<void> {
    this.asked = file;
    const turn = (this.turn += 1);
    const pairs = await this.ask(file);
    if (this.turn !== turn) return;
    if (pairs === undefined) {
      this.asked = undefined;
      return;
    }
    const isSaid = pairs.length === 0;
    if (this.isSaid === isSaid) return;
    this.isSaid = isSaid;
    this.changed();
  }
}
