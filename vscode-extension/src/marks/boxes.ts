// Tells missing, extra and crossing apart by boxes around what is so, as the tree panel draws them:
// dashed, thin, heavy. Drawn here and not by tokens' modifiers: themes without semantic highlighting,
// high contrast among them, would show none of it.
import * as vscode from 'vscode';
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
  const draw = (editor: vscode.TextEditor): void => {
    if (!isTreebankLanguage(editor.document.languageId)) return;
    const marks = vscode.languages.getDiagnostics(editor.document.uri);
    for (const [kind, type] of types) {
      const ranges = marks.filter((mark) => kindOf(mark, editor.document) === kind);
      editor.setDecorations(
        type,
        ranges.map(({ range }) => range),
      );
    }
  };
  for (const editor of vscode.window.visibleTextEditors) draw(editor);
  return vscode.Disposable.from(
    ...types.map(([, type]) => type),
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
  if (mark.source !== 'treelens' || mark.severity === vscode.DiagnosticSeverity.Hint)
    return undefined;
  const code = typeof mark.code === 'string' ? mark.code : '';
  const [, kind, what] = /^(missing|extra|crossing)-(.*)$/.exec(code) ?? [];
  const isThere = what !== 'bracket' || document.getText(mark.range).startsWith('(');
  return isThere ? (kind as Kind | undefined) : undefined;
}
