// Where nobody may type (by a setting, the file's permissions or a command) VS Code makes the edits
// of extensions all the same. It takes them for no changes: what is shown is not saved, cannot be
// undone, and goes with the window without a word. Such a text is put back as it is on disk.
import path from 'node:path';
import * as vscode from 'vscode';
import { isTreebankLanguage } from '../treebanks';
import { lost } from './lost';

/** Milliseconds after a change until it is seen whether it is one that can be saved. */
const pause = 300;
/** What was written so few milliseconds ago may just be being written, or read anew. */
const fresh = 2000;

export function keepReadOnly(): vscode.Disposable {
  return vscode.workspace.onDidChangeTextDocument(({ document, contentChanges, reason }) => {
    // (What is undone is as it was saved, whatever is on disk by now; nothing of a file that is
    // read-only can be.)
    const isEdit = contentChanges.length > 0 && reason === undefined;
    if (isEdit && mayBe(document)) later(document, document.version, pause);
  });
}

function mayBe(document: vscode.TextDocument): boolean {
  // (Where VS Code does not say how a file is read, what is on disk is not known.)
  const { encoding } = document as { encoding?: string };
  return (
    !document.isDirty &&
    document.uri.scheme === 'file' &&
    (encoding === 'utf8' || encoding === 'utf8bom') &&
    (isTreebankLanguage(document.languageId) || document.uri.path.endsWith('.review'))
  );
}

function later(document: vscode.TextDocument, version: number, milliseconds: number): void {
  setTimeout(() => {
    // (A file that is gone has nothing to be put back.)
    look(document, version).catch(() => undefined);
  }, milliseconds);
}

async function look(document: vscode.TextDocument, version: number): Promise<void> {
  const is = (): boolean => !document.isClosed && document.version === version && mayBe(document);
  if (!is()) return;
  const age = Date.now() - (await vscode.workspace.fs.stat(document.uri)).mtime;
  if (age >= 0 && age < fresh) {
    later(document, version, fresh);
    return;
  }
  const onDisk = new TextDecoder().decode(await vscode.workspace.fs.readFile(document.uri));
  const lineEnd = document.eol === vscode.EndOfLine.LF ? '\n' : '\r\n';
  const found = is() ? lost(document.getText(), onDisk, lineEnd) : undefined;
  if (found === undefined) return;
  const [start, end] = [document.positionAt(found.start), document.positionAt(found.end)];
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(start, end), found.text);
  await vscode.workspace.applyEdit(edit);
  // (One that can be saved was not read-only: VS Code had not seen what is on disk.)
  if (document.isDirty) return;
  const name = path.basename(document.uri.fsPath);
  void vscode.window.showWarningMessage(`${name} is read-only here: nothing was changed in it.`);
}
