// Settings that are turned on and off by commands; most are on unless somebody says otherwise.
import * as vscode from 'vscode';
import {
  DidChangeConfigurationNotification,
  type LanguageClient,
} from 'vscode-languageclient/node';
import { unlessOvertaken } from './turns';

export function isOn(setting: string, unsaid = true): boolean {
  return vscode.workspace.getConfiguration('treelens').get(setting, unsaid);
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

/** Tells the server what is set, at the start and whenever it changes. */
export function reportSettings(client: LanguageClient): vscode.Disposable {
  const report = (): void => {
    const hints = { heads: isOn('hints.heads', false) };
    const treelens = { strict: isOn('strict'), hints, packed: true };
    const settings = { settings: { treelens } };
    unlessOvertaken(client.sendNotification(DidChangeConfigurationNotification.type, settings));
  };
  report();
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('treelens')) report();
  });
}
