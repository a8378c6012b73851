import assert from 'node:assert/strict';
import { CorpusCheck, type Outcome } from '../../src/pairs/corpus';

type Provide = Parameters<CorpusCheck['provide']>;

/** A check whose questions are answered by hand; a server is its token. */
class Bench {
  readonly said: Outcome[] = [];
  readonly check = new CorpusCheck(
    (outcome) => this.said.push(outcome),
    (error) => error === 'cancelled',
  );
  private readonly answers: { answer: () => void; fail: (error: unknown) => void }[] = [];

  /** As the language client does it, as long as there is this server. */
  pull(server: Server): Promise<unknown> {
    const next: Provide[3] = () =>
      new Promise((resolve, reject) => {
        this.answers.push({ answer: () => resolve({ items: [] }), fail: reject });
      });
    return this.check.provide([], server.token as unknown as Provide[1], () => undefined, next);
  }

  async asked(): Promise<number> {
    await new Promise((resolve) => setImmediate(resolve));
    return this.answers.length;
  }

  answer(at: number): void {
    this.check.tell({ found: `check ${at}` });
    this.answers[at]?.answer();
  }

  fail(at: number, error: unknown): void {
    this.answers[at]?.fail(error);
  }
}

class Server {
  private readonly listeners: (() => void)[] = [];
  readonly token = {
    isCancellationRequested: false,
    onCancellationRequested: (listener: () => void) => this.listeners.push(listener),
  };

  end(): void {
    this.token.isCancellationRequested = true;
    for (const listener of this.listeners) listener();
  }
}

describe('checking the whole corpus', () => {
  it('asks the server when somebody has asked, and says what came of it once', async () => {
    const bench = new Bench();
    void bench.pull(new Server());
    assert.equal(await bench.asked(), 0);
    bench.check.ask();
    assert.equal(await bench.asked(), 1);
    assert.equal(bench.check.isAnswered, false);
    bench.answer(0);
    assert.deepEqual(bench.said, [{ found: 'check 0' }]);
    await bench.asked();
    assert.equal(bench.check.isAnswered, true);
    bench.check.tell({ found: 'because files have changed' });
    assert.equal(bench.said.length, 1);
  });

  for (const error of ['cancelled', new Error('the connection is closed')]) {
    it(`has the next server answer what one that has gone did not (${String(error)})`, async () => {
      const [bench, first, second] = [new Bench(), new Server(), new Server()];
      const pulled = bench.pull(first);
      bench.check.ask();
      assert.equal(await bench.asked(), 1);
      first.end();
      bench.fail(0, error);
      await pulled;
      void bench.pull(second);
      assert.equal(await bench.asked(), 2);
      bench.answer(1);
      assert.deepEqual(bench.said, [{ found: 'check 1' }]);
    });
  }

  it('forgets no question because the server before it ends late', async () => {
    const [bench, first, second] = [new Bench(), new Server(), new Server()];
    bench.check.want();
    const pulled = bench.pull(first);
    assert.equal(await bench.asked(), 1);
    first.end();
    void bench.pull(second);
    bench.check.ask();
    assert.equal(await bench.asked(), 2);
    bench.fail(0, 'cancelled');
    await pulled;
    bench.answer(1);
    assert.deepEqual(bench.said, [{ found: 'check 1' }]);
  });

  it('says that it was cancelled, or has failed, while the server is there', async () => {
    const bench = new Bench();
    const server = new Server();
    for (const [at, error] of ['cancelled', new Error('out of memory')].entries()) {
      bench.check.ask();
      const pulled = bench.pull(server).catch(() => undefined);
      assert.equal(await bench.asked(), at + 1);
      bench.fail(at, error);
      await pulled;
    }
    assert.deepEqual(bench.said, ['cancelled', 'failed']);
  });
});
