// The walkthrough. VS Code ticks a step off when something becomes so while it is open, and then never
// again; what was so before is told to it by commands that do nothing else.
import * as vscode from 'vscode';

/** What steps wait for besides what VS Code sees by itself. */
const known = { isRunning: 'treelens.hasServer', isPaired: 'treelens.hasPair' } as const;

/** `already`: what is so when it is asked for. */
export function walkthrough(
  { extension }: vscode.ExtensionContext,
  already: () => Record<keyof typeof known, boolean>,
): vscode.Disposable[] {
  const getStarted = async (): Promise<void> => {
    const { isRunning, isPaired } = already();
    await vscode.commands.executeCommand(
      'workbench.action.openWalkthrough',
      `${extension.id}#start`,
    );
    const commands = [isRunning && known.isRunning, isPaired && known.isPaired].filter(Boolean);
    // (Of what an extension runs of its own, VS Code hears only so.)
    if (commands.length > 0) await vscode.commands.executeCommand('runCommands', { commands });
  };
  return [
    vscode.commands.registerCommand('treelens.getStarted', getStarted),
    ...Object.values(known).map((id) => vscode.commands.registerCommand(id, () => undefined)),
  ];
}
