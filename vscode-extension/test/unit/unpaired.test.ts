import assert from 'node:assert/strict';
import { Unpaired } from '../../src/pairs/unpaired';

/** A server that is asked, and answers when it is told to. */
class Asked {
  readonly files: string[] = [];
  changes = 0;
  private readonly answers: ((pairs: unknown[] | undefined) => void)[] = [];
  readonly unpaired = new Unpaired(
    (file) => {
      this.files.push(file);
      return new Promise((resolve) => this.answers.push(resolve));
    },
    () => (this.changes += 1),
  );

  async answer(pairs: unknown[] | undefined): Promise<void> {
    this.answers.shift()?.(pairs);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('that a file is not paired', () => {
  it('is known once a server has said so, which is asked once', () => {
    const asked = new Asked();
    const { unpaired } = asked;
    assert.equal(unpaired.has('a'), false);
    assert.equal(unpaired.has('a'), false);
    assert.deepEqual(asked.files, ['a']);
  });

  it('is told when it is known, and not of another file', async () => {
    const asked = new Asked();
    const { unpaired } = asked;
    unpaired.has('a');
    await asked.answer([]);
    assert.equal(asked.changes, 1);
    assert.equal(unpaired.has('a'), true);
    assert.equal(unpaired.has('b'), false);
    assert.equal(unpaired.has('a'), false);
    await asked.answer([]); // about b, which is not looked at any more
    assert.equal(unpaired.has('a'), false);
    await asked.answer([]);
    assert.equal(unpaired.has('a'), true);
    assert.deepEqual(asked.files, ['a', 'b', 'a']);
  });

  it('is not so of one that is in a pair without a score yet', async () => {
    const asked = new Asked();
    asked.unpaired.has('a');
    await asked.answer([{}]);
    assert.equal(asked.unpaired.has('a'), false);
    assert.deepEqual(asked.files, ['a']);
  });

  it('holds while it is asked again, after something has changed', async () => {
    const asked = new Asked();
    const { unpaired } = asked;
    unpaired.has('a');
    await asked.answer([]);
    unpaired.again();
    assert.equal(unpaired.has('a'), true);
    await asked.answer([{}]);
    assert.equal(unpaired.has('a'), false);
    assert.equal(asked.changes, 2);
  });

  it('is forgotten with the server, and what it has not answered counts no more', async () => {
    const asked = new Asked();
    const { unpaired } = asked;
    unpaired.has('a');
    unpaired.forget();
    await asked.answer([]);
    assert.equal(asked.changes, 0);
    assert.equal(unpaired.has('a'), false);
    await asked.answer(undefined);
    assert.equal(unpaired.has('a'), false);
    await asked.answer([]);
    assert.equal(unpaired.has('a'), true);
  });
});
