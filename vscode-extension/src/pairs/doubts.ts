// A pair that is hardly one, told once however its files are edited: files that share no words,
// brackets against dependencies.
import * as vscode from 'vscode';
import { serverCommand, type PairStatus } from '../protocol';
import type { Server } from '../server/server';

export class Doubts {
  private readonly told = new Set<string>();

  constructor(private readonly server: Server) {}

  update(pairs: readonly PairStatus[]): void {
    for (const { gold, system, doubt } of pairs) {
      const key = `${gold} ${system}`;
      if (doubt === '' || this.told.has(key)) continue;
      this.told.add(key);
      void this.tell(doubt, system);
    }
  }

  private async tell(doubt: string, system: string): Promise<void> {
    const compare = vscode.l10n.t('Compare with…');
    const unpair = vscode.l10n.t('Unpair');
    const choice = await vscode.window.showWarningMessage(doubt, compare, unpair);
    if (choice === compare) await vscode.commands.executeCommand('treelens.compareWith');
    if (choice === unpair) await this.server.execute(serverCommand.unpair, { uri: system });
  }
}
