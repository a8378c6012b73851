import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { pythonIn, runPython } from '../../src/server/python';

const python = process.platform === 'win32' ? 'python' : 'python3';

describe('Python', () => {
  const before = { folder: process.cwd(), home: process.env.HOME };
  let folder = '';

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'treelens-'));
    for (const name of ['venv.py', 'pip.py', 'treelens_server.py'])
      fs.writeFileSync(path.join(folder, name), 'print("taken")\n');
    process.chdir(folder);
    process.env.HOME = folder; // (in which it is started)
  });

  afterEach(() => {
    process.chdir(before.folder);
    if (before.home === undefined) delete process.env.HOME;
    else process.env.HOME = before.home;
    fs.rmSync(folder, { recursive: true });
  });

  it('takes no module from the current folder, nor from the one it is started in', async function () {
    this.timeout(60_000);
    for (const args of [
      ['-c', 'import venv; print(venv.__file__)'],
      ['-m', 'venv', '--help'],
      ['-c', 'import importlib.util; print(importlib.util.find_spec("treelens_server"))'],
    ]) {
      const { stdout } = await runPython(python, args);
      assert.ok(!stdout.includes('taken') && !stdout.includes(folder), args.join(' '));
    }
  });
});

describe('The Python of an environment', () => {
  it('is where the system has it', () => {
    assert.equal(
      pythonIn('C:\\Users\\a b\\env', 'win32'),
      'C:\\Users\\a b\\env\\Scripts\\python.exe',
    );
    for (const system of ['linux', 'darwin'])
      assert.equal(pythonIn('/home/a b/env', system), '/home/a b/env/bin/python');
  });
});

describe('The extension', () => {
  it('starts programs in two places only, each with a safe path', () => {
    const sources = fs
      .readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'));
    assert.ok(sources.length > 20);
    const starting = sources.filter((name) =>
      /child_process|asModule/.test(fs.readFileSync(path.join('src', name), 'utf8')),
    );
    assert.deepEqual(starting.map((name) => path.basename(name)).sort(), [
      'discovery.ts',
      'python.ts',
    ]);
    const discovery = fs.readFileSync('src/server/discovery.ts', 'utf8');
    assert.match(discovery, /asModule = \[safePath, /);
    // What is to be typed in a terminal is run in whatever folder that is in.
    assert.match(discovery, /" \$\{safePath\} -m pip install/);
    assert.doesNotMatch(discovery, /child_process|spawn|exec\(/);
  });
});
