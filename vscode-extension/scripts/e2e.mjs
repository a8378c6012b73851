// The end-to-end tests, file by file: each has a VS Code of its own. A file that fails is run once
// more from its beginning, and that is said: a browser on a busy machine loses a key now and then,
// and what is broken fails twice.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';

const folder = 'out/e2e';
const files = readdirSync(folder).filter((name) => name.endsWith('.test.js'));
const mocha = path.join('node_modules', 'mocha', 'bin', 'mocha.js');

/** @param {string} file */
function passes(file) {
  const args = [mocha, '--timeout', '180000', path.join(folder, file)];
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status === 0;
}

const broken = files
  .filter((file) => !passes(file))
  .filter((file) => {
    console.log(`\n${file} has failed, and is run once more.`);
    return !passes(file);
  });
if (broken.length > 0) {
  console.error(`\nEnd to end, twice in a row: ${broken.join(', ')}`);
  process.exit(1);
}
