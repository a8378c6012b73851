import assert from 'node:assert/strict';
import { saved, written } from '../../src/saving';

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
