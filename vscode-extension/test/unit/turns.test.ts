import assert from 'node:assert/strict';
import { Turns } from '../../src/turns';

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
