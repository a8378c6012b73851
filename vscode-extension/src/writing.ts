// What helps while somebody writes: renaming as far as one likes, numbering anew, and going through
// a table field by field. What a name is, and where it is used, the server knows; a field is what
// stands between two tabs.
import * as vscode from 'vscode';
import { renamingRequest, serverCommand, type PlaceArgument, type Renaming } from './protocol';
import type { Server } from './server';

type Scope = 'sentence' | 'file' | 'compared' | 'workspace';

const columns = 10;

export function writingCommands(
  server: Server,
  placeOf: (editor: vscode.TextEditor) => PlaceArgument,
): vscode.Disposable[] {
  const withEditor =
    (action: (editor: vscode.TextEditor) => unknown) => async (): Promise<void> => {
      const editor = vscode.window.activeTextEditor;
      if (editor !== undefined) await action(editor);
    };
  const register = (id: string, action: (editor: vscode.TextEditor) => unknown) =>
    vscode.commands.registerCommand(`treelens.${id}`, withEditor(action));
  return [
    register('renameLabel', (editor) => renameLabel(server, placeOf(editor))),
    register('renumberSentence', (editor) =>
      server.execute(serverCommand.renumber, placeOf(editor)),
    ),
    register('nextColumn', (editor) => toColumn(editor, 1)),
    register('previousColumn', (editor) => toColumn(editor, -1)),
  ];
}

// --- renaming ---------------------------------------------------------------------------------

const nouns: Record<string, string> = {
  xpos: 'tag',
  index: 'index',
  id: 'sentence ID',
};

async function renameLabel(server: Server, place: PlaceArgument): Promise<void> {
  const found = await server.ask(renamingRequest, place);
  if (found === undefined) return;
  if (found === null) {
    void vscode.window.showInformationMessage(
      'Put the cursor on a label, tag, relation, index or sentence ID, and rename again.',
    );
    return;
  }
  const what = `${nouns[found.kind] ?? found.kind} ${found.name}`;
  const scope = found.kind === 'index' ? 'sentence' : await chooseScope(found, what);
  if (scope === undefined) return;
  const newName = await vscode.window.showInputBox({
    title: `Rename ${what}`,
    value: found.name,
    prompt: prompts[scope],
    validateInput: (name) => complaint(name, found),
  });
  if (newName === undefined || newName === found.name) return;
  await server.execute(serverCommand.rename, { ...place, newName, scope });
}

const prompts: Record<Scope, string> = {
  sentence: 'In this sentence',
  file: 'In this file',
  compared: 'In this file and those it is compared with; what changes there is shown first',
  workspace: 'In all files of the workspace; what changes in others is shown first',
};

async function chooseScope(found: Renaming, what: string): Promise<Scope | undefined> {
  const items: (vscode.QuickPickItem & { scope: Scope })[] = [
    { scope: 'sentence', label: 'This sentence', description: times(found.sentence) },
    { scope: 'file', label: 'This file', description: times(found.file) },
    { scope: 'workspace', label: 'All files of the workspace', description: 'with a preview' },
  ];
  if (found.compared > 0) {
    items.splice(2, 0, {
      scope: 'compared',
      label: 'This file and those it is compared with',
      description: `${times(found.file + found.compared)}, with a preview`,
    });
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: `Rename ${what}`,
    placeHolder: 'Where?',
  });
  return picked?.scope;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count.toLocaleString('en')} times`;
}

function complaint(name: string, { kind }: Renaming): string | undefined {
  if (name.trim() === '') return 'A name cannot be empty';
  if (kind === 'index') return /^[0-9]+$/.test(name) ? undefined : 'An index is a number';
  if (kind !== 'id' && /[\s()]/.test(name)) return 'Blanks and brackets would end the name';
  return undefined;
}

// --- tables -----------------------------------------------------------------------------------

/** Selects the next field, or the one before, on this row or its neighbour; elsewhere, Tab is Tab. */
async function toColumn(editor: vscode.TextEditor, step: 1 | -1): Promise<void> {
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
