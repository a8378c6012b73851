// What the user is told and offered where there is no server, or none that works.
import * as vscode from 'vscode';
import { expand, howToInstall, setUpOwnEnvironment, whyNoServerIn } from './discovery';

/** What can be done about it, by what stands on the button. */
type Remedy = 'setUp' | 'choosePython' | 'openSettings' | 'restart' | 'showLog';

export class SetUp {
  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
    private readonly restart: () => Promise<void>,
  ) {}

  /** There is no server: a click makes one. */
  async offer(): Promise<void> {
    const message = vscode.l10n.t(
      'Treelens needs its server, a Python package that comes with this extension. Set it up in an environment of its own? (Python 3.11 or newer is needed, and for numpy and others the network.)',
    );
    const restricted = vscode.l10n.t(
      'In Restricted Mode no server of the folder itself is started.',
    );
    const remedies: Remedy[] = ['setUp', 'choosePython'];
    await this.apply(
      remedies,
      await vscode.window.showInformationMessage(
        vscode.workspace.isTrusted ? message : `${message} ${restricted}`,
        ...remedies.map(label),
      ),
    );
  }

  /** There was one, and it runs no more. */
  async offerRestart(): Promise<void> {
    await this.complain(vscode.l10n.t('The Treelens server is not running.'), 'restart');
  }

  /** What was started is there, and says nothing. */
  async offerOther(): Promise<void> {
    await this.complain(
      vscode.l10n.t('The Treelens server was started, and does not answer.'),
      'restart',
      'openSettings',
    );
  }

  /** Makes the environment of our own, then starts the server in it. */
  async run(): Promise<void> {
    try {
      await setUpOwnEnvironment(this.context, this.log);
    } catch (error) {
      this.log.error(error instanceof Error ? error : String(error));
      const reason = error instanceof Error ? error.message : String(error);
      await this.complain(
        vscode.l10n.t('Treelens could not set up its server: {0}', reason),
        'setUp',
        'choosePython',
      );
      return;
    }
    await this.restart();
  }

  /** A Python that the user has installed the server in, by its path. */
  async choosePython(): Promise<void> {
    const settings = vscode.workspace.getConfiguration('treelens.server');
    const typed = await vscode.window.showInputBox({
      title: vscode.l10n.t('Choose Python for the Treelens Server'),
      prompt: vscode.l10n.t('Path of a Python, 3.11 or newer, in which Treelens is installed'),
      placeHolder: '~/treebanks/.venv/bin/python',
      value: settings.get<string>('python', ''),
      ignoreFocusOut: true,
    });
    if (typed === undefined || typed.trim() === '') return;
    const problem = await whyNoServerIn(expand(typed));
    if (problem !== undefined) {
      await this.complain(
        vscode.l10n.t(
          'There is no Treelens in {0} ({1}). To install it: {2}',
          typed,
          problem,
          await howToInstall(this.context, expand(typed)),
        ),
        'choosePython',
      );
      return;
    }
    // A change of the setting starts the server.
    await settings.update('python', typed.trim(), vscode.ConfigurationTarget.Global);
  }

  async complain(message: string, ...remedies: Remedy[]): Promise<void> {
    const offered: Remedy[] = [...remedies, 'showLog'];
    await this.apply(offered, await vscode.window.showErrorMessage(message, ...offered.map(label)));
  }

  private async apply(offered: Remedy[], chosen: string | undefined): Promise<void> {
    const remedy = offered.find((one) => label(one) === chosen);
    switch (remedy) {
      case 'setUp':
        return this.run();
      case 'choosePython':
        return this.choosePython();
      case 'openSettings':
        await vscode.commands.executeCommand('workbench.action.openSettings', 'treelens.server');
        return;
      case 'restart':
        return this.restart();
      case 'showLog':
        this.log.show();
        return;
      case undefined: // the message was closed
    }
  }
}

function label(remedy: Remedy): string {
  switch (remedy) {
    case 'setUp':
      return vscode.l10n.t('Set Up');
    case 'choosePython':
      return vscode.l10n.t('Choose Python…');
    case 'openSettings':
      return vscode.l10n.t('Open Settings');
    case 'restart':
      return vscode.l10n.t('Restart Server');
    case 'showLog':
      return vscode.l10n.t('Show Log');
  }
}
