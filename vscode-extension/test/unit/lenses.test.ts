import assert from 'node:assert/strict';
import { Lenses } from '../../src/marks/lenses';

const at = (...lines: number[]) => lines.map((line) => ({ range: { start: { line } } }));

describe('lenses that leave the text where it is', () => {
  it('are all shown at first, and again at the same place', () => {
    const lenses = new Lenses();
    const document = {};
    assert.deepEqual(lenses.shown(document, at(1, 2, 2, 3)), at(1, 2, 2, 3));
    assert.deepEqual(lenses.shown(document, at(1, 2, 2, 3)), at(1, 2, 2, 3));
    assert.deepEqual(lenses.shown({}, at(7, 8, 9)), at(7, 8, 9));
  });

  it('are never as many at another place', () => {
    const lenses = new Lenses();
    const document = {};
    lenses.shown(document, at(1, 2, 3));
    assert.deepEqual(lenses.shown(document, at(7, 8, 9, 9)), at(7, 8));
    assert.deepEqual(lenses.shown(document, at(17, 18, 19, 20)), at(17, 18, 19, 20));
    assert.deepEqual(lenses.shown(document, at(4, 5)), at(4));
  });

  it('are not as many as those before the last either, which may be the ones shown', () => {
    const lenses = new Lenses();
    const document = {};
    lenses.shown(document, at(1, 2, 3));
    assert.deepEqual(lenses.shown(document, at(7, 8, 9)), at(7, 8));
    assert.deepEqual(lenses.shown(document, at(7, 8, 9)), at(7, 8));
    assert.deepEqual(lenses.shown(document, at(17, 18, 19)), at(17));
  });

  it('may be none', () => {
    const lenses = new Lenses();
    assert.deepEqual(lenses.shown({}, []), []);
  });
});
