// "Adjudicate…": two annotators' files and, between them, the one in which it is settled who is
// right. What they differ in and what is settled is for the server to say.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { activeFile, pickFile, recognise, refuseOversized, treebankFiles } from './compare';
import { fileOf, shownAs, unpackedPath } from '../packed/names';
import { configuredRequest, serverCommand, type ConfiguredAdjudication } from '../protocol';
import type { Server } from '../server/server';
import { written } from '../saving';
import { exists, isSame, tabsOf } from '../showDocument';
import type { StatusBar } from './statusBar';
import { adjudicatedPath } from '../treebanks';

interface AdjudicationFiles {
  first: vscode.Uri;
  second: vscode.Uri;
  /** None: only the agreement is wanted. */
  adjudicated: vscode.Uri | undefined;
}

export async function adjudicate(
  server: Server,
  status: StatusBar,
  clicked?: vscode.Uri,
  selected?: vscode.Uri[],
): Promise<void> {
  const known = selected?.length === 2 ? undefined : status.adjudicationOf(clicked ?? activeFile());
  const files =
    known !== undefined && known.adjudicated !== ''
      ? urisOf(known)
      : await propose(server, clicked, selected);
  if (files === undefined) return;
  await openColumns(files);
  if (known?.adjudicated === files.adjudicated?.toString()) return;
  await server.execute(serverCommand.adjudicate, {
    first: server.asUri(files.first),
    second: server.asUri(files.second),
    adjudicated: files.adjudicated === undefined ? '' : server.asUri(files.adjudicated),
  });
}

function urisOf(known: ConfiguredAdjudication): AdjudicationFiles {
  return {
    first: vscode.Uri.parse(known.first),
    second: vscode.Uri.parse(known.second),
    adjudicated: known.adjudicated === '' ? undefined : vscode.Uri.parse(known.adjudicated),
  };
}

/** What `treelens.toml` says is to be adjudicated anywhere in the workspace, else any files. */
async function propose(
  server: Server,
  clicked?: vscode.Uri,
  selected?: vscode.Uri[],
): Promise<AdjudicationFiles | undefined> {
  const said = clicked === undefined ? await configured(server) : [];
  if (said.length === 0) return pick(clicked, selected);
  const name = (uri: vscode.Uri): string => vscode.workspace.asRelativePath(uri);
  const items = said.map((files) => ({
    label: `${name(files.first)} ↔ ${name(files.second)}`,
    description: files.adjudicated === undefined ? '' : `→ ${name(files.adjudicated)}`,
    files,
  }));
  const others = { label: '$(files) Choose Other Files…', alwaysShow: true };
  const line = { label: '', kind: vscode.QuickPickItemKind.Separator };
  const picked = await vscode.window.showQuickPick<
    vscode.QuickPickItem & { files?: (typeof said)[0] }
  >([{ ...line, label: 'treelens.toml' }, ...items, line, others], {
    placeHolder: 'What is to be adjudicated?',
    matchOnDescription: true,
  });
  if (picked === undefined) return undefined;
  const { files } = picked;
  if (files === undefined) return pick();
  if (files.adjudicated !== undefined && (await exists(files.adjudicated))) return files;
  const third = await pickAdjudicated(files.first, files.second, files.adjudicated);
  return third === undefined ? undefined : { ...files, ...third };
}

async function configured(server: Server): Promise<AdjudicationFiles[]> {
  await server.started();
  const uris = (await treebankFiles()).map((uri) => server.asUri(uri));
  const found = await server.ask(configuredRequest, { uris });
  return (found ?? []).map(urisOf);
}

async function pick(
  clicked?: vscode.Uri,
  selected?: vscode.Uri[],
): Promise<AdjudicationFiles | undefined> {
  const two = selected?.length === 2 ? selected : [];
  const first =
    two[0] ?? clicked ?? activeFile() ?? (await pickFile('The first annotator’s file', undefined));
  if (first === undefined) return undefined;
  const name = path.posix.basename(first.path);
  const second = two[1] ?? (await pickFile(`The second annotator’s file, beside ${name}`, first));
  if (second === undefined) return undefined;
  const third = await pickAdjudicated(first, second);
  return third === undefined ? undefined : { first, second, ...third };
}

/** The file that is there, a new copy of the first annotator's, or none yet. */
async function pickAdjudicated(
  first: vscode.Uri,
  second: vscode.Uri,
  named?: vscode.Uri,
): Promise<{ adjudicated: vscode.Uri | undefined } | undefined> {
  const items = [
    { label: '$(new-file) Create…', detail: 'As a copy of the first annotator’s file', to: 'new' },
    { label: '$(file) Choose a File…', detail: 'That has been begun already', to: 'file' },
    { label: '$(dash) None Yet', detail: 'Only show how far the two agree', to: 'none' },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    placeHolder: 'In which file is it settled who is right?',
  });
  if (picked === undefined) return undefined;
  if (picked.to === 'none') return { adjudicated: undefined };
  const adjudicated =
    picked.to === 'new'
      ? await create(first, named ?? proposed(first, second))
      : await pickFile('The adjudicated file', first);
  return adjudicated === undefined ? undefined : { adjudicated };
}

function proposed(first: vscode.Uri, second: vscode.Uri): vscode.Uri {
  const paths = [first, second].map(({ path }) => unpackedPath(path)) as [string, string];
  return fileOf(first).with({ path: adjudicatedPath(...paths) });
}

async function create(first: vscode.Uri, suggested: vscode.Uri): Promise<vscode.Uri | undefined> {
  const file = fileOf(first);
  const folder = vscode.workspace.getWorkspaceFolder(file);
  const value = folder ? vscode.workspace.asRelativePath(suggested, false) : suggested.path;
  const name = await vscode.window.showInputBox({
    title: 'Adjudicate',
    prompt: 'The file to create, as a copy of the first annotator’s',
    value,
    validateInput: (text) => (text.trim() === '' ? 'Type the name of a file' : undefined),
  });
  if (name === undefined) return undefined;
  const target = path.posix.isAbsolute(name)
    ? file.with({ path: name })
    : vscode.Uri.joinPath(folder?.uri ?? vscode.Uri.joinPath(file, '..'), name);
  if (await exists(target)) {
    const use = 'Use It as It Is';
    const message = `${path.posix.basename(target.path)} exists already and stays as it is.`;
    const choice = await vscode.window.showWarningMessage(message, { modal: true }, use);
    return choice === use ? target : undefined;
  }
  // What is typed and not saved yet is what the annotator has.
  const document = await vscode.workspace.openTextDocument(shownAs(first));
  const complete = await written(
    () => vscode.workspace.fs.writeFile(target, new TextEncoder().encode(document.getText())),
    () => vscode.workspace.fs.delete(target),
    (reason) =>
      vscode.window.showErrorMessage(
        `${path.posix.basename(target.path)} could not be written, and is not there: ${reason}`,
      ),
  );
  return complete ? target : undefined;
}

/** The annotators' files left and right of the adjudicated one, which has the focus. */
export async function openColumns({
  first,
  second,
  adjudicated,
}: AdjudicationFiles): Promise<void> {
  const columns = [first, adjudicated, second].filter((uri) => uri !== undefined).map(shownAs);
  for (const uri of columns) await refuseOversized(uri);
  const focused = adjudicated ?? shownAs(first);
  const places = [vscode.ViewColumn.One, vscode.ViewColumn.Two, vscode.ViewColumn.Three];
  const shown = columns.map((uri, at) => ({
    uri,
    viewColumn: places[at] ?? vscode.ViewColumn.Beside,
  }));
  shown.sort((one) => (isSame(one.uri, focused) ? 1 : -1));
  for (const { uri, viewColumn } of shown) {
    await closeElsewhere(uri, viewColumn);
    const document = await recognise(await vscode.workspace.openTextDocument(uri));
    await vscode.window.showTextDocument(document, { viewColumn, preview: false });
  }
}

/** What is open in another column already would be there twice. */
async function closeElsewhere(uri: vscode.Uri, viewColumn: vscode.ViewColumn): Promise<void> {
  const tabs = tabsOf(uri).filter(
    ({ group, isDirty }) => group.viewColumn !== viewColumn && !isDirty,
  );
  await vscode.window.tabGroups.close(tabs, true);
}
