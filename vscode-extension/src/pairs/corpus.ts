// Checking the whole corpus. The language client would ask for it again every two seconds, as long
// as the window is open: here its question waits until somebody wants the answer.
import * as vscode from 'vscode';
import type {
  LanguageClient,
  ProvideWorkspaceDiagnosticSignature,
  vsdiag,
} from 'vscode-languageclient/node';
import { checkedNotification, corpusChangedNotification } from '../protocol';

export class CorpusCheck {
  private wanted = false;
  /** Whether the user has asked, and is told what came of it. */
  private asked = false;
  private wake: (() => void) | undefined;

  /** By command: the next answer is wanted, and what came of it is said. */
  ask(): void {
    this.asked = true;
    this.want();
  }

  /** What the server says besides the diagnostics themselves. */
  listenTo(client: LanguageClient): void {
    client.onNotification(corpusChangedNotification, () => this.want());
    client.onNotification(checkedNotification, ({ message }) => {
      if (this.asked) void offerProblems(message);
      this.asked = false;
    });
  }

  /** For the middleware of the language client. */
  async provide(
    resultIds: vsdiag.PreviousResultId[],
    token: vscode.CancellationToken,
    report: vsdiag.ResultReporter,
    next: ProvideWorkspaceDiagnosticSignature,
  ): Promise<vsdiag.WorkspaceDiagnosticReport> {
    const isGone = (): boolean => token.isCancellationRequested;
    await this.untilWanted(token);
    if (isGone()) return { items: [] };
    this.wanted = false;
    try {
      return (await next(resultIds, token, report)) ?? { items: [] };
    } catch (error) {
      const isCancelled = error instanceof vscode.CancellationError;
      if (this.asked && !isGone()) {
        void offerProblems(
          isCancelled
            ? vscode.l10n.t('The check was cancelled. Problems lists what it found until then')
            : vscode.l10n.t('The check failed (“Treelens: Show Log” says why)'),
        );
      }
      this.asked = false;
      if (!isCancelled) throw error;
      return { items: [] };
    }
  }

  private want(): void {
    this.wanted = true;
    this.wake?.();
  }

  private async untilWanted(token: vscode.CancellationToken): Promise<void> {
    if (this.wanted || token.isCancellationRequested) return;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      token.onCancellationRequested(() => resolve());
    });
  }
}

async function offerProblems(message: string): Promise<void> {
  const show = vscode.l10n.t('Show Problems');
  const choice = await vscode.window.showInformationMessage(message, show);
  if (choice === show) await vscode.commands.executeCommand('workbench.actions.view.problems');
}
