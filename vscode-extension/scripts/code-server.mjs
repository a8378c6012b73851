// A real VS Code in the browser, with settings and extensions of its own, for the demo and the tests.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';

/**
 * VS Code's own defaults, Git and minimap on, but for what would ask, would ask the network, or is
 * the assistant, which stands open until it is closed once: what users meet is shown and tested.
 */
export const ownSettings = {
  'security.workspace.trust.enabled': false,
  'workbench.startupEditor': 'none',
  'git.openRepositoryInParentFolders': 'always',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  // (As it has been spelled since it is no flag any more: VS Code would write `false` anew, into a
  // file that a test may be writing.)
  'extensions.autoUpdate': 'off',
  'extensions.ignoreRecommendations': true,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  // In the browser VS Code saves by itself, on the desktop it does not: undo would save, too.
  'files.autoSave': 'off',
};

/**
 * @typedef {object} Options
 * @property {string} scripts where this file's neighbours are; the tests bundle this file elsewhere
 * @property {string} [vsix] an extension to install
 * @property {Record<string, unknown>} [settings] the user's settings, over our own few
 * @property {number} [port]
 */

/**
 * @typedef {object} CodeServer
 * @property {string} origin host and port alone
 * @property {string} home what VS Code knows as its user's folders; removed by stop()
 * @property {number} group of its processes
 * @property {(folder: string) => string} url a workspace, to be opened in a browser
 * @property {() => Promise<void>} stop
 */

/**
 * @param {Options} options
 * @returns {Promise<CodeServer>}
 */
export async function startCodeServer({ scripts, vsix, settings, port }) {
  const [node = '', entry = ''] = execFileSync(path.join(scripts, 'ensure-code-server.sh'), {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).split('\n');
  const home = mkdtempSync(path.join(os.tmpdir(), 'treelens-code-'));
  const data = path.join(home, 'data');
  writeSettings(home, settings);
  const directories = ['--user-data-dir', data, '--config', path.join(home, 'config.yaml')];
  // No marketplace is asked for anything, and none of the user's own code-server is touched.
  const env = { ...process.env, HOME: home, EXTENSIONS_GALLERY: '{}' };
  // The configuration file is written here; otherwise code-server makes one with a password.
  writeFileSync(path.join(home, 'config.yaml'), 'auth: none\ncert: false\n');
  const extensions = vsix === undefined ? path.join(home, 'extensions') : `${vsix}.installed`;
  directories.push('--extensions-dir', extensions);
  // That takes seconds: once for each time that it was packed. It is complete when it has its mark.
  const mark = path.join(extensions, 'complete');
  if (vsix !== undefined && changed(mark) < changed(vsix)) {
    rmSync(extensions, { recursive: true, force: true });
    execFileSync(node, [entry, ...directories, '--install-extension', vsix], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    writeFileSync(mark, '');
  }
  const address = `127.0.0.1:${port ?? (await freePort())}`;
  const log = openSync(path.join(home, 'code-server.log'), 'w');
  const child = spawn(
    node,
    [
      ...[entry, ...directories, '--auth', 'none', '--bind-addr', address],
      ...['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'],
      ...(settings?.['security.workspace.trust.enabled'] === true
        ? []
        : ['--disable-workspace-trust']),
    ],
    // A process group of its own: it starts others, and all of them end together.
    { env, detached: true, stdio: ['ignore', log, log] },
  );
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const killAll = () => {
    signalGroup(child.pid, 'SIGKILL');
  };
  // Whatever ends this process, code-server does not stay behind.
  process.once('exit', killAll);
  const stop = async () => {
    signalGroup(child.pid, 'SIGTERM');
    const patience = setTimeout(killAll, 5000);
    await ended;
    clearTimeout(patience);
    killAll();
    process.off('exit', killAll);
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await answers(`http://${address}/healthz`, child);
  } catch (error) {
    await stop();
    throw error;
  }
  /** @param {string} folder */
  const url = (folder) => `http://${address}/?folder=${encodeURIComponent(path.resolve(folder))}`;
  return { origin: address, home, group: child.pid ?? 0, url, stop };
}

/**
 * What a window that is opened from now on has for its user's settings, over our own few.
 *
 * @param {string} home of the server
 * @param {Record<string, unknown>} [settings]
 */
export function writeSettings(home, settings) {
  const all = { ...ownSettings, ...settings };
  // What is the machine's, such as the server's path, counts in the second of these alone, and VS Code
  // may miss that it is no longer in the first: ours stands nowhere else.
  const others = Object.entries(all).filter(([name]) => !name.startsWith('treelens.'));
  for (const [scope, said] of Object.entries({ User: Object.fromEntries(others), Machine: all })) {
    const folder = path.join(home, 'data', scope);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'settings.json'), JSON.stringify(said, undefined, 2));
  }
}

/** When a file was written; before all others if there is none. @param {string} file */
function changed(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/**
 * @param {number | undefined} group
 * @param {NodeJS.Signals} signal
 */
function signalGroup(group, signal) {
  if (group === undefined) return;
  try {
    process.kill(-group, signal);
  } catch {
    // Nobody of the group is left, which is what was wanted.
  }
}

/**
 * @param {string} url
 * @param {import('node:child_process').ChildProcess} child
 */
async function answers(url, child) {
  const deadline = Date.now() + 180_000;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`code-server ended with ${child.exitCode}`);
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no answer from ${url} within three minutes`);
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        resolve(typeof address === 'object' && address ? address.port : 0);
      });
    });
  });
}
