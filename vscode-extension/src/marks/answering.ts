// Lights up in the other files what answers to the place of the cursor: the counterpart with its
// brackets and all that it holds, or the words that a word was taken together with. LSP
// highlights within one document only.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { answeringRequest, type Answering } from '../protocol';
import { isTreebankLanguage } from '../treebanks';
import { decorate } from './decorating';

const debounceMilliseconds = 100;
const mostLines = 500;

/** What lights up: itself, what is nearest to it, and all that it stands for. */
const lights = {
  exact: {
    backgroundColor: new vscode.ThemeColor('treelens.counterpartBackground'),
    borderColor: new vscode.ThemeColor('treelens.counterpartBorder'),
    border: '1px solid',
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.wordHighlightForeground'),
  },
  nearest: {
    borderColor: new vscode.ThemeColor('treelens.counterpartBorder'),
    border: '1px dashed',
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.wordHighlightForeground'),
  },
  whole: { backgroundColor: new vscode.ThemeColor('treelens.counterpartConstituentBackground') },
} satisfies Record<string, vscode.DecorationRenderOptions>;

type Light = keyof typeof lights;

/** Where an editor has what answers to the cursor in another one. */
export interface Answered {
  editor: vscode.TextEditor;
  place: vscode.Position | undefined;
}

export function lightUpAnswering(
  client: LanguageClient,
  answered: vscode.EventEmitter<Answered>,
): vscode.Disposable {
  const types = Object.entries(lights).map(
    ([light, options]) =>
      [light as Light, vscode.window.createTextEditorDecorationType(options)] as const,
  );
  let timer: NodeJS.Timeout | undefined;
  let asked = 0;

  const draw = async (editor: vscode.TextEditor): Promise<void> => {
    const mine = ++asked;
    const uri = client.code2ProtocolConverter.asUri(editor.document.uri);
    const position = client.code2ProtocolConverter.asPosition(editor.selection.active);
    const found = await client.sendRequest(answeringRequest, { uri, position });
    if (mine !== asked) return; // the cursor is elsewhere by now
    for (const other of vscode.window.visibleTextEditors) {
      const here = other === editor ? [] : found.filter((one) => isOf(client, one, other));
      const lit = places(client, other.document, here);
      for (const [light, type] of types) decorate(other, type, lit[light]);
      answered.fire({ editor: other, place: lit.exact[0]?.end });
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
    ...types.map(([, type]) => type),
    subscription,
    new vscode.Disposable(() => clearTimeout(timer)),
  );
}

/** A constituent's lines without their indentation; of one that fills pages, all of it. */
function lines(document: vscode.TextDocument, whole: vscode.Range): vscode.Range[] {
  const count = whole.end.line - whole.start.line + 1;
  if (count > mostLines || whole.end.line >= document.lineCount) return [whole];
  return Array.from({ length: count }, (_, k) => document.lineAt(whole.start.line + k))
    .map(({ range, firstNonWhitespaceCharacterIndex: start }) =>
      range.with(range.start.with({ character: start })).intersection(whole),
    )
    .filter((range) => range !== undefined);
}

function places(
  client: LanguageClient,
  document: vscode.TextDocument,
  found: Answering[],
): Record<Light, vscode.Range[]> {
  const lit: Record<Light, vscode.Range[]> = { exact: [], nearest: [], whole: [] };
  const { protocol2CodeConverter: decode } = client;
  for (const { kind, range, closing, whole } of found) {
    const here = lit[kind === 'nearest' ? 'nearest' : 'exact'];
    here.push(decode.asRange(range));
    if (closing !== undefined) here.push(decode.asRange(closing));
    lit.whole.push(...lines(document, decode.asRange(whole)));
  }
  return lit;
}

function isOf(client: LanguageClient, { uri }: Answering, editor: vscode.TextEditor): boolean {
  return client.protocol2CodeConverter.asUri(uri).toString() === editor.document.uri.toString();
}
