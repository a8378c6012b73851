import assert from 'node:assert/strict';
import { Overtaking, Turns, unlessOvertaken } from '../../src/turns';

describe('work that is asked for faster than it is done', () => {
  it('is done in the order in which it was asked for, whatever becomes of it', async () => {
    const turns = new Turns();
    const done: string[] = [];
    const first = turns.take(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      done.push('first');
      throw new Error('refused');
    });
    const second = turns.take(() => Promise.resolve(void done.push('second')));
    await assert.rejects(first, /refused/);
    await second;
    assert.deepEqual(done, ['first', 'second']);
  });

  it('does not wait for what never ends', async () => {
    const turns = new Turns(5);
    void turns.take(() => new Promise(() => undefined));
    await turns.take(() => Promise.resolve());
  });
});

describe('work of which the last that is asked for is wanted', () => {
  it('is told in the midst of it whether it still is', async () => {
    const turns = new Overtaking();
    const begun: string[] = [];
    let find = (): void => undefined;
    const first = turns.take(async (isWanted) => {
      await new Promise<void>((resolve) => (find = resolve));
      if (isWanted()) begun.push('first');
    });
    const second = turns.take((isWanted) => {
      if (isWanted()) begun.push('second');
      return Promise.reject(new Error('does not start'));
    });
    await Promise.resolve();
    find();
    await first;
    await assert.rejects(second, /does not start/);
    await turns.done();
    await turns.take((isWanted) => {
      if (isWanted()) begun.push('third');
      return Promise.resolve();
    });
    assert.deepEqual(begun, ['second', 'third']);
  });
});

describe('what may be overtaken', () => {
  it('is no error that nobody has handled', async () => {
    const unhandled: unknown[] = [];
    const hear = (why: unknown) => unhandled.push(why);
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', hear);
    try {
      unlessOvertaken(Promise.reject(new Error('Data tree node not found')));
      await new Promise((resolve) => setTimeout(resolve, 5));
      assert.deepEqual(unhandled, []);
    } finally {
      process.off('unhandledRejection', hear);
      for (const other of others) process.on('unhandledRejection', other);
    }
  });
});
