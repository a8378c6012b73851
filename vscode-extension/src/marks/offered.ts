import * as vscode from 'vscode';

/** As many as VS Code may ask for while a menu stands open. */
const kept = 100;

/**
 * Actions that are commands. VS Code keeps a command's arguments only as long as the list of
 * actions that it came in, which it lets go where it asks anew: what is then chosen in the menu is
 * not found, and nothing happens. Each is offered under a name of its own instead, without any.
 */
export class OfferedCommands implements vscode.Disposable {
  private readonly registered: vscode.Disposable[] = [];
  private made = 0;

  named<T extends vscode.Command | vscode.CodeAction>(actions: T[]): T[] {
    for (const action of actions) {
      if (action instanceof vscode.CodeAction && action.command?.arguments !== undefined) {
        action.command = this.name(action.command);
      }
    }
    return actions;
  }

  private name({ title, command, arguments: given = [] }: vscode.Command): vscode.Command {
    const name = `treelens.offered.${++this.made}`;
    this.registered.push(
      vscode.commands.registerCommand(name, async () =>
        vscode.commands.executeCommand(command, ...(given as unknown[])),
      ),
    );
    if (this.registered.length > kept) this.registered.shift()?.dispose();
    return { title, command: name };
  }

  dispose(): void {
    for (const one of this.registered.splice(0)) one.dispose();
  }
}
