import assert from 'node:assert/strict';
import { notesOf } from '../../src/marks/notes';

describe('notes behind lines', () => {
  it('name the label that they are about in trees, and stand beside it in tables', () => {
    const lines = ['(S (NP (NN bird)))', '1\tbird\tbird\tNOUN'];
    const text = (line: number): string => lines[line] ?? '';
    assert.deepEqual(
      notesOf(
        [
          { line: 0, character: 6, label: '≠ADJP' },
          { line: 0, character: 10, label: '≠JJ' },
          { line: 1, character: 16, label: '≠VERB' },
        ],
        text,
      ),
      [
        { line: 0, text: 'NP≠ADJP  NN≠JJ' },
        { line: 1, text: '≠VERB' },
      ],
    );
  });

  it('are as many as have room, and say how many more there are', () => {
    const hints = Array.from({ length: 7 }, () => ({ line: 0, character: 0, label: '≠X' }));
    assert.deepEqual(
      notesOf(hints, () => ''),
      [{ line: 0, text: '≠X  ≠X  ≠X  ≠X  +3' }],
    );
  });

  it('say whose it is, of several systems and of annotators', () => {
    const notes = (labels: string[], text: string): string[] =>
      notesOf(
        labels.map((label) => ({ line: 0, character: 3, label })),
        () => text,
      ).map((note) => note.text);
    const row = '1\tbird\tbird';
    assert.deepEqual(notes(['≠“philosophical” (a.conllu)', '≠nmod (b.conllu)'], row), [
      '≠philosophi… (a.conllu)  ≠nmod (b.conllu)',
    ]);
    assert.deepEqual(notes(['boris: sailor', 'boris: nmod', 'anna: obj'], row), [
      'boris: sailor nmod  anna: obj',
    ]);
    assert.deepEqual(notes(['boris: XP'], '(VP (V go))'), ['boris: VP≠XP']);
    assert.deepEqual(notes(['only anna'], '(VP (V go))'), ['only anna']);
  });
});
