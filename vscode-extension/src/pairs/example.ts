// The pair of files that comes with the extension, to see and to play with.
import * as vscode from 'vscode';
import { openPair } from './compare';

const names = ['garden.gold.mrg', 'garden.system.mrg'] as const;

/** Opens a fresh copy: what is done to it is nobody's loss. */
export async function openExample(context: vscode.ExtensionContext): Promise<void> {
  const from = vscode.Uri.joinPath(context.extensionUri, 'examples');
  const to = vscode.Uri.joinPath(context.globalStorageUri, 'example');
  const [gold, system] = names.map((name) => vscode.Uri.joinPath(to, name));
  if (gold === undefined || system === undefined) return;
  for (const name of names) {
    await vscode.workspace.fs.copy(vscode.Uri.joinPath(from, name), vscode.Uri.joinPath(to, name), {
      overwrite: true,
    });
  }
  await openPair(gold, system, gold);
}

/** To whoever asks for what needs a treebank where none is in view, as the walkthrough lets them. */
export async function offerExample(): Promise<void> {
  const open = vscode.l10n.t('Open Example');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('No treebank file is in view: open one, or the example.'),
    open,
  );
  if (chosen === open) await vscode.commands.executeCommand('treelens.openExample');
}
