// Renaming as far as one likes. What a name is, and where it is used, the server knows.
import * as vscode from 'vscode';
import { renamingRequest, serverCommand, type PlaceArgument, type Renaming } from '../protocol';
import type { Server } from '../server/server';

type Scope = 'sentence' | 'file' | 'compared' | 'workspace';

const nouns: Record<string, string> = {
  xpos: 'tag',
  index: 'index',
  id: 'sentence ID',
};

export async function renameLabel(server: Server, place: PlaceArgument): Promise<void> {
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
