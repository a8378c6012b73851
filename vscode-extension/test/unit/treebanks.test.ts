import assert from 'node:assert/strict';
import manifest from '../../package.json';
import { fileGlob, guessGold, isTreebankLanguage, looksLikeTrees } from '../../src/treebanks';

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

describe('text that looks like trees', () => {
  for (const text of [
    '(S (NP (PRP I)) (VP (VBP sleep)))',
    '( (S (NP (PRP I))))',
    '((S (NP (PRP I))))',
    '\n\n# newswire, section 2\n\t(TOP (S',
    '(ip (np x))',
    '% from 2019\r\n(S (X y))',
  ]) {
    it(JSON.stringify(text), () => {
      assert.ok(looksLikeTrees(text));
    });
  }
  for (const text of ['', 'Once upon a time', '# (S', '()', '1\tI\tPRP', '[S [NP I]]']) {
    it(`not ${JSON.stringify(text)}`, () => {
      assert.ok(!looksLikeTrees(text));
    });
  }
});

describe('the manifest agrees with the code', () => {
  it('has the same languages', () => {
    const { languages } = manifest.contributes;
    assert.ok(languages.every(({ id }) => isTreebankLanguage(id)));
    assert.equal(languages.length, 2);
  });

  it('offers every file ending of the languages for comparison', () => {
    for (const ending of manifest.contributes.languages.flatMap(({ extensions }) => extensions)) {
      assert.match(fileGlob, new RegExp(`[{,]${ending.slice(1)}[,}]`), ending);
    }
  });

  it('sniffs a first line as the language says it does', () => {
    const [penn, spmrl] = manifest.contributes.languages.map(({ firstLine }) => firstLine);
    assert.match('( (S (NP', new RegExp(penn ?? ''));
    assert.doesNotMatch('(defun f (x))', new RegExp(penn ?? ''));
    assert.match('(TOP (S (NN##gen=m|num=s## x)))', new RegExp(spmrl ?? ''));
    assert.doesNotMatch('(TOP (S (NN x)))', new RegExp(spmrl ?? ''));
  });
});
