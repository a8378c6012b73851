import assert from 'node:assert/strict';
import { cellsBefore, Columns, isRow, widthOf } from '../../src/tables/columns';
import { roomIn } from '../../src/tables/compact';

/** A row as it is seen, with a tab as one blank. */
function seen(text: string, columns: Columns): string {
  let shown = text;
  for (const { character, width } of columns.shown([{ line: 0, text }]).gaps.reverse()) {
    shown = shown.slice(0, character) + ' '.repeat(width) + shown.slice(character);
  }
  return shown.replaceAll('\t', ' ');
}

describe('columns', () => {
  it('begin under one another, two apart', () => {
    const columns = new Columns();
    columns.shown([
      { line: 0, text: '1\ta\tx' },
      { line: 1, text: '10\tladder\tx' },
    ]);
    assert.equal(seen('1\ta\tx', columns), '1   a       x');
    assert.equal(seen('10\tladder\tx', columns), '10  ladder  x');
    assert.equal(seen('3\t\tx', columns), '3           x');
  });

  it('stay where they are when what was wide is out of view', () => {
    const columns = new Columns();
    const before = seen('1\tladder\tx', columns);
    assert.equal(seen('1\ta\tx', columns).indexOf('x'), before.indexOf('x'));
  });

  it('are left by a field that is too wide, and taken up again if there is room', () => {
    const columns = new Columns();
    const plain = seen('1\ta\tb\tc', columns);
    assert.equal(plain, '1  a  b  c');
    const long = 'x'.repeat(60);
    assert.ok(seen(`1\t${long}\tb\tc`, columns).startsWith(`1  ${long} b `));
    assert.equal(seen('1\ta\tb\tc', columns).indexOf('b'), 3 + 20 + 2);
    assert.ok(seen('1\tCase=Nom|Number=Sing\tb\tc', new Columns()).includes('Sing b '));
  });

  it('leave attributes what heads and relations leave, but at the cursor', () => {
    const attributes = 'Case=Nom|Gender=Masc|Number=Sing|Person=3';
    const rows = [attributes, 'Case=Acc'].map((field, line) => ({
      line,
      text: `${String(line)}\tform\tlemma\tNOUN\tNN\t${field}\t12\tnsubj:pass\t_\t_`,
    }));
    const field = (rows[0]?.text ?? '').indexOf(attributes);
    const end = field + attributes.length;
    const ends = (cells: number, cursor?: number): number[] => {
      const at = cursor === undefined ? undefined : { line: 0, character: cursor };
      const shown = new Columns().shown(rows, { cells, cursor: at });
      return rows.map((row) =>
        cellsBefore(row, row.text.indexOf('nsubj:pass') + 'nsubj:pass'.length, shown),
      );
    };
    for (const cells of [70, 80, 90, 100]) {
      const [first = 0, second] = ends(cells);
      assert.ok(first <= cells);
      assert.equal(first, second, 'heads and relations stand under one another');
    }
    const [opened = 0, other = 0] = ends(70, end);
    assert.ok(opened > 70 && other <= 70);
    const { folds } = new Columns().shown(rows, { cells: 70 });
    assert.deepEqual(
      folds.map((fold) => [fold.line, fold.end, fold.ellipsis]),
      [[0, end, true]],
    );
    assert.deepEqual(new Columns().shown(rows, { cells: 200 }).folds, []);
  });

  it('leave attributes of lattices what the rest leaves, also beside other tables', () => {
    const attributes = 'gen=M|num=S|per=3|tense=PAST|HebBinyan=PIEL';
    const rows = [attributes, '_'].map((field, line) => ({
      line,
      text: `${String(line)}\t1\tform\tlemma\tVB\tVB\t${field}\t1`,
    }));
    for (const room of [undefined, roomIn(50)]) {
      const shown = new Columns().shown(rows, { cells: 50, room });
      const ends = rows.map((row) => cellsBefore(row, row.text.length, shown));
      assert.ok((ends[0] ?? 50) < 45, 'there is room for a note behind it');
      assert.equal(ends[0], ends[1], 'tokens stand under one another');
      assert.deepEqual(
        shown.folds.map((fold) => [fold.line, fold.ellipsis]),
        [[0, true]],
      );
    }
  });

  it('know of rows that are shorter, and of none', () => {
    const columns = new Columns();
    assert.equal(seen('1\ta', columns), '1  a');
    assert.deepEqual(columns.shown([]).gaps, []);
    assert.deepEqual(columns.shown([{ line: 0, text: '' }]).gaps, []);
  });

  it('count cells, not code units', () => {
    assert.equal(widthOf('𝔾𝕒'), 2);
    assert.equal(widthOf('犬が'), 4);
    assert.equal(widthOf('שָׁ'), 1);
    assert.equal(widthOf('🟡'), 2);
    assert.equal(widthOf('e\u0301'), 1);
    // Lam and alef are one sign, whatever marks they have; alef and lam are two.
    assert.deepEqual(['سلام', 'لَا', 'الأمل', 'بال'].map(widthOf), [3, 1, 4, 3]);
  });

  it('are not those of comments', () => {
    assert.ok(isRow('1\ta'));
    assert.ok(!isRow('# text\ta'));
    assert.ok(!isRow(''));
  });
});
