// Tells the server what can be seen. LSP has no word for it, and without it every lens of a file of
// forty thousand sentences would have to be computed after each keystroke.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { visibleNotification } from '../protocol';
import { isTreebankLanguage } from '../treebanks';
import { unlessOvertaken } from '../turns';

const debounceMilliseconds = 50;

export function reportVisible(client: LanguageClient): vscode.Disposable {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const send = (): void => {
    timer = undefined;
    for (const uri of changed) {
      // One document may be seen in several editors.
      const ranges = treebankEditors()
        .filter((editor) => editor.document.uri.toString() === uri)
        .flatMap((editor) => editor.visibleRanges)
        .map((range) => client.code2ProtocolConverter.asRange(range));
      if (ranges.length === 0) continue;
      unlessOvertaken(client.sendNotification(visibleNotification, { uri, ranges }));
    }
    changed.clear();
  };
  const mark = (editors: readonly vscode.TextEditor[]): void => {
    for (const editor of editors) {
      if (isTreebankLanguage(editor.document.languageId)) {
        changed.add(editor.document.uri.toString());
      }
    }
    if (changed.size > 0) timer ??= setTimeout(send, debounceMilliseconds);
  };

  mark(vscode.window.visibleTextEditors);
  return vscode.Disposable.from(
    vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => mark([textEditor])),
    vscode.window.onDidChangeVisibleTextEditors(mark),
    new vscode.Disposable(() => clearTimeout(timer)),
  );
}

function treebankEditors(): vscode.TextEditor[] {
  return vscode.window.visibleTextEditors.filter((editor) =>
    isTreebankLanguage(editor.document.languageId),
  );
}
