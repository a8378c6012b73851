// What has come of a check of the whole corpus, and the way to what it has found.
import * as vscode from 'vscode';
import type { Outcome } from './corpus';

export async function offerProblems(outcome: Outcome): Promise<void> {
  const show = vscode.l10n.t('Show Problems');
  const choice = await vscode.window.showInformationMessage(inWords(outcome), show);
  if (choice === show) await vscode.commands.executeCommand('workbench.actions.view.problems');
}

function inWords(outcome: Outcome): string {
  switch (outcome) {
    case 'cancelled':
      return vscode.l10n.t('The check was cancelled. Problems lists what it found until then');
    case 'failed':
      return vscode.l10n.t('The check failed (“Treelens: Show Log” says why)');
    default:
      return outcome.found;
  }
}
