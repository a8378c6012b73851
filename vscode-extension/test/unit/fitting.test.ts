import assert from 'node:assert/strict';
import { fitted, leftBeside } from '../../src/marks/fitting';

/** In rooms of these sizes, each line of lenses as it is seen. */
function seen(titles: string[], ...rooms: number[]): string[] {
  return rooms.map((room) => fitted(titles, room).join(' | '));
}

describe('a line of lenses in a narrow pane', () => {
  it('says what differs before it says further scores, and then less and less', () => {
    const titles = ['$(arrow-down)', 'LAS 90.91 · UAS 95.45 · TedEval 98.33 · 1 head · 1 relation'];
    assert.deepEqual(seen(titles, 40, 28, 20, 12, 6), [
      '$(arrow-down) | LAS 90.91 · UAS 95.45 · TedEval 98.33 · 1 head · 1 relation',
      '$(arrow-down) | LAS 90.91 · UAS 95.45 · 1 head · 1 relation',
      '$(arrow-down) | LAS 90.91 · 1 head · 1 relation',
      '$(arrow-down) | LAS 90.91 · 1 head…',
      '$(arrow-down) | LAS 9…',
    ]);
  });

  it('says of each of several systems at least its score', () => {
    const titles = ['bikel · F1 80.00 · TedEval 90.00 · 1 label', 'collins · F1 – · 2 missing'];
    assert.deepEqual(seen(titles, 50, 30, 24), [
      'bikel · F1 80.00 · TedEval 90.00 · 1 label | collins · F1 – · 2 missing',
      'bikel · F1 80.00 · 1 label | collins · F1 – · 2 missing',
      'bikel · F1 80.00 · 1 label | collins · F1 – · 2 mis…',
    ]);
  });

  it('leaves the last of several systems room for its name and score, and a tick where it has no mismatch', () => {
    const titles = [
      '$(arrow-down)',
      'bikel · F1 60.00 · 3 missing · 1 label · 2 extra · 2 tags',
      'charniak · F1 61.54 · 2 missing · 2 labels',
      'collins · no mismatch',
    ];
    assert.deepEqual(seen(titles, 44, 36, 28), [
      '$(arrow-down) | bikel · F1 60.00 · 3 missing · 1 label · 2 extra · 2 tags | charniak · F1 61.54… | collins ✓',
      '$(arrow-down) | bikel · F1 60.00 · 3 missing · 1 labe… | charniak · F1 61.54… | collins ✓',
      '$(arrow-down) | bikel · F1 60.00… | charniak · F1 61.54… | collins ✓',
    ]);
    const three = [
      'alpha · F1 90.91 · 1 label',
      'bravo · F1 100.00 · no mismatch',
      'charlie · F1 80.00 · 2 labels',
    ];
    assert.deepEqual(seen(three, 27), [
      'alpha · F1 90.91 · 1 label | bravo ✓ | charlie · F1 80.00…',
    ]);
  });

  it('says no score of a system that has no mismatch before it cuts what differs', () => {
    const titles = ['bikel · F1 100.00 · no mismatch', 'collins · F1 80.00 · 1 label'];
    assert.deepEqual(seen(titles, 29, 26), [
      'bikel · F1 100.00 · no mismatch | collins · F1 80.00 · 1 label',
      'bikel · no mismatch | collins · F1 80.00 · 1 label',
    ]);
  });

  it('says what differs before it says all of why a sentence is broken', () => {
    const titles = ['$(arrow-down)', 'broken: heads go round in a circle · 2 open · boris: nmod'];
    assert.deepEqual(seen(titles, 32, 24, 16.5, 15.5), [
      '$(arrow-down) | broken: heads go round in a circle · 2 open · boris: nmod',
      '$(arrow-down) | broken: heads go roun… · 2 open · boris: nmod',
      '$(arrow-down) | broken… · 2 open · boris: nmod',
      '$(arrow-down) | broken… · 2 open · boris: n…',
    ]);
    const words = 'broken: \u2068(אבג is not closed before the next tree\u2069 · 1 extra';
    assert.deepEqual(seen([words], 17), ['broken: \u2068(אבג is not close…\u2069 · 1 extra']);
  });

  it('keeps a score that has moved, and whatever is no score', () => {
    const title = 'F1 82.70, +0.31 · TedEval 90.00 · broken: (S is not closed · 12 missing';
    assert.deepEqual(seen([title], 32), [
      'F1 82.70, +0.31 · broken: (S is not closed · 12 missing',
    ]);
    assert.deepEqual(seen(['3 open · boris: xcomp'], 30), ['3 open · boris: xcomp']);
  });

  it('says what is open, and who has what there, before what is settled', () => {
    const titles = ['$(arrow-down)', '2 open · 1 settled · 1 anna ✓ · boris: +NP'];
    assert.deepEqual(seen(titles, 40, 17, 9), [
      '$(arrow-down) | 2 open · 1 settled · 1 anna ✓ · boris: +NP',
      '$(arrow-down) | 2 open · boris: +NP',
      '$(arrow-down) | 2 open · bori…',
    ]);
    assert.deepEqual(seen(['all 3 settled'], 5), ['all 3 sett…']);
  });

  it('leaves what is said later the room that the others do not take', () => {
    const title = 'F1 88.89 · 1 missing · 1 extra · 1 tag';
    const line = ['$(arrow-down)', title];
    const [arrow = '', whole = ''] = fitted(line, 17);
    assert.deepEqual(fitted([title], leftBeside([arrow, ''], 17)), [whole]);
    assert.equal(leftBeside([''], 17), 17);
    assert.equal(leftBeside(['', ''], 17), 17 / 2);
    assert.equal(leftBeside([arrow, ''], Infinity), Infinity);
  });
});
