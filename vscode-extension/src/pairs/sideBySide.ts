// "Open Pair Side by Side": gold on the left, a system on the right, from whichever is open.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { openPair } from './compare';
import type { PairStatus } from '../protocol';
import { isSame, tabsOf } from '../showDocument';
import { shownEditor, type StatusBar } from './statusBar';

export async function openPairSideBySide(status: StatusBar): Promise<void> {
  const here = shownEditor()?.document.uri;
  const pairs = here === undefined ? [] : await status.pairsSoonOf(here);
  const pair = pairs.length > 1 ? await pick(pairs, here) : pairs[0];
  if (here === undefined || pairs.length === 0) {
    const choice = await vscode.window.showInformationMessage(
      'This file is compared with no other. Choose one with “Compare with…”.',
      'Compare with…',
    );
    if (choice !== undefined) await vscode.commands.executeCommand('treelens.compareWith');
    return;
  }
  if (pair === undefined) return;
  const [gold, system] = [vscode.Uri.parse(pair.gold), vscode.Uri.parse(pair.system)];
  await openPair(gold, system, isSame(gold, here) ? gold : system);
  await closeElsewhere(gold, vscode.ViewColumn.One);
  await closeElsewhere(system, vscode.ViewColumn.Two);
}

async function pick(
  pairs: PairStatus[],
  here: vscode.Uri | undefined,
): Promise<PairStatus | undefined> {
  const items = pairs.map((pair) => {
    const sides = [vscode.Uri.parse(pair.gold), vscode.Uri.parse(pair.system)];
    const other = sides.find((uri) => uri.toString() !== here?.toString());
    return {
      label: path.posix.basename(other?.path ?? ''),
      description: pair.score,
      detail: other === undefined ? '' : vscode.workspace.asRelativePath(other),
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
