import assert from 'node:assert/strict';
import {
  breakable,
  isNarrow,
  namesIn,
  notesOf,
  written,
  writtenShort,
  type Note,
} from '../../src/marks/notes';

const texts = (notes: Note[]): { line: number; text: string }[] =>
  notes.map(({ line, said }) => ({ line, text: written(said) }));

describe('notes behind lines', () => {
  it('name the label that they are about in trees, and stand beside it in tables', () => {
    const lines = ['(S (NP (NN bird)))', '1\tbird\tbird\tNOUN'];
    const text = (line: number): string => lines[line] ?? '';
    assert.deepEqual(
      texts(
        notesOf(
          [
            { line: 0, character: 6, label: '≠ADJP' },
            { line: 0, character: 10, label: '≠JJ' },
            { line: 1, character: 16, label: '≠VERB' },
          ],
          text,
        ),
      ),
      [
        { line: 0, text: 'NP≠ADJP  NN≠JJ' },
        { line: 1, text: '≠VERB' },
      ],
    );
  });

  it('are as many as have room, and say how many more there are', () => {
    const hints = Array.from({ length: 7 }, () => ({ line: 0, character: 0, label: '≠X' }));
    assert.deepEqual(texts(notesOf(hints, () => '')), [{ line: 0, text: '≠X  ≠X  ≠X  ≠X  +3' }]);
  });

  it('are broken at blanks, and not behind a name, where rows are wrapped', () => {
    const shown = breakable('NP-SBJ≠NP  boris: +NP other extent  +1');
    const parts = shown.split(' ').map((one) => one.replaceAll(/[\u200b\u2060]/g, ''));
    assert.deepEqual(parts, [
      'NP-SBJ≠NP\u00a0\u00a0',
      'boris:\u00a0+NP',
      'other',
      'extent\u00a0\u00a0',
      '+1',
    ]);
    assert.match(shown, /^\u200b/, 'before the first one too');
    assert.match(shown, /\u2060-\u2060/, 'a hyphen is no place to break');
  });

  it('say once what several systems have', () => {
    const labels = ['≠VP (collins)', '≠VP (bikel)', '≠X (bikel)', '≠VP (charniak)'];
    const hints = labels.map((label) => ({ line: 0, character: 8, label }));
    assert.deepEqual(texts(notesOf(hints, () => '(S (ADJP')), [
      { line: 0, text: 'ADJP≠VP (collins, bikel, charniak)  ADJP≠X (bikel)' },
    ]);
    const twice = labels.slice(0, 2).map((label) => ({ line: 0, character: 8, label }));
    assert.deepEqual(texts(notesOf([...twice, ...twice], () => '(S (ADJP')), [
      { line: 0, text: 'ADJP≠VP (collins, bikel)  ADJP≠VP (collins, bikel)' },
    ]);
  });

  it('has a second tag, which may be folded, with the one that it is not', () => {
    const row = '1\tbird\tbird\tNOUN\tNNS\t_';
    const said = (label: string, field: string): string =>
      notesOf([{ line: 0, character: row.indexOf(field) + field.length, label }], () => row)
        .flatMap(({ said }) => said.map(({ whose, what }) => whose + what))
        .join();
    assert.equal(said('≠NN', 'NNS'), 'NNS≠NN');
    assert.equal(said('boris: ≠NN', 'NNS'), 'boris: NNS≠NN');
    assert.equal(said('≠NN Case=X', 'NNS'), '≠NN Case=X');
    assert.equal(said('≠VERB', 'NOUN'), '≠VERB');
  });

  it('say whose it is, of several systems and of annotators', () => {
    const notes = (labels: string[], text: string): string[] =>
      texts(
        notesOf(
          labels.map((label) => ({ line: 0, character: 3, label })),
          () => text,
        ),
      ).map((note) => note.text);
    const row = '1\tbird\tbird';
    assert.deepEqual(notes(['≠“philosophical” (a.conllu)', '≠nmod (b.conllu)'], row), [
      '≠philosophi… (a.conllu)  ≠nmod (b.conllu)',
    ]);
    assert.deepEqual(notes(['boris: sailor', 'boris: nmod', 'anna: obj'], row), [
      'boris: sailor nmod  anna: obj',
    ]);
    assert.deepEqual(notes(['anna: nmod · boris: obl'], row), ['anna: nmod  boris: obl']);
    assert.deepEqual(notes(['boris: XP'], '(VP (V go))'), ['boris: VP≠XP']);
    assert.deepEqual(notes(['only anna'], '(VP (V go))'), ['only anna']);
    // More than there is stands at a word, and is nothing in the place of that.
    assert.deepEqual(notes(['boris: +XP'], '(VP (V go))'), ['boris: +XP']);
  });

  it('take the room that there is: names whole, then their beginnings, then an ellipsis', () => {
    const said = [
      { whose: 'anna: ', what: 'obj' },
      { whose: 'boris: ', what: 'nmod' },
    ];
    const names = new Set(said.map(({ whose }) => whose));
    const inCells = (cells: number, all = names): string => written(said, cells, all);
    assert.equal(writtenShort(said, names), 'a: obj  b: nmod');
    assert.equal(inCells(23), 'anna: obj  boris: nmod');
    assert.equal(inCells(21), 'a: obj  b: nmod');
    assert.equal(inCells(15), 'a: obj  b: nmod');
    assert.equal(inCells(14), 'a: obj  b: nm…');
    assert.equal(inCells(0), '…');
    assert.equal(inCells(15, new Set([...names, 'bela: '])), 'a: obj  boris:…');
    const alone = (what: string, cells: number): string =>
      written([{ whose: 'boris: ', what }], cells, new Set(['boris: ']));
    assert.deepEqual(
      [9, 8, 6, 5, 3].map((cells) => alone('advmod', cells)),
      ['b: advmod', 'advmod', 'advmod', 'advm…', 'ad…'],
    );
    assert.deepEqual(
      [8, 7, 6].map((cells) => alone('advcl:relcl', cells)),
      ['b: advc…', 'b: adv…', 'advcl…'],
    );
    assert.deepEqual([alone('CC', 5), alone('CC', 4)], ['b: CC', 'CC']);
    const numbered = [{ whose: 'annotator2: ', what: 'nmod' }];
    assert.equal(written(numbered, 9), 'a2: nmod');
    assert.equal(written([{ whose: '', what: '≠ADJ ≠Definite=…' }], 16), '≠ADJ ≠Definite=…');
    assert.equal(written([{ whose: '', what: '≠ADJ ≠Definite=…  ≠x' }], 17), '≠ADJ ≠Definite=…');
  });

  it('say all of a long field in a table where there is room, else the beginning of each', () => {
    const row = '20\tParis\tParis\tPROPN';
    const behind = (labels: string[], cells?: number): string =>
      notesOf(
        labels.map((label) => ({ line: 0, character: 5, label })),
        () => row,
      )
        .map(({ said }) => written(said, cells))
        .join();
    assert.equal(behind(['≠−Checked=Yes'], 13), '≠−Checked=Yes');
    assert.equal(behind(['≠−Checked=Yes'], 12), '≠−Checked=Y…');
    assert.equal(behind(['≠−Checked=Yes']), '≠−Checked=Y…');
    const others = ['anna: philosophical', 'anna: nmod', 'boris: obj'];
    assert.equal(behind(others, 40), 'anna: philosophical nmod  boris: obj');
    assert.equal(behind(others, 35), 'anna: philosophic… nmod  boris: obj');
    // A head that is a number is not taken for the number of a head.
    assert.equal(behind(['≠“6”', '≠“April”'], 20), '≠“6”  ≠April');
    const systems = ['≠philosophical (bikel)', '≠philosophical (collins)'];
    assert.equal(behind(systems, 40), '≠philosophical (bikel, collins)');
  });

  it('take the beginnings of systems’ names too', () => {
    const said = [{ whose: '', what: '≠VERB (bikel, collins)' }];
    const inCells = (cells: number, more: string[] = []): string => {
      const others = more.map((name) => ({ whose: '', what: `≠X (${name})` }));
      return written(said, cells, namesIn([said, others]));
    };
    assert.deepEqual(
      [22, 21, 11].map((cells) => inCells(cells)),
      ['≠VERB (bikel, collins)', '≠VERB (b, c)', '≠VERB (b, …'],
    );
    assert.equal(inCells(21, ['charniak']), '≠VERB (b, collins)');
  });

  it('take them behind wrapped trees in two columns of a small window, and in three of any', () => {
    const panes: [number, number][] = [
      [330, 2],
      [470, 2],
      [Infinity, 1],
      [Infinity, 3],
    ];
    assert.deepEqual(
      panes.map(([room, columns]) => isNarrow(room, columns)),
      [true, false, false, true],
    );
  });
});
