// Treelens in VS Code: starts the server and wires commands to it. What the server knows is not
// known here: pairing, matching and scoring are its work alone.
import * as vscode from 'vscode';
import { consistency } from './consistency/commands';
import { adjudicate, openColumns } from './pairs/adjudicate';
import { compareWith, openPair, recogniseByText } from './pairs/compare';
import { offerExample, openExample } from './pairs/example';
import { compareWithLastCommit, compareWithRevision } from './pairs/git';
import { packedFiles } from './packed/packed';
import { TreePanel } from './picture/panel';
import { serverCommand, type PairNames, type PlaceArgument, type ServerCommand } from './protocol';
import { Server, tookCommand } from './server/server';
import { turn } from './settings';
import { showMenu } from './pairs/menu';
import { openPairSideBySide } from './pairs/sideBySide';
import { markNewSince } from './pairs/since';
import { shownEditor, StatusBar } from './pairs/statusBar';
import { Turns } from './turns';
import { WorklistCommands } from './worklist/commands';
import { List } from './worklist/list';
import { WorklistView } from './worklist/view';
import { walkthrough } from './walkthrough';
import { writingCommands } from './writing/writing';

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel('Treelens', { log: true });
  const status = new StatusBar();
  const server = new Server(context, log, status);
  const tree = new TreePanel(server, vscode.Uri.joinPath(context.extensionUri, 'dist'));
  context.subscriptions.push(
    ...[log, status, server, tree],
    ...commands(server, status, log),
    vscode.commands.registerCommand('treelens.openExample', () => openExample(context)),
    ...walkthrough(context, () => ({
      isRunning: server.trouble === undefined,
      isPaired: status.isPaired,
    })),
    ...treeCommands(tree),
    packedFiles(server),
    ...writingCommands(server, (editor) => placeOf(server, editor)),
    ...worklist(server, context.workspaceState),
    ...consistency(server, tree, context.workspaceState, () => {
      const editor = vscode.window.activeTextEditor;
      return editor === undefined ? undefined : placeOf(server, editor);
    }),
  );
  context.subscriptions.push(
    vscode.workspace.onDidGrantWorkspaceTrust(() => server.restart()),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration('treelens.server')) await server.restart();
    }),
    vscode.workspace.onDidOpenTextDocument(recogniseByText),
  );
  // While the server starts: what opens in the meantime is told to it when it is there.
  await Promise.all([
    server.restart(),
    ...vscode.workspace.textDocuments.map(recogniseByText),
    openFirstFiles(log),
  ]);
}

function commands(
  server: Server,
  status: StatusBar,
  log: vscode.LogOutputChannel,
): vscode.Disposable[] {
  const register = (id: string, action: (...args: never[]) => unknown): vscode.Disposable =>
    vscode.commands.registerCommand(`treelens.${id}`, action);
  const turns = new Turns();
  // Keys that are pressed fast mean where those before them lead.
  const atCursor = (command: ServerCommand) => async (): Promise<void> =>
    turns.take(async () => {
      // Of the walkthrough or a panel that has the focus, the text beside it is meant.
      const editor = shownEditor();
      if (editor === undefined) await offerExample();
      else await server.execute(command, placeOf(server, editor));
      await server.asked.done();
    });
  return [
    register('compareWith', async (clicked?: vscode.Uri, selected?: vscode.Uri[]) =>
      compareWith(server, clicked, selected),
    ),
    register('compareWithLastCommit', (clicked?: vscode.Uri) =>
      compareWithLastCommit(server, clicked),
    ),
    register('compareWithRevision', (clicked?: vscode.Uri) => compareWithRevision(server, clicked)),
    register('markNewSince', (names?: PairNames) => markNewSince(server, status, names)),
    register('openPairSideBySide', () => openPairSideBySide(server, status)),
    register('turnOnSynchronisedScrolling', () => turn('synchronisedScrolling', true)),
    register('turnOffSynchronisedScrolling', () => turn('synchronisedScrolling', false)),
    register('turnOnAlignedColumns', () => turn('alignedColumns', true)),
    register('turnOffAlignedColumns', () => turn('alignedColumns', false)),
    register('showUncounted', () => turn('strict', true)),
    register('hideUncounted', () => turn('strict', false)),
    register('markOnlyThisSentence', () => turn('onlyThisSentence', true)),
    register('markAllSentences', () => turn('onlyThisSentence', false)),
    register('adjudicateWith', (clicked?: vscode.Uri, selected?: vscode.Uri[]) =>
      adjudicate(server, status, clicked, selected),
    ),
    register('takeFirstHere', atCursor(serverCommand.takeFirst)),
    register('takeSecondHere', atCursor(serverCommand.takeSecond)),
    register('keepHere', atCursor(serverCommand.keepAdjudicated)),
    register('goToNextMismatch', atCursor(serverCommand.nextMismatch)),
    register('goToPreviousMismatch', atCursor(serverCommand.previousMismatch)),
    register('goToCounterpart', atCursor(serverCommand.showCounterpart)),
    register('takeGoldHere', atCursor(serverCommand.takeGold)),
    register('acceptSystemHere', atCursor(serverCommand.acceptSystem)),
    vscode.commands.registerCommand(tookCommand, () => undefined),
    register('unpairFile', atCursor(serverCommand.unpair)),
    register('checkWholeCorpus', () => server.checkCorpus()),
    register('showMenu', async () => showMenu(status)),
    register('showLog', () => log.show()),
    register('setUpServer', () => server.setUp()),
    register('choosePython', () => server.help.choosePython()),
    register('restartServer', () => server.restart()),
  ];
}

function treeCommands(tree: TreePanel): vscode.Disposable[] {
  const register = (id: string, action: (place?: PlaceArgument) => unknown): vscode.Disposable =>
    vscode.commands.registerCommand(`treelens.${id}`, action);
  return [
    // From a lens with its place; from menus with what was clicked, which is no place.
    register('showTree', (at) => tree.show(at !== undefined && 'position' in at ? at : undefined)),
    register('picture.copySvg', () => tree.copy('svg')),
    register('picture.copyPng', () => tree.copy('png')),
    register('picture.copyLatex', () => tree.copy('tex')),
    register('picture.saveAs', () => tree.saveAs()),
    register('picture.undo', () => tree.undo('undo')),
    register('picture.redo', () => tree.undo('redo')),
  ];
}

function worklist(server: Server, memory: vscode.Memento): vscode.Disposable[] {
  const list = new List(server, memory);
  const view = new WorklistView(server, list);
  return [vscode.Disposable.from(view), ...new WorklistCommands(server, list, view).register()];
}

function placeOf(server: Server, editor: vscode.TextEditor): PlaceArgument {
  const { line, character } = editor.selection.active;
  return { uri: server.asUri(editor.document.uri), position: { line, character } };
}

/** `treelens.startWith`: a folder that is about one pair, or adjudication, can open with it. */
async function openFirstFiles(log: vscode.LogOutputChannel): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const names = vscode.workspace.getConfiguration('treelens').get<string[]>('startWith', []);
  const [first, second, third] = names;
  // Whoever has editors open has made their choice.
  const anyOpen = vscode.window.tabGroups.all.some((group) => group.tabs.length > 0);
  if (folder === undefined || first === undefined || second === undefined || anyOpen) return;
  const uri = (name: string): vscode.Uri => vscode.Uri.joinPath(folder, name);
  try {
    if (third === undefined) await openPair(uri(first), uri(second), uri(first));
    else await openColumns({ first: uri(first), adjudicated: uri(second), second: uri(third) });
  } catch (error) {
    log.error(`treelens.startWith: ${String(error)}`);
  }
}
