import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { begun, saved, written } from '../../src/saving';

describe('a disk that is full', () => {
  it('is seen where a document that nobody looks at cannot be saved', async () => {
    for (const save of [
      () => Promise.resolve(true),
      () => Promise.resolve(false),
      () => Promise.reject(new Error('ENOSPC')),
    ]) {
      const told: string[] = [];
      const found = await saved({ save }, () => Promise.resolve(told.push('shown')));
      const done = await save().catch(() => false);
      assert.equal(found, done);
      assert.deepEqual(told, done ? [] : ['shown']);
    }
  });

  it('leaves no half of a new file, and says why', async () => {
    const disk = new Map<string, string>();
    const told: string[] = [];
    const write = (): Promise<void> => {
      disk.set('adjudicated', 'half of it');
      return Promise.reject(new Error('ENOSPC: no space left on device'));
    };
    const remove = (): Promise<void> => {
      disk.delete('adjudicated');
      return Promise.resolve();
    };
    assert.equal(await written(write, remove, (reason) => told.push(reason)), false);
    assert.deepEqual([[...disk], told], [[], ['ENOSPC: no space left on device']]);
  });

  it('may also keep the half from being removed', async () => {
    const fails = (): Promise<void> => Promise.reject(new Error('gone'));
    const told: string[] = [];
    assert.equal(await written(fails, fails, (reason) => told.push(reason)), false);
    assert.deepEqual(told, ['gone']);
    assert.ok(
      await written(
        () => Promise.resolve(),
        fails,
        () => assert.fail('written'),
      ),
    );
  });
});

describe('two windows that begin one file', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'treelens-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('lose nothing of each other, whoever comes first', async () => {
    const names = [...Array(100).keys()].map((number) => path.join(folder, `${number}.review`));
    const write = async (line: string): Promise<void> => {
      for (const name of names) {
        await begun(name);
        await appendFile(name, line);
      }
    };
    await Promise.all([write('a\n'), write('b\n')]);
    for (const name of names) {
      assert.deepEqual((await readFile(name, 'utf8')).split('\n').sort(), ['', 'a', 'b']);
    }
  });

  it('make nothing where nothing can be made', async () => {
    await begun(path.join(folder, 'no such folder', 'x.review'));
    await begun(folder);
    assert.ok((await stat(folder)).isDirectory());
  });
});
