// Commands that help while somebody writes.
import * as vscode from 'vscode';
import { serverCommand, type PlaceArgument } from '../protocol';
import type { Server } from '../server/server';
import { toColumn } from '../tables/fields';
import { keepReadOnly } from './readOnly';
import { renameLabel } from './renaming';

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
    keepReadOnly(),
    register('renameLabel', (editor) => renameLabel(server, placeOf(editor))),
    register('renumberSentence', (editor) =>
      server.execute(serverCommand.renumber, placeOf(editor)),
    ),
    register('nextColumn', (editor) => toColumn(editor, 1)),
    register('previousColumn', (editor) => toColumn(editor, -1)),
  ];
}
