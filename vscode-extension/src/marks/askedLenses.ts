// VS Code asks for lenses a moment after a text has changed, or what provides them has, but not
// where its editor has lost the focus by then: a file that a program writes anew while one reaches
// for the worklist would show none where it differs, a file that is opened beside the one that has
// the focus none at all, and one that had the focus while other extensions started may have had an
// answer that was thrown away. It is told to ask.
import * as vscode from 'vscode';
import { CodeLensRequest } from 'vscode-languageclient';
import type { LanguageClient } from 'vscode-languageclient/node';
import { isTreebankLanguage } from '../treebanks';
import { FirstQuestion } from './firstQuestion';
import { patience, Reminder } from './reminder';

export class AskedLenses {
  /** How often a document has had reason to be asked about. */
  private readonly reasons = new WeakMap<vscode.TextDocument, number>();
  /** After how many of them it was that there were lenses for it. */
  private readonly answered = new WeakMap<vscode.TextDocument, number>();
  /** Questions that wait for their answer, of each document the last. */
  private readonly open = new WeakMap<vscode.TextDocument, vscode.CancellationToken>();
  private readonly first = new FirstQuestion(patience);
  private client: LanguageClient | undefined;

  /** Asks, and notes that there were lenses; none may be too early an answer. */
  async ask<T>(
    document: vscode.TextDocument,
    token: vscode.CancellationToken,
    question: () => vscode.ProviderResult<T[]>,
  ): Promise<T[] | null | undefined> {
    const length = (): number => lengthOf(document);
    const again = (): void => this.again(document);
    if (await this.first.takenBack(document, length, token, again)) return undefined;
    const reasons = this.reasonsFor(document);
    this.open.set(document, token);
    try {
      const lenses = await question();
      const isTaken = !token.isCancellationRequested;
      if (isTaken && lenses && lenses.length > 0) this.answered.set(document, reasons);
      return lenses;
    } finally {
      if (this.open.get(document) === token) this.open.delete(document);
    }
  }

  /** `changed`: when what the server says of the files may be another. */
  follow(client: LanguageClient, changed: vscode.Event<void>): vscode.Disposable {
    this.client = client;
    let active = vscode.window.activeTextEditor?.document;
    const reminder = new Reminder(() => {
      const waiting = vscode.window.visibleTextEditors
        .map(({ document }) => document)
        .filter(({ languageId }) => isTreebankLanguage(languageId))
        .filter((document) => this.answered.get(document) !== this.reasonsFor(document));
      for (const document of waiting) this.again(document);
      return waiting.length > 0;
    });
    const lookSoon = (): void => reminder.in(patience);
    const lookSoonAt = (document: vscode.TextDocument | undefined): void => {
      if (document === undefined || !isTreebankLanguage(document.languageId)) return;
      this.reasons.set(document, this.reasonsFor(document) + 1);
      lookSoon();
    };
    return vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) lookSoonAt(document);
      }),
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        const left = active;
        active = editor?.document;
        if (left !== active) lookSoonAt(left);
      }),
      vscode.window.onDidChangeVisibleTextEditors(lookSoon),
      changed(lookSoon),
      reminder,
      new vscode.Disposable(() => {
        this.client = undefined;
      }),
    );
  }

  /** Has VS Code ask, but where it does already: it would begin anew. */
  again(document: vscode.TextDocument): void {
    if (this.open.get(document)?.isCancellationRequested === false) return;
    const feature = this.client?.getFeature(CodeLensRequest.method);
    feature?.getProvider(document)?.onDidChangeCodeLensEmitter.fire();
  }

  private reasonsFor(document: vscode.TextDocument): number {
    return this.reasons.get(document) ?? 0;
  }
}

function lengthOf(document: vscode.TextDocument): number {
  return document.offsetAt(document.lineAt(document.lineCount - 1).range.end);
}
