import assert from 'node:assert/strict';
import { Comebacks } from '../../src/server/comebacks';

describe('a server that ends by itself', () => {
  it('is started anew some times, then no more until it has lived for a while', () => {
    const comebacks = new Comebacks(2, 1000);
    const ends = [0, 10, 20, 1005, 3000];
    assert.deepEqual(
      ends.map((now) => comebacks.next(now)),
      [true, true, false, false, true],
    );
  });
});
