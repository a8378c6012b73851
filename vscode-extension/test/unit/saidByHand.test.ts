import assert from 'node:assert/strict';
import type { ByHand } from '../../src/protocol';
import { SaidByHand, type Speaker } from '../../src/server/saidByHand';

const open = Promise.resolve();

function pairs(...golds: string[]): ByHand {
  return {
    pairs: golds.map((gold) => ({ gold, system: 'system' })),
    alone: [],
    since: [],
    together: {},
  };
}

/** What it is told, and how it speaks. */
class Spoken implements Speaker {
  readonly told: ByHand[] = [];
  say: (said: ByHand) => void = () => assert.fail('nobody hears');
  isGone = false;

  heard(hear: (said: ByHand) => void): void {
    this.say = hear;
  }

  tell(said: ByHand): Promise<void> {
    if (this.isGone) return Promise.reject(new Error('gone'));
    this.told.push(said);
    return Promise.resolve();
  }
}

async function next(said: SaidByHand): Promise<Spoken> {
  const server = new Spoken();
  said.follow(server);
  await said.tell(server, open);
  return server;
}

describe('what was said by hand', () => {
  it('is told to no server to which nothing was said', async () => {
    assert.deepEqual((await next(new SaidByHand())).told, []);
  });

  it('is told to the next one, as the last one said that it holds, and to the next but one', async () => {
    const said = new SaidByHand();
    const first = await next(said);
    first.say(pairs('a'));
    first.say(pairs('a', 'b'));
    assert.deepEqual((await next(said)).told, [pairs('a', 'b')]);
    const third = await next(said);
    assert.deepEqual(third.told, [pairs('a', 'b')]);
    third.say(pairs());
    assert.deepEqual((await next(said)).told, [pairs()]);
  });

  it('is not lost with one that fails to start, or ends when it is told', async () => {
    const said = new SaidByHand();
    (await next(said)).say(pairs('a'));
    said.follow(new Spoken());
    const gone = new Spoken();
    gone.isGone = true;
    said.follow(gone);
    await assert.rejects(said.tell(gone, open));
    assert.deepEqual((await next(said)).told, [pairs('a')]);
  });

  it('is told once documents are open, and not what the server says before is all there is', async () => {
    const said = new SaidByHand();
    const first = await next(said);
    first.say(pairs('a'));
    const second = new Spoken();
    said.follow(second);
    let end = (): void => undefined;
    const told = said.tell(second, new Promise((resolve) => (end = resolve)));
    second.say(pairs('b'));
    first.say(pairs('late'));
    assert.deepEqual(second.told, []);
    end();
    await told;
    assert.deepEqual(second.told, [pairs('a')]);
    second.say(pairs('b', 'a'));
    assert.deepEqual((await next(said)).told, [pairs('b', 'a')]);
  });

  it('is not told to one that another one has followed meanwhile', async () => {
    const said = new SaidByHand();
    (await next(said)).say(pairs('a'));
    const second = new Spoken();
    said.follow(second);
    const told = said.tell(second, open);
    const third = await next(said);
    await told;
    assert.deepEqual([second.told, third.told], [[], [pairs('a')]]);
  });
});
