// Work of the server that takes longer than a moment, in a notification where it can be cancelled:
// the language client shows it at the foot of the window, where it cannot.
import type * as vscode from 'vscode';
import type {
  ProgressToken,
  WorkDoneProgressBegin,
  WorkDoneProgressEnd,
  WorkDoneProgressReport,
} from 'vscode-languageclient/node';

type Progress = vscode.Progress<{ message?: string; increment?: number }>;

interface Bar {
  message: string | undefined;
  percentage: number;
  progress: Progress | undefined;
  end: () => void;
}

/** Shows a notification as long as a task takes. */
export type Show = (
  title: string,
  task: (progress: Progress, cancellation: vscode.CancellationToken) => Promise<void>,
) => Thenable<void>;

export class Bars {
  private readonly bars = new Map<ProgressToken, Bar>();

  constructor(
    private readonly show: Show,
    private readonly cancel: (token: ProgressToken) => void,
    /** Milliseconds: what is done by then is not worth a notification. */
    private readonly moment = 1000,
  ) {}

  /** For the middleware of a language client. */
  handle(
    token: ProgressToken,
    params: WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd,
  ): void {
    switch (params.kind) {
      case 'begin':
        this.begin(token, params);
        break;
      case 'report':
        this.report(token, params);
        break;
      case 'end':
        this.bars.get(token)?.end();
    }
  }

  /** What a server had begun ends with it, of which nobody hears. */
  endAll(): void {
    for (const bar of [...this.bars.values()]) bar.end();
  }

  private begin(token: ProgressToken, { title, message }: WorkDoneProgressBegin): void {
    const over = new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        void show();
      }, this.moment);
      const end = (): void => {
        clearTimeout(timer);
        this.bars.delete(token);
        resolve();
      };
      this.bars.set(token, { message, percentage: 0, progress: undefined, end });
    });
    const show = (): Thenable<void> =>
      this.show(`Treelens: ${title}`, async (progress, cancellation) => {
        const bar = this.bars.get(token);
        if (bar === undefined) return;
        bar.progress = progress;
        progress.report({ increment: bar.percentage, message: bar.message ?? '' });
        cancellation.onCancellationRequested(() => {
          this.cancel(token);
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
