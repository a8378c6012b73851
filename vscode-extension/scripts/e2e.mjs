// The end-to-end tests: all files, or those that are named, in one browser. What fails leaves a
// picture in test-results; those that are named leave all that they take. With UNSTEADY=allowed, for
// machines whose load is not ours to choose, files that fail have a second go in a browser of their
// own; what passes only then is named at the end, to be looked into.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Mocha from 'mocha';

const folder = 'out/e2e';
const named = process.argv.slice(2);
// Many share a window: one of them speaks of it as it is before a treebank was open in it, and it is
// closed for those that need one of their own.
const first = ['worklist'];
const last = ['picture', 'setup', 'start', 'unconfigured'];
/** @param {string} file */
const turn = (file) => {
  const name = file.replace('.test.js', '');
  return Number(last.includes(name)) - Number(first.includes(name));
};
const all = readdirSync(folder)
  .filter((name) => name.endsWith('.test.js'))
  .sort((one, other) => turn(one) - turn(other) || one.localeCompare(other));
if (named.length > 0) process.env.SCREENSHOTS ??= 'all';
const mocha = new Mocha({ timeout: 900_000 });
for (const name of named.length > 0 ? named : all) mocha.addFile(path.join(folder, name));
/** What failed first, by file. @type {Map<string, { hook: string, why: string }>} */
const failed = new Map();
mocha.suite.ctx.failed = failed;
const runner = mocha.run((failures) => {
  const again = process.env.UNSTEADY === 'allowed' && failures > 0 && failed.size > 0;
  process.exitCode = again ? secondGo() : Math.min(failures, 1);
});
runner.on('fail', (/** @type {Mocha.Runnable} */ one, /** @type {Error} */ error) => {
  if (one.file === undefined || failed.has(one.file)) return;
  const hook = one instanceof Mocha.Hook ? one.fullTitle() : '';
  failed.set(one.file, { hook, why: error.stack ?? '' });
});

function secondGo() {
  const files = [...failed.keys()].map((file) => path.relative(folder, file));
  const env = { ...process.env, UNSTEADY: '' };
  const script = fileURLToPath(import.meta.url);
  const { status } = spawnSync(process.execPath, [script, ...files], { stdio: 'inherit', env });
  if (status === 0) console.error(`\nPassed only at the second go: ${files.join(', ')}`);
  return status ?? 1;
}
