// What is typed to filter the worklist, and back.
import assert from 'node:assert/strict';
import { doubtOf, everything, parseFilter, writeFilter } from '../../src/worklist/filter';

describe('the filter of the worklist', () => {
  it('takes out what it knows and searches for the rest', () => {
    assert.deepEqual(parseFilter('errors:2 NP score:10-80.5 is:todo the hen'), {
      query: 'NP the hen',
      show: 'todo',
      least: 2,
      low: 10,
      high: 80.5,
    });
    assert.deepEqual(parseFilter('is:worse'), { ...everything, worse: true });
    assert.deepEqual(parseFilter('score:-50'), { ...everything, high: 50 });
    assert.deepEqual(parseFilter('  '), everything);
  });

  it('searches for what only looks like a filter', () => {
    for (const text of ['is:done', 'errors:', 'score:low', 'nmod:poss', 'NP-SBJ']) {
      assert.deepEqual(parseFilter(text), { ...everything, query: text });
    }
  });

  it('says of what only looks like one that it is looked for', () => {
    const said = '“is:wrose” is no filter: it is looked for as a word';
    assert.equal(doubtOf('errors:2 is:wrose NP'), said);
    assert.match(doubtOf('score:high'), /“score:high” is no filter/);
    for (const text of ['', 'is:worse score:80- errors:2 nmod:poss', 'NP-SBJ is']) {
      assert.equal(doubtOf(text), '');
    }
  });

  it('is written as it is typed', () => {
    for (const text of ['is:question is:worse errors:3 score:0-80 PP the hen', 'score:-50', '']) {
      assert.equal(writeFilter(parseFilter(text)), text);
    }
  });
});
