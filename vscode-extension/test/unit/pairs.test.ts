import assert from 'node:assert/strict';
import { PairTable } from '../../src/pairs/table';
import type { PairStatus } from '../../src/protocol';

const pair = (gold: string, system: string, score = ''): PairStatus => ({
  ...{ gold, system, score, name: '', detail: '', doubt: '' },
  ...{ sentences: 1, mismatches: 0, countedOnly: false },
});

describe('the table of pairs', () => {
  let table: PairTable;
  const of = (file: string) => table.of(file).map(({ system, score }) => `${system}${score}`);

  beforeEach(() => {
    table = new PairTable((uri) => uri.toLowerCase());
    table.take({ golds: ['a', 'b'], pairs: [pair('a', 's'), pair('a', 't'), pair('b', 's')] });
  });

  it('changes what a message is about, and nothing else', () => {
    assert.deepEqual([of('a'), of('s'), of('t'), of('b')], [['s', 't'], ['s', 's'], ['t'], ['s']]);
    table.take({ golds: ['a'], pairs: [pair('a', 's', '1')] });
    assert.deepEqual([of('a'), of('s'), of('t'), of('b')], [['s1'], ['s1', 's'], [], ['s']]);
  });

  it('forgets a gold file of which there are no pairs', () => {
    table.take({ golds: ['a'], pairs: [] });
    assert.deepEqual([of('a'), of('s'), table.from('a').length], [[], ['s'], 0]);
  });

  it('takes a URI for what it is, however it is spelt', () => {
    assert.deepEqual(of('S'), ['s', 's']);
  });
});
