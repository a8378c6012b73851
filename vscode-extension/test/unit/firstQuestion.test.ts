import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { FirstQuestion } from '../../src/marks/firstQuestion';

const many = (): number => 8_000_000;

/** What an editor takes a question back with. */
class Token extends EventEmitter {
  isCancellationRequested = false;

  onCancellationRequested = (listener: () => void) => {
    this.once('cancel', listener);
    return { dispose: () => this.off('cancel', listener) };
  };

  cancel(): void {
    this.isCancellationRequested = true;
    this.emit('cancel');
  }
}

const fail = () => assert.fail('nothing is asked again');

describe('the first question about lenses', () => {
  it('of a large document is asked anew, and taken back by that', async () => {
    const questions = new FirstQuestion(60_000);
    const document = {};
    const token = new Token();
    const times: string[] = [];
    const again = () => {
      times.push('again');
      setImmediate(() => token.cancel());
    };
    assert.equal(await questions.takenBack(document, many, token, again), true);
    assert.deepEqual(times, ['again']);
    assert.equal(await questions.takenBack(document, many, new Token(), fail), false);
    assert.equal(await questions.takenBack({}, many, token, again), true);
  });

  it('is answered where the document is small, or nothing new is asked', async () => {
    assert.equal(
      await new FirstQuestion(60_000).takenBack({}, () => 20_000, new Token(), fail),
      false,
    );
    const silent = () => undefined;
    assert.equal(await new FirstQuestion(0).takenBack({}, many, new Token(), silent), false);
  });
});
