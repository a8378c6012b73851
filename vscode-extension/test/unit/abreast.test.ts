import assert from 'node:assert/strict';
import {
  beside,
  rowAbove,
  topForCursor,
  topForScroll,
  type Stop,
} from '../../src/scrolling/abreast';

/** A tree on a line here takes four rows there, and a blank one; the third is not there at all. */
const stops: Stop[] = [
  { here: 0, there: 0 },
  { here: 1, there: 5 },
  { here: 2, there: 10 },
  { here: 3, there: 10 },
  { here: 4, there: 15 },
];
const back = stops.map(({ here, there }) => ({ here: there, there: here }));

describe('rows that stand side by side', () => {
  it('are those of the stops, and between them as far on', () => {
    assert.deepEqual(
      [0, 0.4, 1, 1.8, 3, 3.5, 4].map((row) => beside(stops, row)),
      [0, 2, 5, 9, 10, 12.5, 15],
    );
  });

  it('stay where they are while what is not there goes by', () => {
    assert.deepEqual([beside(stops, 2), beside(stops, 2.9)], [10, 10]);
    assert.equal(beside(back, 10), 3);
    assert.ok((beside(back, 9.9) ?? 0) < 2);
  });

  it('are not known beyond the stops', () => {
    assert.deepEqual(
      [beside(stops, -1), beside(stops, 4.1), beside([], 0)],
      Array(3).fill(undefined),
    );
  });

  it('lead there and back', () => {
    for (const row of [0, 0.25, 1.5, 3.75]) {
      assert.equal(beside(back, beside(stops, row) ?? -1), row);
    }
  });
});

describe('what the other file is scrolled to', () => {
  const there = { top: 0, rows: 6 };

  it('is for a scroll what stands beside the first row', () => {
    assert.equal(topForScroll(stops, { top: 1, rows: 3 }), 5);
  });

  it('is nothing new for a cursor whose place is in view already', () => {
    const view = { top: 0, rows: 4, cursor: 0.5, scrolled: false };
    assert.equal(topForCursor(stops, view, there), undefined);
  });

  it('is for a scroll by the cursor the same first row, if the place is in view then', () => {
    const view = { top: 1, rows: 3, cursor: 1.5, scrolled: true };
    assert.equal(topForCursor(stops, view, there), 5);
  });

  it('is what stands beside the first row once the cursor is out of view', () => {
    const view = { top: 3.5, rows: 4, cursor: 0.5, scrolled: true };
    assert.equal(topForCursor(stops, view, there), 12.5);
  });

  it('is nothing yet for a cursor that has moved out of what is said to be in view', () => {
    const view = { top: 0, rows: 2, cursor: 3.2, scrolled: false };
    assert.equal(topForCursor(stops, view, there), undefined);
  });

  it('is else what has the place as far down as the cursor', () => {
    const view = { top: 0, rows: 4, cursor: 3.2, scrolled: false };
    const top = topForCursor(stops, view, there) ?? NaN;
    assert.ok(Math.abs(11 - top - 0.8 * 6) < 1e-9, String(top));
    assert.equal(topForCursor(stops, { ...view, cursor: 9 }, there), undefined);
  });

  it('has the numbers above the sentence that is worked on in view', () => {
    assert.equal(Math.floor(rowAbove({ line: 7, character: 0 }, 7) ?? 7), 6);
    assert.equal(rowAbove({ line: 7, character: 0 }, 8), undefined, 'another sentence');
    assert.equal(rowAbove({ line: 7, character: 0 }, undefined), undefined, 'another editor');
    assert.equal(rowAbove({ line: 7, character: 4 }, 7), undefined, 'a row in its middle');
    assert.equal(rowAbove({ line: 0, character: 0 }, 0), undefined, 'nothing is above it');
  });
});
