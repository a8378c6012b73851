// Sets decorations where they are others than an editor has. All that VS Code tells of editors makes
// us draw, and it tells a moment late: while several are closed at once, those that it has not told of
// yet are in view still, and what is set in them is refused, with a warning in its log.
import type * as vscode from 'vscode';

type Decorated = Pick<vscode.TextEditor, 'document' | 'setDecorations'>;
type Options = readonly vscode.Range[] | readonly vscode.DecorationOptions[];

const shown = new WeakMap<Decorated, Map<vscode.TextEditorDecorationType, string>>();
const nothing = JSON.stringify([]);

export function decorate(
  editor: Decorated,
  type: vscode.TextEditorDecorationType,
  options: Options,
): void {
  const had = shown.get(editor) ?? new Map<vscode.TextEditorDecorationType, string>();
  shown.set(editor, had);
  const wanted = JSON.stringify(options);
  // (What is typed moves them, and takes some away.)
  const inThisText = `${editor.document.version} ${wanted}`;
  if (had.get(type) === inThisText || (!had.has(type) && wanted === nothing)) return;
  if (wanted === nothing) had.delete(type);
  else had.set(type, inThisText);
  editor.setDecorations(type, options);
}
