// What is new in a system file since an earlier version of it, or what another system has not: the
// marks say so, and the worklist has what got worse first.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { serverCommand, type PairNames, type PairStatus } from '../protocol';
import type { Server } from '../server/server';
import { pickFile } from './compare';
import { followLastCommit } from './git';
import { shownEditor, type StatusBar } from './statusBar';

type Version = 'opened' | 'commit' | 'other' | 'none' | { uri: string };
type Choice = vscode.QuickPickItem & { version: Version };

/** Commits that are followed, by the system file that is held against them. */
const followed = new Map<string, vscode.Disposable>();

/** Whether there is a version now; `names`: of the pair that is meant, else the active editor's. */
export async function markNewSince(
  server: Server,
  status: StatusBar,
  names?: PairNames,
): Promise<boolean> {
  const pair = status.pairNamed(names) ?? status.pairOf(shownEditor());
  if (pair === undefined) {
    void vscode.window.showInformationMessage(
      'Open a system file that is compared with gold: what is new in it is marked in both.',
    );
    return false;
  }
  const picked = await vscode.window.showQuickPick(choices(pair, status.rivalsOf(pair)), {
    placeHolder: `Mark what is new in ${pair.name} since…`,
  });
  return picked === undefined ? false : hold(server, pair, picked.version);
}

function choices(pair: PairStatus, rivals: readonly PairStatus[]): Choice[] {
  const others = rivals.filter((one) => one.system !== pair.system);
  return [
    { label: '$(go-to-file) It was opened', version: 'opened' },
    { label: '$(git-commit) The last commit', version: 'commit' },
    ...others.map(({ name, system, score }) => ({
      label: `$(file) ${name}`,
      description: score,
      version: { uri: system },
    })),
    { label: '$(folder-opened) Another file…', version: 'other' },
    { label: '$(close) Nothing: mark all alike', version: 'none' },
  ];
}

async function hold(server: Server, pair: PairStatus, version: Version): Promise<boolean> {
  const { gold, system } = pair;
  const say = async (called: string, old: { old?: string; text?: string } = {}): Promise<void> => {
    await server.execute(serverCommand.since, { gold, system, called, ...old });
  };
  followed.get(system)?.dispose();
  followed.delete(system);
  if (version === 'commit') {
    const file = vscode.Uri.parse(system);
    const following = await followLastCommit(file, (text) => say('the last commit', { text }));
    if (following !== undefined) followed.set(system, following);
    return following !== undefined;
  }
  if (version === 'opened') await say('it was opened');
  if (version === 'none') await say('');
  if (version === 'opened' || version === 'none') return version === 'opened';
  const title = `What is new in ${pair.name} since…`;
  const uri = version === 'other' ? await pickFile(title, vscode.Uri.parse(system)) : undefined;
  const old = version === 'other' ? uri && server.asUri(uri) : version.uri;
  if (old === undefined) return false;
  await say(path.posix.basename(vscode.Uri.parse(old).path), { old });
  return true;
}
