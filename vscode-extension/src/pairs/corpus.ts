// Checking the whole corpus. The language client would ask for it again every two seconds, as long
// as the window is open: here its question waits until somebody wants the answer. Knows no editor,
// so that plain unit tests reach it.
import type { ProvideWorkspaceDiagnosticSignature, vsdiag } from 'vscode-languageclient/node';

/** What has come of a check that somebody asked for: the server's words, or why there are none. */
export type Outcome = { found: string } | 'cancelled' | 'failed';

type Asked = Parameters<ProvideWorkspaceDiagnosticSignature>;

export class CorpusCheck {
  private wanted = false;
  /** Whether the user has asked, and is told what came of it. */
  private asked = false;
  private wake: (() => void) | undefined;
  private answered = false;

  constructor(
    private readonly say: (outcome: Outcome) => void,
    private readonly isCancellation: (error: unknown) => boolean,
  ) {}

  /** Whether there was an answer: what it says of files that are closed is kept up from then on. */
  get isAnswered(): boolean {
    return this.answered;
  }

  /** By command: the next answer is wanted, and what came of it is said. */
  ask(): void {
    this.asked = true;
    this.want();
  }

  /** What the server says has come of a check. */
  tell(outcome: Outcome): void {
    if (this.asked) this.say(outcome);
    this.asked = false;
  }

  /** What there is to know of the corpus is not what the last answer was. */
  want(): void {
    this.wanted = true;
    this.wake?.();
  }

  /** For the middleware of the language client. */
  async provide(
    resultIds: vsdiag.PreviousResultId[],
    token: Asked[1],
    report: Asked[2],
    next: ProvideWorkspaceDiagnosticSignature,
  ): Promise<vsdiag.WorkspaceDiagnosticReport> {
    const isGone = (): boolean => token.isCancellationRequested;
    await this.untilWanted(token);
    if (isGone()) return { items: [] };
    this.wanted = false;
    try {
      const answer = await next(resultIds, token, report);
      this.answered ||= !isGone();
      return answer ?? { items: [] };
    } catch (error) {
      if (isGone()) return { items: [] };
      const isCancelled = this.isCancellation(error);
      this.tell(isCancelled ? 'cancelled' : 'failed');
      if (!isCancelled) throw error;
      return { items: [] };
    } finally {
      // What a server that has gone was asked for is for the next one to answer.
      if (isGone()) this.wanted ||= this.asked;
    }
  }

  private async untilWanted(token: Asked[1]): Promise<void> {
    if (this.wanted || token.isCancellationRequested) return;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      token.onCancellationRequested(() => resolve());
    });
  }
}
