// Work of the server that takes longer than a moment, in a notification where it can be cancelled:
// the language client shows it at the foot of the window, where it cannot.
import * as vscode from 'vscode';
import {
  WorkDoneProgressCancelNotification,
  type LanguageClient,
  type ProgressToken,
  type WorkDoneProgressBegin,
  type WorkDoneProgressEnd,
  type WorkDoneProgressReport,
} from 'vscode-languageclient/node';

/** Milliseconds: what is done by then is not worth a notification. */
const moment = 1000;

interface Bar {
  message: string | undefined;
  percentage: number;
  progress: vscode.Progress<{ message?: string; increment?: number }> | undefined;
  end: () => void;
}

export class Bars {
  private readonly bars = new Map<ProgressToken, Bar>();

  /** For the middleware of a language client. */
  handle(
    client: LanguageClient | undefined,
    token: ProgressToken,
    params: WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd,
  ): void {
    switch (params.kind) {
      case 'begin':
        this.begin(client, token, params);
        break;
      case 'report':
        this.report(token, params);
        break;
      case 'end':
        this.bars.get(token)?.end();
    }
  }

  private begin(
    client: LanguageClient | undefined,
    token: ProgressToken,
    { title, message }: WorkDoneProgressBegin,
  ): void {
    const over = new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        void show();
      }, moment);
      const end = (): void => {
        clearTimeout(timer);
        this.bars.delete(token);
        resolve();
      };
      this.bars.set(token, { message, percentage: 0, progress: undefined, end });
    });
    const location = vscode.ProgressLocation.Notification;
    const options = { location, title: `Treelens: ${title}`, cancellable: true };
    const show = (): Thenable<void> =>
      vscode.window.withProgress(options, async (progress, cancellation) => {
        const bar = this.bars.get(token);
        if (bar === undefined) return;
        bar.progress = progress;
        progress.report({ increment: bar.percentage, message: bar.message ?? '' });
        cancellation.onCancellationRequested(() => {
          void client?.sendNotification(WorkDoneProgressCancelNotification.type, { token });
        });
        await over;
      });
  }

  private report(token: ProgressToken, { message, percentage }: WorkDoneProgressReport): void {
    const bar = this.bars.get(token);
    if (bar === undefined) return;
    const increment = Math.max((percentage ?? 0) - bar.percentage, 0);
    bar.percentage += increment;
    bar.message = message ?? bar.message;
    bar.progress?.report({ increment, message: bar.message ?? '' });
  }
}
