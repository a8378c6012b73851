// Numbers that come above sentences push what is below them: the cursor, which was in view, may be
// pushed out of it, and nobody has scrolled.
import * as vscode from 'vscode';
import { isTreebankLanguage } from '../treebanks';
import { topOf } from './scrolling';

/** Brings the cursor of the editor in use back where lines that came above it have pushed it out:
 * where the first row that is shown is one at which it was in view since it moved. Whoever scrolls
 * away from it has another first row. */
export function keepCursorInView(): vscode.Disposable {
  const tops = new WeakMap<vscode.TextEditor, Set<string>>();
  const look = (editor: vscode.TextEditor): void => {
    const { active } = editor.selection;
    const top = topOf(editor);
    if (top === '' || !isTreebankLanguage(editor.document.languageId)) return;
    const seen = tops.get(editor) ?? new Set();
    tops.set(editor, seen);
    if (editor.visibleRanges.some((range) => range.contains(active))) seen.add(top);
    else if (seen.has(top) && editor === vscode.window.activeTextEditor) {
      editor.revealRange(new vscode.Range(active, active));
    }
  };
  return vscode.Disposable.from(
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      tops.delete(textEditor);
      look(textEditor);
    }),
    vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => look(textEditor)),
  );
}
