// VS Code asks for lenses a moment after a text has changed, but not where its editor has lost the
// focus by then: a file that a program writes anew while one reaches for the worklist would show
// none where it differs. It is told to ask.
import * as vscode from 'vscode';
import { CodeLensRequest } from 'vscode-languageclient';
import type { LanguageClient } from 'vscode-languageclient/node';
import { isTreebankLanguage } from '../treebanks';

/** Longer than VS Code waits by itself. */
const patience = 2000;

export class AskedLenses {
  /** The version of each document that lenses were asked for last. */
  private readonly versions = new WeakMap<vscode.TextDocument, number>();

  isAskedFor(document: vscode.TextDocument): void {
    this.versions.set(document, document.version);
  }

  follow(client: LanguageClient): vscode.Disposable {
    let timer: NodeJS.Timeout | undefined;
    const look = (): void => {
      for (const { document } of vscode.window.visibleTextEditors) {
        const asked = this.versions.get(document);
        if (asked === undefined || asked === document.version) continue;
        const feature = client.getFeature(CodeLensRequest.method);
        feature.getProvider(document)?.onDidChangeCodeLensEmitter.fire();
      }
    };
    return vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (!isTreebankLanguage(document.languageId)) return;
        clearTimeout(timer);
        timer = setTimeout(look, patience);
      }),
      new vscode.Disposable(() => {
        clearTimeout(timer);
      }),
    );
  }
}
