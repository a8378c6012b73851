import assert from 'node:assert/strict';
import manifest from '../../package.json';
import {
  adjudicatedPath,
  byLikeness,
  fileGlob,
  fileGlobs,
  FirstOpenings,
  guessGold,
  isTreebankLanguage,
  languageIds,
  languageOf,
} from '../../src/treebanks';

describe('which of two files is gold', () => {
  const cases: [string, string, 'one' | 'other' | undefined][] = [
    ['/a/garden.gold.mrg', '/a/garden.system.mrg', 'one'],
    ['/a/garden.system.mrg', '/a/garden.gold.mrg', 'other'],
    ['/a/x.gld', '/a/x.tst', 'one'],
    ['/a/gold/x.mrg', '/a/system/x.mrg', 'one'],
    ['/a/x.mrg', '/a/gold/x.mrg', 'other'],
    ['/a/x.mrg', '/a/x.parsed.mrg', 'one'],
    ['/gold/project/x.sys.mrg', '/gold/project/x.mrg', 'other'],
    ['/a/one.mrg', '/a/two.mrg', undefined],
    ['/a/x.gold.mrg', '/a/y.gold.mrg', undefined],
    ['/a/golden.mrg', '/a/systematic.mrg', undefined],
  ];
  for (const [one, other, expected] of cases) {
    it(`${one} and ${other}: ${expected ?? 'not told by the names'}`, () => {
      assert.equal(guessGold(one, other), expected);
    });
  }
});

describe('what is proposed for a file', () => {
  const all = ['/t/dev.mrg', '/t/a.conllu', '/t/dev.parsed.conllu.gz', '/t/dev.conllu', '/t/a.mrg'];

  it('are tables for a table, and trees for trees, the nearest names first', () => {
    assert.deepEqual([...all].sort(byLikeness('/t/dev.gold.conllu')), [
      '/t/dev.conllu',
      '/t/dev.parsed.conllu.gz',
      '/t/a.conllu',
      '/t/dev.mrg',
      '/t/a.mrg',
    ]);
    assert.deepEqual([...all].sort(byLikeness('/t/a.gold.mrg')), [
      '/t/a.mrg',
      '/t/dev.mrg',
      '/t/a.conllu',
      '/t/dev.conllu',
      '/t/dev.parsed.conllu.gz',
    ]);
  });
});

describe('text that looks like a treebank', () => {
  for (const text of [
    '(S (NP (PRP I)) (VP (VBP sleep)))',
    '( (S (NP (PRP I))))',
    '((S (NP (PRP I))))',
    '\n\n# newswire, section 2\n\t(TOP (S',
    '(ip (np x))',
    '% from 2019\r\n(S (X y))',
    '(NN dog)\n(NN cat)\n',
    '(())\n(S (X y))',
    '(S\n  (NP\n    (PRP I))',
    '(S (NP the old cat) (VP sat on (NP the mat)))',
    // Broken, as treebanks are while they are written.
    '(S (X y)))) the\n(S (NP (DT a) cat) (VP (VBZ sits)))',
    '(c) 2024 by the annotators\n(S (NP (PRP I)) (VP (VBP sleep) (ADVP (RB soundly))))',
  ]) {
    it(`brackets: ${JSON.stringify(text)}`, () => {
      assert.equal(languageOf(text), 'penn-treebank');
    });
  }
  for (const [text, expected] of [
    ['# sent_id = 1\n1\tI\tI\tPRON\tPRP\t_\t0\troot\t_\t_', 'conllu'],
    ['1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\r\n1\tde', 'conllu'],
    ['1\tI\t_\tPRP\tPRP\t_\t0\tROOT\t_\t_', 'conllx'],
    ['\n1\tI\t_\tPRP\tPRP\t_\t0\tROOT', 'conllx'],
  ] as const) {
    it(`${expected}: ${JSON.stringify(text)}`, () => {
      assert.equal(languageOf(text), expected);
    });
  }
  for (const text of [
    '',
    'Once upon a time',
    '# (S',
    '()',
    '1\tI\tPRP',
    '[S [NP I]]',
    '2\ta\tb',
    '(c) 2024 by the annotators. All rights reserved.',
    '(see also chapter 2)',
    '(see chapter 2) This is a letter.',
    '(see below)\n\nDear colleagues, here is (at last) the treebank.',
    '(see (Smith 2001) for details)',
    '(see (Smith 2001, (2)))\nwhere it is said that (nearly) all trees (of this kind) have a root',
    '(1) a list\n(2) of things',
  ]) {
    it(`neither: ${JSON.stringify(text)}`, () => {
      assert.equal(languageOf(text), undefined);
    });
  }
});

describe('what is opened', () => {
  it('is known as such once, whatever becomes of its language', () => {
    const openings = new FirstOpenings();
    const [one, other] = [{ languageId: 'plaintext' }, { languageId: 'penn-treebank' }];
    assert.deepEqual([openings.has(one), openings.has(other)], [true, true]);
    [one.languageId, other.languageId] = ['penn-treebank', 'plaintext'];
    assert.deepEqual([openings.has(one), openings.has(other)], [false, false]);
    one.languageId = 'plaintext';
    assert.equal(openings.has(one), false);
    assert.equal(openings.has({ ...one }), true);
  });
});

describe('the adjudicated file', () => {
  it('is called as the annotators’ are where their names differ', () => {
    assert.equal(adjudicatedPath('/t/anna/a.mrg', '/t/boris/a.mrg'), '/t/adjudicated/a.mrg');
    assert.equal(adjudicatedPath('/t/a.anna.mrg', '/t/a.boris.mrg'), '/t/a.adjudicated.mrg');
    assert.equal(adjudicatedPath('/t/anna.mrg', '/t/boris.mrg'), '/t/adjudicated.mrg');
  });

  it('is never one of theirs', () => {
    assert.equal(adjudicatedPath('/t/a.mrg', '/t/b.c.mrg'), '/t/a.adjudicated.mrg');
    assert.equal(adjudicatedPath('/t/a.mrg', '/t/a.ptb'), '/t/a.adjudicated.mrg');
    assert.equal(adjudicatedPath('/t.d/a', '/t.d/b'), '/t.d/a.adjudicated');
  });
});

describe('the manifest agrees with the code', () => {
  it('has the same languages', () => {
    const { languages } = manifest.contributes;
    assert.ok(languages.every(({ id }) => isTreebankLanguage(id)));
    assert.equal(languages.length, languageIds.length);
  });

  it('offers every file ending of the languages for comparison', () => {
    for (const ending of manifest.contributes.languages.flatMap(({ extensions }) => extensions)) {
      assert.match(fileGlob, new RegExp(`[{,]${ending.slice(1)}[,}]`), ending);
    }
  });

  it('starts in a folder that has one of them, packed or not', () => {
    const starts = fileGlobs.map((glob) => `workspaceContains:${glob}`);
    assert.deepEqual(
      starts.filter((start) => !manifest.activationEvents.includes(start)),
      [],
    );
  });

  it('sniffs a first line as the language says it does', () => {
    const [penn, spmrl, conllu, conllx] = manifest.contributes.languages.map(
      ({ firstLine }) => firstLine,
    );
    assert.match('( (S (NP', new RegExp(penn ?? ''));
    for (const line of ['((S (NP', '(TOP', '(NN dog)']) assert.match(line, new RegExp(penn ?? ''));
    for (const line of ['(defun f (x))', '(C) 2024', '(See chapter 2)', '(Chapter 2 (of 3))']) {
      assert.doesNotMatch(line, new RegExp(penn ?? ''));
    }
    assert.match('(TOP (S (NN##gen=m|num=s## x)))', new RegExp(spmrl ?? ''));
    assert.doesNotMatch('(TOP (S (NN x)))', new RegExp(spmrl ?? ''));
    assert.match('# sent_id = a', new RegExp(conllu ?? ''));
    assert.doesNotMatch('# a heading', new RegExp(conllu ?? ''));
    assert.match('1\tI\t_\tPRP\tPRP\t_\t0\tROOT\t_\t_', new RegExp(conllx ?? ''));
    assert.doesNotMatch('1\tone\ttwo', new RegExp(conllx ?? ''));
  });
});
