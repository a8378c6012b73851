// Going through a table field by field. A field is what stands between two tabs.
import * as vscode from 'vscode';

const columns = 10;

/** Selects the next field, or the one before, on this row or its neighbour; elsewhere, Tab is Tab. */
export async function toColumn(editor: vscode.TextEditor, step: 1 | -1): Promise<void> {
  const { document, selection } = editor;
  const number = selection.active.line;
  const here = fields(document.lineAt(number).text);
  const usual = step === 1 ? 'tab' : 'outdent';
  if (here === undefined || !selection.isSingleLine) {
    await vscode.commands.executeCommand(usual);
    return;
  }
  const current = here.findIndex(([, end]) => selection.active.character <= end);
  const target = here[current + step];
  if (target !== undefined) {
    select(editor, number, target);
    return;
  }
  const beside = number + step;
  const there =
    beside < 0 || beside >= document.lineCount ? undefined : fields(document.lineAt(beside).text);
  const first = there?.at(step === 1 ? 0 : -1);
  if (first !== undefined && (step === -1 || here.length >= columns)) select(editor, beside, first);
  else if (step === 1 && here.length < columns) await vscode.commands.executeCommand('tab');
}

/** Where the fields of a row start and end; undefined for lines that are none. */
function fields(line: string): [number, number][] | undefined {
  if (line.startsWith('#') || !line.includes('\t')) return undefined;
  let start = 0;
  return line.split('\t').map((field) => {
    const span: [number, number] = [start, start + field.length];
    start = span[1] + 1;
    return span;
  });
}

function select(editor: vscode.TextEditor, line: number, [start, end]: [number, number]): void {
  editor.selection = new vscode.Selection(line, start, line, end);
  editor.revealRange(editor.selection);
}
