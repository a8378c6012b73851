import assert from 'node:assert/strict';
import { aligned, Lenses } from '../../src/marks/lenses';

const at = (...lines: number[]) => lines.map((line) => ({ range: { start: { line } } }));

describe('lenses that leave the text where it is', () => {
  it('are all shown at first, and again at the same place', () => {
    const lenses = new Lenses();
    const document = {};
    assert.deepEqual(lenses.shown(document, at(1, 2, 2, 3), [2]), at(1, 2, 2, 3));
    assert.deepEqual(lenses.shown(document, at(1, 2, 2, 3), [2]), at(1, 2, 2, 3));
    assert.deepEqual(lenses.shown({}, at(7, 8, 9), [8]), at(7, 8, 9));
  });

  it('are never as many where others stand above the view', () => {
    const lenses = new Lenses();
    const document = {};
    lenses.shown(document, at(1, 2, 3), [2]);
    assert.deepEqual(lenses.shown(document, at(7, 8, 9, 9), [8]), at(7, 8));
    assert.deepEqual(lenses.shown(document, at(17, 18, 19, 20), [18]), at(17, 18, 19, 20));
    assert.deepEqual(lenses.shown(document, at(4, 5), [5]), at(5));
  });

  it('may be others below the view, and are as many as those as long as nothing is pushed', () => {
    const lenses = new Lenses();
    const document = {};
    lenses.shown(document, at(1, 2, 3), [2]);
    assert.deepEqual(lenses.shown(document, at(1, 2, 4), [2]), at(1, 2, 4));
  });

  it('are never as many far away, wherever the view is said to be', () => {
    const lenses = new Lenses();
    const document = {};
    lenses.shown(document, at(61, 62, 63), [62]);
    assert.deepEqual(lenses.shown(document, at(41, 42, 43), [0]), at(41, 42));
    assert.deepEqual(lenses.shown(document, at(0, 1), [0]), at(0));
  });

  it('are not as many either where one of several editors alone would be pushed', () => {
    const lenses = new Lenses();
    const document = {};
    lenses.shown(document, at(1, 2, 3, 31, 32), [2, 31]);
    assert.deepEqual(lenses.shown(document, at(1, 2, 3, 51, 52), [2, 51]), at(1, 2, 3, 51));
  });

  it('are not as many as those before the last either, which may be the ones shown', () => {
    const lenses = new Lenses();
    const document = {};
    lenses.shown(document, at(1, 2, 3), [2]);
    assert.deepEqual(lenses.shown(document, at(7, 8, 9), [8]), at(7, 8));
    assert.deepEqual(lenses.shown(document, at(7, 8, 9), [8]), at(7, 8));
    assert.deepEqual(lenses.shown(document, at(17, 18, 19), [17]), at(17));
  });

  it('are left out where they are farthest from the view: at the end of a file, those of the first', () => {
    const lenses = new Lenses();
    const document = {};
    lenses.shown(document, at(1, 2, 3, 4, 5), [1]);
    assert.deepEqual(lenses.shown(document, at(95, 96, 97, 98, 99), [98]), at(96, 97, 98, 99));
  });

  it('have their scores under one another, behind signs of the same width', () => {
    const title = (at: number, said: string, command = '') => ({
      range: { start: { line: at } },
      command: { title: said, command },
    });
    const lenses = [
      title(1, 'F1 100.00'),
      title(2, 'next ↓', 'next'),
      title(2, 'F1 90.00'),
      title(1, 'checked'),
    ];
    const blank = (like: (typeof lenses)[0], said: string) => title(like.range.start.line, said);
    const shown = aligned(lenses, 'next', blank).map(({ range, command }) => [
      range.start.line,
      command.title,
    ]);
    assert.deepEqual(shown, [
      [1, '$(dash)'],
      [1, 'F1 100.00'],
      [2, '$(arrow-down)'],
      [2, 'F1 90.00'],
      [1, 'checked'],
    ]);
    assert.deepEqual(aligned([title(1, 'F1 100.00')], 'next', blank), [title(1, 'F1 100.00')]);
  });

  it('may be none', () => {
    const lenses = new Lenses();
    assert.deepEqual(lenses.shown({}, [], [0]), []);
  });
});
