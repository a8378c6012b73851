// A pair by hand is over as soon as no tab shows either of its files: VS Code keeps what was shown for
// minutes, in which the server takes it for open.
import * as vscode from 'vscode';
import { shownAs } from '../packed/names';
import type { PairArgument } from '../protocol';
import { isInTab, isSame } from '../showDocument';

/** Has pairs of which the last tab is closed be ended. */
export function endShut(
  pairs: () => readonly PairArgument[],
  end: (pair: PairArgument) => void,
): vscode.Disposable {
  return vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
    if (closed.length === 0) return;
    for (const pair of pairs()) {
      if (![pair.gold, pair.system].some((uri) => isOpen(vscode.Uri.parse(uri)))) end(pair);
    }
  });
}

/** Also where its text is changed and in no tab: another extension may have done that. */
function isOpen(uri: vscode.Uri): boolean {
  const isDirty = vscode.workspace.textDocuments.some((one) => one.isDirty && isSame(one.uri, uri));
  return isDirty || isInTab(uri) || isInTab(shownAs(uri));
}
