import assert from 'node:assert/strict';
import { isCure } from '../../src/picture/messages';
import { nodeAt, type Picture, type PictureNode, type Place } from '../../src/picture/picture';
import { meanings } from '../../src/picture/webview/legend';
import { brought, fitted, kept, opened, zoomed } from '../../src/picture/webview/viewport';

const uri = 'file:///a.mrg';

function place(start: number, end: number, of = uri): Place {
  const range = { start: { line: 0, character: start }, end: { line: 0, character: end } };
  return { uri: of, range, selection: range, given: range, asOf: '1' };
}

function node(id: string, ...places: Place[]): PictureNode {
  return {
    ...{ id, kind: 'constituent', side: 'both', label: id, state: 'matched', description: id },
    ...{ parent: null, first: null, next: null, previous: null, foldable: false, folded: false },
    places,
  };
}

function picture(...nodes: PictureNode[]): Picture {
  return {
    ...{ version: 1, sentence: 1, title: '', svg: '', message: null, mirrored: false, at: null },
    ...{ nodes, partners: [], latex: null, gold: 'gold', system: 'system' },
  };
}

describe('the node of a picture at a point of the text', () => {
  // (S (NP a)(VP b))
  const drawn = picture(
    node('S', place(0, 16), place(0, 30, 'file:///b.mrg')),
    node('NP', place(3, 9)),
    node('VP', place(9, 15)),
  );
  const cases: [number, string | undefined][] = [
    [0, 'S'],
    [2, 'S'],
    [3, 'NP'],
    [8, 'NP'],
    [9, 'VP'],
    [15, 'S'],
    [16, undefined],
  ];
  for (const [character, id] of cases) {
    it(`is ${id ?? 'none'} at ${character}`, () => {
      assert.equal(nodeAt(drawn, uri, { line: 0, character }), id);
    });
  }

  it('is of the text that is asked about', () => {
    assert.equal(nodeAt(drawn, 'file:///b.mrg', { line: 0, character: 4 }), 'S');
    assert.equal(nodeAt(drawn, 'file:///c.mrg', { line: 0, character: 4 }), undefined);
    assert.equal(nodeAt(drawn, uri, { line: 1, character: 4 }), undefined);
  });
});

describe('the node of a table at a point of the text', () => {
  it('is the word in its row, and the arc where the arc is written', () => {
    const row = place(0, 30);
    const word = { ...node('word', row), kind: 'word' as const };
    const relation = { ...row, selection: place(20, 25).range };
    const arc = { ...node('arc', relation), kind: 'arc' as const };
    for (const drawn of [picture(word, arc), picture(arc, word)]) {
      assert.equal(nodeAt(drawn, uri, { line: 0, character: 3 }), 'word');
      assert.equal(nodeAt(drawn, uri, { line: 0, character: 21 }), 'arc');
    }
  });
});

describe('the view of a drawing', () => {
  const room = { width: 800, height: 400 };
  const large = { width: 9000, height: 700 };

  it('shows all of what is small, in the middle and not blown up', () => {
    const view = fitted({ width: 100, height: 100 }, room);
    assert.equal(view.scale, 1.25);
    assert.equal(view.x + 50 * view.scale, 400);
    assert.equal(view.y + 50 * view.scale, 200);
    assert.deepEqual(opened({ width: 100, height: 100 }, room, false), view);
  });

  it('opens what is large where reading starts, large enough to be read', () => {
    const view = opened(large, room, false);
    assert.ok(view.scale >= 0.6);
    assert.ok(view.x > 0 && view.y > 0);
    const mirrored = opened(large, room, true);
    assert.equal(mirrored.x + large.width * mirrored.scale, 800 - view.x);
    assert.ok(fitted(large, room).scale * large.width <= 800);
  });

  it('opens what is large with what is to be looked at in the middle, and no room beside it', () => {
    const box = { x: 4000, y: 600, width: 40, height: 20 };
    const view = opened(large, room, false, box);
    assert.ok(Math.abs(4020 * view.scale + view.x - 400) < 1e-9);
    assert.ok(610 * view.scale + view.y < 400 && large.height * view.scale + view.y >= 400 - 16);
    const [first, last] = [0, 8960].map((x) => opened(large, room, false, { ...box, x }));
    assert.equal(first?.x, opened(large, room, false).x);
    assert.equal(last?.x, opened(large, room, true).x);
  });

  it('magnifies about a point, which stays where it is', () => {
    const before = { x: 30, y: -40, scale: 1 };
    const about = { x: 200, y: 100 };
    const after = zoomed(before, 1.5, about);
    for (const axis of ['x', 'y'] as const) {
      const point = (about[axis] - before[axis]) / before.scale;
      assert.ok(Math.abs(point * after.scale + after[axis] - about[axis]) < 1e-9);
    }
    assert.ok(zoomed(before, 1e6, about).scale <= 4);
    assert.ok(zoomed(before, 1e-6, about).scale >= 0.05);
  });

  it('moves just so far that a box is seen', () => {
    const view = { x: 0, y: 0, scale: 2 };
    const seen = { x: 100, y: 50, width: 20, height: 20 };
    assert.deepEqual(brought(view, seen, room), view);
    const far = brought(view, { ...seen, x: 1000 }, room);
    assert.equal(far.y, 0);
    assert.ok(1020 * 2 + far.x <= 800 && 1020 * 2 + far.x > 700);
  });

  it('keeps some of the drawing in the window', () => {
    const lost = kept({ x: -1e6, y: 1e6, scale: 1 }, large, room);
    assert.ok(lost.x + large.width > 0 && lost.x < 0);
    assert.ok(lost.y < room.height);
  });
});

describe('the legend of a picture', () => {
  it('calls the sides what they are called', () => {
    const said = meanings({ gold: 'anna', system: 'boris' }, 'F1').map(([, , meaning]) => meaning);
    assert.deepEqual(said.slice(0, 3), ['anna only', 'boris only', 'anna ≠ boris']);
    assert.ok(said.every((meaning) => !/gold|system/.test(meaning)));
  });

  it('says which score does not count what is paler: another may', () => {
    const last = (score: 'F1' | 'LAS') => meanings({ gold: 'g', system: 's' }, score).at(-1)?.[2];
    assert.deepEqual([last('F1'), last('LAS')], ['not counted by F1', 'not counted by LAS']);
  });
});

describe('The page', () => {
  it('has two commands run and no other', () => {
    const sent = [
      'setUpServer',
      'restartServer',
      'pair',
      'restartServer ',
      '',
      ['restartServer'],
      {},
    ];
    assert.deepEqual([...sent, undefined, null, 0].filter(isCure), [
      'setUpServer',
      'restartServer',
    ]);
  });
});
