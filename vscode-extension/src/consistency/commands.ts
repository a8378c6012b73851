// What is done about what varies, by key, by button and from the palette.
import path from 'node:path';
import * as vscode from 'vscode';
import type { TreePanel } from '../picture/panel';
import { elsewhereRequest, serverCommand, type PlaceArgument } from '../protocol';
import type { Server } from '../server/server';
import { saveOrShow, showDocument } from '../showDocument';
import { VariationsView, type Node } from './view';

const agreedFile = 'treelens.consistent';

export function consistency(
  server: Server,
  tree: TreePanel,
  memory: vscode.Memento,
  here: () => PlaceArgument | undefined,
): vscode.Disposable[] {
  const view = new VariationsView(server, memory);
  const register = (id: string, action: (node?: Node) => unknown): vscode.Disposable =>
    vscode.commands.registerCommand(`treelens.${id}`, action);
  const atCursor = (command: Parameters<Server['execute']>[0]) => async (): Promise<void> => {
    const place = here();
    if (place !== undefined) await server.execute(command, place);
  };
  return [
    vscode.Disposable.from(view),
    register('findVariation', () => find(server, view)),
    register('goToNextVariation', atCursor(serverCommand.nextVariation)),
    register('goToPreviousVariation', atCursor(serverCommand.previousVariation)),
    register('goToOtherPlace', atCursor(serverCommand.otherPlace)),
    register('showOtherPlaceBeside', (node) => beside(server, tree, placeOf(node) ?? here())),
    register('openVariation', (node) => open(node)),
    register('showMoreVariations', () => view.showMore()),
    register('groupVariations', () => view.group()),
    vscode.workspace.onDidChangeTextDocument(keep),
  ];
}

async function find(server: Server, view: VariationsView): Promise<void> {
  await view.show();
  await vscode.commands.executeCommand('treelens.variations.focus', { preserveFocus: true });
  await server.execute(serverCommand.consistency, {});
}

/** The sentence there, and one that has it otherwise, in the tree panel. */
async function beside(
  server: Server,
  tree: TreePanel,
  place: PlaceArgument | undefined,
): Promise<void> {
  if (place === undefined) return;
  const other = await server.ask(elsewhereRequest, place);
  if (other == null) {
    void vscode.window.showInformationMessage('Nothing varies here.');
    return;
  }
  await tree.show(place, other);
}

async function open(node?: Node): Promise<void> {
  if (node?.kind !== 'spot') return;
  const { uri, range } = node.spot;
  const { start, end } = range;
  const selection = new vscode.Range(start.line, start.character, end.line, end.character);
  await showDocument({ uri: vscode.Uri.parse(uri), selection, takeFocus: true });
}

function placeOf(node?: Node): PlaceArgument | undefined {
  const spot = node?.kind === 'variation' ? node.variation.spots[0] : undefined;
  const found = node?.kind === 'spot' ? node.spot : spot;
  return found === undefined ? undefined : { uri: found.uri, position: found.range.start };
}

/** What is right both ways is written beside the files: whoever does not see it need not save it. */
async function keep({ document }: vscode.TextDocumentChangeEvent): Promise<void> {
  if (path.posix.basename(document.uri.path) !== agreedFile || !document.isDirty) return;
  const seen = vscode.window.visibleTextEditors.some((editor) => editor.document === document);
  if (!seen) await saveOrShow(document);
}
