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
  'source.conllu': 'syntaxes/conllu.tmLanguage.json',
  'source.conllx': 'syntaxes/conllx.tmLanguage.json',
  'source.lattice': 'syntaxes/lattice.tmLanguage.json',
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

  it('colours the columns of a table, in either language', async () => {
    const text = '2\tdogs\tdog\tNOUN\tNNS\tNumber=Plur|odd\t10\tnsubj:pass\t_\tSpaceAfter=No';
    const expected =
      '2:id dogs:form dog:lemma NOUN:upos NNS:xpos Number:feature =:feature Plur:feature |:source odd:feature ' +
      '10:head nsubj:pass:relation _:nothing SpaceAfter:misc =:misc No:misc';
    for (const scope of ['source.conllu', 'source.conllx']) {
      assert.equal(kinds(await load(scope), text), expected);
    }
  });

  it('colours what there is of a line that is being typed, and no underscore', async () => {
    const conllu = await load('source.conllu');
    assert.equal(kinds(conllu, '3\tcat'), '3:id cat:form');
    assert.equal(kinds(conllu, '3\tcat\t_\tX'), '3:id cat:form _:nothing X:upos');
    assert.equal(kinds(conllu, '3\t_\t_'), '3:id _:form _:nothing');
  });

  it('tells tokens, empty nodes and comments of a table', async () => {
    const conllu = await load('source.conllu');
    assert.equal(
      kinds(conllu, '# sent_id = a-1', '#free', '3-4\tdu\t_', '3.1\tsold\tsell\t_\tA=b'),
      '#:comment sent_id:key =:key a-1:value #free:number-sign ' +
        '3-4:range du:token _:nothing 3.1:empty-node sold:empty-node sell:source _:nothing ' +
        'A:feature =:feature b:feature',
    );
  });

  it('colours lattices, mappings and segmentations', async () => {
    const lattice = await load('source.lattice');
    assert.equal(
      kinds(lattice, '0\t1\tגן\t_\tNN\tNNT\tgen=M|num=S\t1', '\tב:ה:גן'),
      '0:state 1:state גן:form _:nothing NN:tag NNT:tag gen:feature =:feature M:feature |:source ' +
        'num:feature =:feature S:feature 1:token ב:form ::segments ה:form ::segments גן:form',
    );
  });
});
