// Takes the marks of a file away as it is closed. The language client leaves them to the next answer
// about the whole corpus: where nobody asks for one they would stay as they were.
import * as vscode from 'vscode';
import {
  DefaultDiagnosticCollectionProvider,
  DiagnosticCollectionSource,
} from 'vscode-languageclient/node';
import { isInTab, isSame } from '../showDocument';

export class PulledMarks extends DefaultDiagnosticCollectionProvider {
  private pulled: vscode.DiagnosticCollection | undefined;

  override create(
    name: string | undefined,
    source: DiagnosticCollectionSource,
  ): vscode.DiagnosticCollection {
    const made = super.create(name, source);
    if (source === DiagnosticCollectionSource.pull) this.pulled = made;
    return made;
  }

  override dispose(made: vscode.DiagnosticCollection, source: DiagnosticCollectionSource): void {
    if (made === this.pulled) this.pulled = undefined;
    super.dispose(made, source);
  }

  /** `areKept`: whether there is such an answer, which is kept up. */
  clearClosed(areKept: () => boolean): vscode.Disposable {
    const clear = (): void => {
      if (areKept()) return;
      this.pulled?.forEach((uri) => {
        if (!isShown(uri)) this.pulled?.delete(uri);
      });
    };
    return vscode.Disposable.from(
      vscode.window.tabGroups.onDidChangeTabs(clear),
      vscode.window.onDidChangeVisibleTextEditors(clear),
    );
  }
}

/** As the client has it: tabs of several files tell of none, and are told of before their editors. */
function isShown(uri: vscode.Uri): boolean {
  const { visibleTextEditors } = vscode.window;
  return isInTab(uri) || visibleTextEditors.some(({ document }) => isSame(document.uri, uri));
}
