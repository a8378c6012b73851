// Tells missing, extra and crossing apart by boxes around what is so, as the tree panel draws them:
// dashed, thin, heavy; and underlines what Problems does not list. Drawn here and not by tokens'
// modifiers: themes without semantic highlighting, high contrast among them, would show none of it.
import * as vscode from 'vscode';
import { decorate } from './decorating';
import { lookOf, unlistedMarks } from './listed';
import { isTreebankLanguage } from '../treebanks';

const borders = {
  missing: '1px dashed',
  extra: '1px solid',
  crossing: '2px solid',
} satisfies Record<string, string>;

type Kind = keyof typeof borders;

export function drawBoxes(): vscode.Disposable {
  const types = (Object.keys(borders) as Kind[]).map((kind) => {
    const borderColor = new vscode.ThemeColor(`treelens.${kind}`);
    const border = { border: borders[kind], borderColor, borderRadius: '2px' };
    return [kind, vscode.window.createTextEditorDecorationType(border)] as const;
  });
  const underlines = unlistedMarks();
  const draw = (editor: vscode.TextEditor): void => {
    if (!isTreebankLanguage(editor.document.languageId)) return;
    const marks = vscode.languages.getDiagnostics(editor.document.uri);
    const mark = (type: vscode.TextEditorDecorationType, of: vscode.Diagnostic[]): void =>
      decorate(
        editor,
        type,
        of.map(({ range }) => range),
      );
    for (const [kind, type] of types) {
      mark(
        type,
        marks.filter((one) => kindOf(one, editor.document) === kind),
      );
    }
    for (const [look, type] of underlines) {
      mark(
        type,
        marks.filter((one) => lookOf(one) === look),
      );
    }
  };
  for (const editor of vscode.window.visibleTextEditors) draw(editor);
  return vscode.Disposable.from(
    ...[...types, ...underlines].map(([, type]) => type),
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      const changed = new Set(uris.map(String));
      for (const editor of vscode.window.visibleTextEditors) {
        if (changed.has(editor.document.uri.toString())) draw(editor);
      }
    }),
    vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach(draw)),
  );
}

/** Which box a mark gets. What only the other file has is marked at a word here, which is no box's. */
function kindOf(mark: vscode.Diagnostic, document: vscode.TextDocument): Kind | undefined {
  const isPale = mark.severity === vscode.DiagnosticSeverity.Hint && lookOf(mark) === undefined;
  if (mark.source !== 'treelens' || isPale) return undefined;
  const code = typeof mark.code === 'string' ? mark.code : '';
  const [, kind, what] = /^(missing|extra|crossing)-(.*)$/.exec(code) ?? [];
  const isThere = what !== 'bracket' || document.getText(mark.range).startsWith('(');
  return isThere ? (kind as Kind | undefined) : undefined;
}
