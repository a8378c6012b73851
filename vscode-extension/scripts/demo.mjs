// `make demo`: a real VS Code with files open and live; the installed one, or one in the browser.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownSettings, startCodeServer } from './code-server.mjs';

const scripts = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(scripts, '..', '..');
const folder = path.resolve(process.argv[2] ?? path.join(root, 'examples'));
const vsix = path.join(root, 'dist', 'treelens.vsix');

if (!existsSync(folder)) {
  console.error(`There is no ${folder}.`);
  process.exit(2);
}

/** @type {Record<string, unknown>} */
const settings = {
  'treelens.server.path': path.join(root, '.venv', 'bin', 'treelens'),
};
const files = firstFiles();
if (files.length > 0) settings['treelens.startWith'] = files;
else {
  console.log(
    'No files here belong together by their names: “Compare with…” pairs any two, and “Adjudicate…” ' +
      'takes two annotators’ and the one in which it is settled who is right.',
  );
}

const code = process.env.CODE ?? 'code';
await (isInstalled(code) ? demoOnDesktop() : demoInBrowser());

/** The first two files of the folder that belong together, as Treelens itself pairs them; where
 * there are none, those of the first adjudication. */
function firstFiles() {
  if (folder === path.join(root, 'examples')) return ['garden.gold.mrg', 'garden.system.mrg'];
  try {
    const script = path.join(scripts, 'first-files.py');
    const found = execFileSync(path.join(root, '.venv', 'bin', 'python'), [script, folder], {
      encoding: 'utf8',
    });
    return found === '' ? [] : found.split('\n');
  } catch (error) {
    console.error(`No pair is opened: ${String(error)}`);
    return [];
  }
}

/** @param {string} command */
function isInstalled(command) {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' });
    // Without a display the command is there, but no window can open.
    return (
      process.platform !== 'linux' || Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY)
    );
  } catch {
    return false;
  }
}

async function demoOnDesktop() {
  const home = mkdtempSync(path.join(os.tmpdir(), 'treelens-code-'));
  const data = path.join(home, 'data');
  mkdirSync(path.join(data, 'User'), { recursive: true });
  writeFileSync(
    path.join(data, 'User', 'settings.json'),
    JSON.stringify({ ...ownSettings, ...settings }),
  );
  const own = ['--user-data-dir', data, '--extensions-dir', path.join(home, 'extensions')];
  execFileSync(code, [...own, '--install-extension', vsix], { stdio: 'inherit' });
  console.log(
    `Treelens is open in VS Code with ${folder}. Close its window or press Ctrl-C to end.`,
  );
  const window = spawn(code, [...own, '--new-window', '--wait', folder], {
    stdio: 'inherit',
    detached: true,
  });
  const stop = () => {
    if (window.pid !== undefined) process.kill(-window.pid, 'SIGTERM');
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  await new Promise((resolve) => window.once('exit', resolve));
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

async function demoInBrowser() {
  // Before anything is started, so that a Ctrl-C in between leaves nothing behind.
  const interrupted = new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
    process.once('SIGHUP', resolve);
  });
  const port = process.env.PORT;
  const server = await startCodeServer({
    scripts,
    vsix,
    settings,
    ...(port === undefined ? {} : { port: Number(port) }),
  });
  console.log(
    `\n  Treelens is live at ${server.url(folder)}\n\n  Open it in a browser. Ctrl-C stops it.\n`,
  );
  await interrupted;
  await server.stop();
  console.log('Stopped.');
}
