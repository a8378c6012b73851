// "Open Pair Side by Side": gold on the left, a system on the right, from whichever is open.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { openPair } from './compare';
import { pairsRequest, type PairNames } from '../protocol';
import type { Server } from '../server/server';
import { isSame, tabsOf } from '../showDocument';
import { shownEditor, type StatusBar } from './statusBar';

export async function openPairSideBySide(server: Server, status: StatusBar): Promise<void> {
  const here = shownEditor()?.document.uri;
  if (here === undefined || !(await server.isThere())) return;
  const pairs = (await server.ask(pairsRequest, { uri: server.asUri(here) })) ?? [];
  if (pairs.length === 0) {
    const choice = await vscode.window.showInformationMessage(
      'This file is compared with no other. Choose one with “Compare with…”.',
      'Compare with…',
    );
    if (choice !== undefined) await vscode.commands.executeCommand('treelens.compareWith');
    return;
  }
  const pair = pairs.length > 1 ? await pick(pairs, here, status) : pairs[0];
  if (pair === undefined) return;
  const [gold, system] = [vscode.Uri.parse(pair.gold), vscode.Uri.parse(pair.system)];
  await openPair(gold, system, isSame(gold, here) ? gold : system);
  await closeElsewhere(gold, vscode.ViewColumn.One);
  await closeElsewhere(system, vscode.ViewColumn.Two);
}

async function pick(
  pairs: PairNames[],
  here: vscode.Uri,
  status: StatusBar,
): Promise<PairNames | undefined> {
  const items = pairs.map((pair) => {
    const sides = [vscode.Uri.parse(pair.gold), vscode.Uri.parse(pair.system)];
    const other = sides.find((uri) => !isSame(uri, here));
    const label = path.posix.basename(other?.path ?? '');
    const where = other === undefined ? '' : vscode.workspace.asRelativePath(other);
    return {
      label,
      description: status.pairNamed(pair)?.score ?? '',
      ...(where === label ? {} : { detail: where }),
      pair,
    };
  });
  const placeHolder = 'Open which file beside this one?';
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.pair;
}

/** A file that has changed its side is not left behind in the other column. */
async function closeElsewhere(uri: vscode.Uri, column: vscode.ViewColumn): Promise<void> {
  const left = tabsOf(uri).filter(({ group }) => group.viewColumn !== column);
  await vscode.window.tabGroups.close(left, true);
}
