// VS Code asks for lenses a moment after a text has changed, but not where its editor has lost the
// focus by then: a file that a program writes anew while one reaches for the worklist would show
// none where it differs, and a file that is opened beside the one that has the focus none at all. It
// is told to ask.
import * as vscode from 'vscode';
import { CodeLensRequest } from 'vscode-languageclient';
import type { LanguageClient } from 'vscode-languageclient/node';
import { isTreebankLanguage } from '../treebanks';

/** Longer than VS Code waits by itself. */
const patience = 2000;

export class AskedLenses {
  /** The version of each document that there were lenses for last. */
  private readonly versions = new WeakMap<vscode.TextDocument, number>();

  /** How many there were for a document; none may be too early an answer. */
  areGiven(document: vscode.TextDocument, version: number, count: number): void {
    if (count > 0) this.versions.set(document, version);
  }

  /** `changed`: when what the server says of the files may be another. */
  follow(client: LanguageClient, changed: vscode.Event<void>): vscode.Disposable {
    let timer: NodeJS.Timeout | undefined;
    const look = (): void => {
      for (const { document } of vscode.window.visibleTextEditors) {
        if (this.versions.get(document) === document.version) continue;
        if (!isTreebankLanguage(document.languageId)) continue;
        const feature = client.getFeature(CodeLensRequest.method);
        feature.getProvider(document)?.onDidChangeCodeLensEmitter.fire();
      }
    };
    const lookSoon = (): void => {
      clearTimeout(timer);
      timer = setTimeout(look, patience);
    };
    return vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (isTreebankLanguage(document.languageId)) lookSoon();
      }),
      vscode.window.onDidChangeVisibleTextEditors(lookSoon),
      changed(lookSoon),
      new vscode.Disposable(() => {
        clearTimeout(timer);
      }),
    );
  }
}
