// Settings that are turned on and off by commands; they are on unless somebody says otherwise.
import * as vscode from 'vscode';

export function isOn(setting: string): boolean {
  return vscode.workspace.getConfiguration('treelens').get(setting, true);
}

/** For this workspace if it has a say in it, else for all. */
export async function turn(setting: string, on: boolean): Promise<void> {
  const settings = vscode.workspace.getConfiguration('treelens');
  const target =
    settings.inspect(setting)?.workspaceValue === undefined
      ? vscode.ConfigurationTarget.Global
      : vscode.ConfigurationTarget.Workspace;
  await settings.update(setting, on, target);
}
