// VS Code asks for lenses a moment after it was told to, and that moment is as long as its last
// questions took: up to a minute, where a large file was opened on a busy machine. Told again
// meanwhile it waits anew; it would never ask if it were told more often than that. So it is told
// ever more seldom. Knows no editor, so that plain unit tests reach it.

/** Milliseconds: longer than VS Code waits where it waits by itself. */
export const patience = 2000;
/** More than VS Code waits at most, which is 62,500. */
const longest = 64_000;

export class Reminder {
  private timer: NodeJS.Timeout | undefined;
  private wait = patience;

  /** `remind`: reminds VS Code of what is still to be asked, and says whether there was anything. */
  constructor(private readonly remind: () => boolean | Promise<boolean>) {}

  /**
   * Reminds after so many milliseconds, and then until there is nothing to remind of; or until VS
   * Code has had all the time that it may take, as there may be nothing to be said.
   */
  in(milliseconds: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.look(), milliseconds);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private async look(): Promise<void> {
    const { timer } = this;
    const reminded = await this.remind();
    // (What has been looked for anew meanwhile, or is over, is not this look's.)
    if (timer !== this.timer) return;
    const isLeft = reminded && this.wait <= longest;
    if (isLeft) this.in(this.wait);
    this.wait = isLeft ? 2 * this.wait : patience;
  }
}
