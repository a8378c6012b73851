// Lights up in the other files what answers to the place of the cursor: the counterpart, or the
// words that a word was taken together with. LSP highlights within one document only.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { answeringRequest } from './protocol';
import { isTreebankLanguage } from './treebanks';

const debounceMilliseconds = 100;

export function lightUpAnswering(client: LanguageClient): vscode.Disposable {
  const light = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('editor.wordHighlightBackground'),
    border: '1px solid',
    borderColor: new vscode.ThemeColor('editor.wordHighlightBorder'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.wordHighlightForeground'),
  });
  let timer: NodeJS.Timeout | undefined;
  let asked = 0;

  const draw = async (editor: vscode.TextEditor): Promise<void> => {
    const mine = ++asked;
    const uri = client.code2ProtocolConverter.asUri(editor.document.uri);
    const position = client.code2ProtocolConverter.asPosition(editor.selection.active);
    const found = await client.sendRequest(answeringRequest, { uri, position });
    if (mine !== asked) return; // the cursor is elsewhere by now
    const places = found.map((one) => client.protocol2CodeConverter.asLocation(one));
    for (const other of vscode.window.visibleTextEditors) {
      const here = places.filter((place) => isOf(place, other) && other !== editor);
      other.setDecorations(
        light,
        here.map(({ range }) => range),
      );
    }
  };
  const subscription = vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
    if (!isTreebankLanguage(textEditor.document.languageId)) return;
    if (textEditor !== vscode.window.activeTextEditor) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      void draw(textEditor).catch(() => undefined); // a server that is gone has nothing to light up
    }, debounceMilliseconds);
  });
  return vscode.Disposable.from(
    light,
    subscription,
    new vscode.Disposable(() => {
      clearTimeout(timer);
    }),
  );
}

function isOf(place: vscode.Location, editor: vscode.TextEditor): boolean {
  return place.uri.toString() === editor.document.uri.toString();
}
