// Finds the server to start: the user's setting, then the selected Python environment, then an
// environment of our own made from the wheel inside this extension.
import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Executable } from 'vscode-languageclient/node';
import { after } from '../turns';
import { pythonIn, runPython, safePath } from './python';

/** A server that was asked for but cannot be started; the message is for the user. */
export class ServerSettingError extends Error {}

export interface FoundServer {
  origin: string;
  executable: Executable;
}

/** Milliseconds that the Python extension has to say which Python is selected. */
const patience = 60_000;

const asModule = [safePath, '-m', 'treelens', 'server', '--stdio'];

export async function findServer(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): Promise<FoundServer | undefined> {
  return (
    (await fromSettings(context)) ??
    (await fromPythonExtension(context, log)) ??
    (await fromOwnEnvironment(context))
  );
}

function found(
  context: vscode.ExtensionContext,
  origin: string,
  command: string,
  args: string[],
): FoundServer {
  const env = { ...process.env, PYTHONUNBUFFERED: '1', PYTHONUTF8: '1' };
  return { origin, executable: { command, args, options: { cwd: context.extensionPath, env } } };
}

async function fromSettings(context: vscode.ExtensionContext): Promise<FoundServer | undefined> {
  const settings = vscode.workspace.getConfiguration('treelens.server');
  const command = expand(settings.get<string>('path', ''));
  if (command !== '') {
    await fs.access(command).catch(() => {
      throw new ServerSettingError(
        vscode.l10n.t('treelens.server.path names {0}, which does not exist.', command),
      );
    });
    return found(context, `treelens.server.path: ${command}`, command, ['server', '--stdio']);
  }
  const python = expand(settings.get<string>('python', ''));
  if (python !== '') {
    const problem = await whyNoServerIn(python);
    if (problem !== undefined) {
      throw new ServerSettingError(
        vscode.l10n.t(
          'treelens.server.python names {0}, but Treelens is not installed there ({1}).',
          python,
          problem,
        ),
      );
    }
    return found(context, `treelens.server.python: ${python}`, python, asModule);
  }
  return undefined;
}

export function expand(setting: string): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  return setting
    .trim()
    .replaceAll('${workspaceFolder}', folder)
    .replace(/^~(?=[/\\]|$)/, os.homedir());
}

/** The part of the Python extension's interface that is used here. */
interface PythonExtension {
  environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { id: string; path: string };
    resolveEnvironment(
      environment: unknown,
    ): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
  };
}

async function selectedPython(): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<PythonExtension>('ms-python.python');
  if (extension === undefined) return undefined;
  const { environments } = await extension.activate();
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const environment = await environments.resolveEnvironment(
    environments.getActiveEnvironmentPath(folder),
  );
  return environment?.executable.uri?.fsPath;
}

async function fromPythonExtension(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): Promise<FoundServer | undefined> {
  // The selected environment usually lies in the workspace: its code is the workspace's code.
  if (!vscode.workspace.isTrusted) return undefined;
  try {
    const late = after(patience).then(() => Promise.reject(new Error('it took too long')));
    const python = await Promise.race([selectedPython(), late]);
    if (python === undefined) return undefined;
    const problem = await whyNoServerIn(python);
    if (problem === undefined) {
      return found(context, `selected Python environment: ${python}`, python, asModule);
    }
    log.info(`The selected Python environment ${python} has no Treelens: ${problem}`);
  } catch (error) {
    log.warn(`The Python extension did not answer: ${String(error)}`);
  }
  return undefined;
}

/** Undefined where there is a server. */
export async function whyNoServerIn(python: string): Promise<string | undefined> {
  try {
    await runPython(python, ['-c', 'import treelens_server'], { timeout: 30_000 });
    return undefined;
  } catch (error) {
    const line = lastLine(error);
    return /unknown option -P/i.test(String(error)) ? 'older than Python 3.11' : line;
  }
}

function lastLine(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message?: string };
  const text = stderr?.trim() !== '' ? stderr : message;
  return (text ?? String(error)).trim().split('\n').at(-1) ?? '';
}

// ---- an environment of our own

async function fromOwnEnvironment(
  context: vscode.ExtensionContext,
): Promise<FoundServer | undefined> {
  const wheel = await carriedWheel(context);
  if (wheel === undefined) return undefined;
  const python = pythonIn(await environmentFor(context, wheel));
  try {
    await fs.access(python);
  } catch {
    return undefined;
  }
  return found(context, `environment of the extension: ${python}`, python, asModule);
}

async function carriedWheel(context: vscode.ExtensionContext): Promise<string | undefined> {
  const folder = path.join(context.extensionPath, 'server');
  const files = await fs.readdir(folder).catch(() => []);
  const wheel = files.find((file) => file.endsWith('.whl'));
  return wheel === undefined ? undefined : path.join(folder, wheel);
}

/** Named by the wheel's content, so that extension and server can never be of different ages. */
async function environmentFor(context: vscode.ExtensionContext, wheel: string): Promise<string> {
  const digest = createHash('sha256').update(await fs.readFile(wheel));
  const name = `server-${digest.digest('hex').slice(0, 16)}`;
  return path.join(context.globalStorageUri.fsPath, name);
}

/** Makes the environment; throws with a message for the user. */
export async function setUpOwnEnvironment(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): Promise<void> {
  const wheel = await carriedWheel(context);
  if (wheel === undefined)
    throw new Error(vscode.l10n.t('this build of the extension carries no server.'));
  const target = await environmentFor(context, wheel);
  await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Setting up the Treelens server'),
      cancellable: true,
    },
    async (progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      const step = async (message: string, command: string, args: string[]): Promise<void> => {
        progress.report({ message });
        log.info(`${command} ${args.join(' ')}`);
        const { stdout } = await runPython(command, args, { signal: abort.signal });
        if (stdout.trim() !== '') log.info(stdout.trim());
      };
      try {
        const base = await basePython();
        await step(vscode.l10n.t('making a Python environment…'), base, [
          '-m',
          'venv',
          '--clear',
          target,
        ]);
        await step(vscode.l10n.t('installing…'), pythonIn(target), [
          ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'],
          wheel,
        ]);
      } catch (error) {
        // Half an environment would be taken for a whole one by the next start.
        await fs.rm(target, { recursive: true, force: true });
        if (!abort.signal.aborted) throw new Error(explained(error), { cause: error });
      }
    },
  );
  await removeOldEnvironments(context, target);
}

/** What pip says where it reaches no index; its last line then names some package and no cause. */
const unreachable =
  /No matching distribution|NewConnectionError|ConnectTimeout|ReadTimeout|ProxyError|SSLError|name resolution/;

function explained(error: unknown): string {
  const { stderr = '' } = error as { stderr?: string };
  if (!unreachable.test(stderr)) return lastLine(error);
  return vscode.l10n.t(
    'the packages that it needs (numpy and others) come from PyPI, which could not be reached. Connect to the network and try again, or choose a Python in which Treelens is installed.',
  );
}

/** What to type in a terminal to install the server that this extension carries. */
export async function howToInstall(
  context: vscode.ExtensionContext,
  python: string,
): Promise<string> {
  const wheel = (await carriedWheel(context)) ?? 'treelens';
  return `"${python}" ${safePath} -m pip install "${wheel}"`;
}

async function removeOldEnvironments(
  context: vscode.ExtensionContext,
  current: string,
): Promise<void> {
  const storage = context.globalStorageUri.fsPath;
  for (const name of await fs.readdir(storage).catch(() => [])) {
    const folder = path.join(storage, name);
    if (name.startsWith('server-') && folder !== current) {
      // Another window may still run it; then it goes next time.
      await fs.rm(folder, { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

async function basePython(): Promise<string> {
  const selected = vscode.workspace.isTrusted
    ? await selectedPython().catch(() => undefined)
    : undefined;
  const names = ['python3', 'python', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'py'];
  for (const python of selected === undefined ? names : [selected, ...names]) {
    try {
      await runPython(python, ['-c', 'import sys, venv; sys.exit(sys.version_info < (3, 11))'], {
        timeout: 30_000,
      });
      return python;
    } catch {
      continue;
    }
  }
  throw new Error(
    vscode.l10n.t(
      'no Python 3.11 or newer with the venv module was found. Install one (python.org; Debian and Ubuntu: python3 and python3-venv), or choose one that is there.',
    ),
  );
}
