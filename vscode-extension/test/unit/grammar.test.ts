// The grammar's answers, drawn under the text: each line under a text line says which scope the
// characters above its ^ have.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { loadWASM, OnigScanner, OnigString } from 'vscode-oniguruma';
import { INITIAL, parseRawGrammar, Registry, type IGrammar } from 'vscode-textmate';

const root = path.join(__dirname, '..', '..');
const grammars: Record<string, string> = {
  'source.penn-treebank': 'syntaxes/penn-treebank.tmLanguage.json',
  'source.spmrl-brackets': 'syntaxes/spmrl-brackets.tmLanguage.json',
};

async function load(scope: string): Promise<IGrammar> {
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new OnigScanner(patterns),
      createOnigString: (text) => new OnigString(text),
    }),
    loadGrammar: (name) => {
      const file = path.join(root, grammars[name] ?? '');
      return Promise.resolve(parseRawGrammar(readFileSync(file, 'utf8'), file));
    },
  });
  const grammar = await registry.loadGrammar(scope);
  assert.ok(grammar);
  return grammar;
}

interface Scoped {
  text: string;
  scopes: string[];
}

function tokenize(grammar: IGrammar, lines: string[]): Scoped[][] {
  let state = INITIAL;
  return lines.map((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    return tokens.map(({ startIndex, endIndex, scopes }) => ({
      text: line.slice(startIndex, endIndex),
      scopes,
    }));
  });
}

/** The innermost scope's first words, of everything but spaces and brackets. */
function kinds(grammar: IGrammar, ...lines: string[]): string {
  return tokenize(grammar, lines)
    .flat()
    .filter(({ text }) => text.trim() !== '' && !/^[()]+$/.test(text))
    .map(({ text, scopes }) => `${text.trim()}:${lastWord(scopes.at(-1) ?? '')}`)
    .join(' ');
}

/** `entity.name.type.label.penn-treebank` → `label` */
function lastWord(scope: string): string {
  return scope.split('.').at(-2) ?? scope;
}

describe('grammar', () => {
  let penn: IGrammar;
  before(async () => {
    const wasm = createRequire(__filename).resolve('vscode-oniguruma/release/onig.wasm');
    await loadWASM(readFileSync(wasm));
    penn = await load('source.penn-treebank');
  });

  it('tells labels, tags and words', () => {
    assert.equal(kinds(penn, '(S (VP (VBZ runs)))'), 'S:label VP:label VBZ:tag runs:word');
  });

  it('takes labels apart: function tags and indices', () => {
    assert.equal(
      kinds(penn, '(NP-SBJ-1=22 (NN x))'),
      'NP:label -SBJ:tag -1:index =22:index NN:tag x:word',
    );
  });

  it('knows traces and empty elements', () => {
    assert.equal(
      kinds(penn, '(NP (-NONE- *T*-1)) (SBAR (-NONE- 0))'),
      'NP:label -NONE-:none *T*:trace -1:index SBAR:label -NONE-:none 0:trace',
    );
  });

  it('knows escaped brackets, as tags and as words', () => {
    assert.equal(
      kinds(penn, '(NP (-LRB- -LRB-) (NN -x-))'),
      'NP:label -LRB-:tag -LRB-:escape NN:tag -x-:word',
    );
  });

  it('takes SPMRL features apart, in either language', async () => {
    const text = '(NP##g=f## (NN##num=s|gen=m## x))';
    const expected =
      'NP:label ##:features g:feature =:feature f:feature ##:features ' +
      'NN:tag ##:features num:feature =:feature s:feature |:features gen:feature =:feature m:feature ##:features x:word';
    assert.equal(kinds(penn, text), expected);
    assert.equal(kinds(await load('source.spmrl-brackets'), text), expected);
  });

  it('takes # % ; for comments outside trees only', () => {
    assert.equal(kinds(penn, '# two'), '# two:line');
    assert.equal(
      kinds(penn, '(NP', '  (# #)', ' (% %))', '% x'),
      'NP:label #:tag #:word %:tag %:word % x:line',
    );
  });

  it('gives words outside any bracket no colour', () => {
    assert.equal(kinds(penn, 'hello'), 'hello:source');
  });

  it('starts a new tree in the first column, however many brackets were left open', () => {
    const [, last] = tokenize(penn, ['(S (NP (DT the)', '(S (VP (VB go)))']);
    const depth = last?.at(0)?.scopes.filter((scope) => scope.startsWith('meta.tree')).length;
    assert.equal(depth, 1);
  });

  it('keeps right-to-left words whole', () => {
    assert.equal(kinds(penn, '(NP (NN בית))'), 'NP:label NN:tag בית:word');
  });
});
