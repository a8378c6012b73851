import assert from 'node:assert/strict';
import { Columns } from '../../src/tables/columns';
import { commonOf, foldsOf, isCompact, roomIn, type Common } from '../../src/tables/compact';

const room = roomIn(60);
const rows = [
  '1\tThe\tthe\tDET\tDT\tDefinite=Def|PronType=Art\t2\tdet\t2:det\t_',
  '2\tgardener\tgardener\tNOUN\tNN\tNumber=Sing\t3\tnsubj\t3:nsubj\t_',
  '3\tslept\tsleep\tVERB\tVBD\t_\t0\troot\t_\t_',
];
const forms = new Map([
  ['1', 'The'],
  ['2', 'gardener'],
  ['3', 'slept'],
]);

/** The rows as they are seen: folds, forms of heads and tabs drawn, a tab as one blank. */
function seen(
  texts: string[],
  cursor?: { line: number; character: number },
  { cells = 60, common, lone = false }: { cells?: number; common?: Common; lone?: boolean } = {},
): string[] {
  const room = roomIn(cells, lone ? 'elsewhere' : 'besideTables');
  const shown = new Columns().shown(
    texts.map((text, line) => ({ line, text })),
    { room, heads: () => forms, cursor, common },
  );
  return texts.map((text, line) => {
    const edits = [
      ...shown.gaps.map(({ width, ...one }) => ({
        ...one,
        end: one.character,
        put: ' '.repeat(width),
      })),
      ...shown.folds.map((one) => ({
        ...one,
        character: one.start,
        put: one.ellipsis ? '…' : '',
      })),
      ...shown.heads.map((one) => ({ ...one, end: one.character, put: ` ${one.text}` })),
    ].filter((one) => one.line === line);
    // What is put behind a head's number comes before the gap behind it.
    edits.sort((one, other) => other.character - one.character || (one.put.trim() === '' ? -1 : 1));
    let drawn = text;
    for (const { character, end, put } of edits) {
      drawn = drawn.slice(0, character) + put + drawn.slice(end);
    }
    return drawn.replaceAll('\t', ' ');
  });
}

describe('a compact table', () => {
  it('shows ID, FORM, UPOS, HEAD with its form, and DEPREL under one another', () => {
    assert.deepEqual(seen(rows), [
      '1 The…      DET…  2 gardener det…',
      '2 gardener… NOUN… 3 slept    nsubj…',
      '3 slept…    VERB… 0          root',
    ]);
  });

  it('folds nothing away but what stands between, and all of it', () => {
    for (const [line, text] of rows.entries()) {
      let rest = text;
      for (const { start, end } of (
        foldsOf(line, text.split('\t'), room, undefined) ?? []
      ).reverse()) {
        rest = rest.slice(0, start) + rest.slice(end);
      }
      const fields = text.split('\t');
      assert.equal(rest, [0, 1, 3, 6, 7].map((at) => fields[at]).join('\t'));
    }
  });

  it('opens what holds the cursor, in its row alone', () => {
    const [first = '', second] = seen(rows, { line: 0, character: rows[0]?.indexOf('Def=') ?? 0 });
    assert.ok(!first.includes('Definite'));
    const [opened = ''] = seen(rows, { line: 0, character: (rows[0] ?? '').indexOf('PronType') });
    assert.ok(opened.startsWith('1 The…      DET…Definite=Def|PronType=Art'), opened);
    assert.ok(opened.endsWith('2 gardener det…'), opened);
    assert.ok(second?.startsWith('2 gardener… NOUN… 3'));
    const line = { line: 0, character: (rows[0] ?? '').indexOf('PronType') };
    assert.deepEqual(seen(rows, line).slice(1), seen(rows).slice(1));
  });

  it('shows of a long field that is opened what is not the same in all files', () => {
    const [one, other] = [
      'Mood=Ind|Number=Sing|Tense=Past|VerbForm=Fin',
      'Mood=Ind|Tense=Pres|VerbForm=Fin',
    ];
    const common = commonOf([one, other]);
    const row = (features: string): string =>
      `1\tslept\tsleep\tVERB\tVBD\t${features}\t0\troot\t_\t_`;
    const at = (features: string): { line: number; character: number } => ({
      line: 0,
      character: row(features).indexOf(features) + features.length,
    });
    const opened = (features: string, cells: number): string =>
      seen([row(features)], at(features), { cells, common })[0] ?? '';
    assert.equal(opened(one, 39), '1 slept… VERB…Number=Sing|Tense=Past|… 0 root');
    assert.equal(opened(other, 39), '1 slept… VERB…Tense=Pres|… 0 root');
    assert.equal(opened(one, 130), `1 slept… VERB VBD…${one} 0 root`);
    // What has nothing of its own says how it begins: heads and relations are to be in view.
    assert.equal(opened('Mood=Ind', 39), '1 slept… VERB…Mood=Ind 0 root');
    const less = ['Mood=Ind|Tense=Past|VerbForm=Fin', `${one}|Voice=Act`];
    const subset = seen([row(less[0] ?? '')], at(less[0] ?? ''), {
      cells: 39,
      common: commonOf(less),
    });
    assert.equal(subset[0], '1 slept… VERB…Mood=Ind|… 0 root');
  });

  it('has a relation in view where a pane is too narrow for heads’ forms', () => {
    const [first = ''] = seen(rows, undefined, { cells: 28 });
    assert.equal(first, '1 The…  DET…  2 det…');
  });

  it('has XPOS too where no other table is beside it, and where all of them have much room', () => {
    const wanted = [
      '1 The…      DET  DT… 2 gardener det…',
      '2 gardener… NOUN NN… 3 slept    nsubj…',
      '3 slept…    VERB VBD 0          root',
    ];
    assert.deepEqual(seen(rows, undefined, { cells: 70, lone: true }), wanted);
    assert.deepEqual(seen(rows, undefined, { cells: 100 }), wanted);
    const [first = ''] = seen(rows, undefined, { cells: 50, lone: true });
    assert.ok(!first.includes('DT'), 'what is narrow has none');
    const [long = ''] = seen(['1\tx\tx\tN\tNNMS1-----A\t_\t0\troot\t_\t_'], undefined, {
      lone: true,
    });
    assert.equal(long, '1 x… N NNMS1-… 0 root');
  });

  it('shortens a form that has no room, once', () => {
    const long = `1\t${'x'.repeat(40)}\tlemma\tX\t_\t_\t0\troot\t_\t_`;
    const [text = ''] = seen([long]);
    assert.ok(text.startsWith(`1 ${'x'.repeat(room.form)}… X`), text);
  });

  it('leaves rows of other formats as they are', () => {
    assert.equal(foldsOf(0, ['1', 'a', 'b'], room, undefined), undefined);
  });

  it('is what stands alone too in a pane where relations would be out of view', () => {
    assert.deepEqual(
      [48, 98].map((cells) => isCompact(cells, true)),
      [true, false],
    );
    assert.ok(isCompact(98, false));
  });

  it('takes its widths from the pane', () => {
    assert.ok(roomIn(35).form < roomIn(60).form);
    assert.deepEqual(roomIn(300), roomIn(1000));
    assert.ok(roomIn(62).head > 'individuals'.length, 'and so has a head, in half a window');
  });

  it('lets the ID of a range reach into the form, and no further', () => {
    const range = ['12-13\tdu\t_\t_\t_\t_\t_\t_\t_\t_', '12\tjusque\tde\tADP\t_\t_\t1\tcase\t_\t_'];
    const [first = '', second = ''] = seen(range);
    assert.ok(first.startsWith('12-13 du'), first);
    assert.ok(second.startsWith('12  jusque'), second);
    assert.equal(first.lastIndexOf('_', second.indexOf('ADP')), second.indexOf('ADP'));
  });
});
