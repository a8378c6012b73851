// A corpus of any size, with the errors of a parser: what a day of correction is made of. The same
// size always gives the same text.

type Tree = string | Phrase;

interface Phrase extends Array<Tree> {
  0: string;
}

export interface Corpus {
  gold: string;
  system: string;
}

/** A tree a line in both files; every seventh sentence is Hebrew, every eleventh beyond the BMP. */
export function corpus(size: number): Corpus {
  const chance = chances(20_12);
  const gold: Tree[] = Array.from({ length: size }, (_, at) => sentence(languageOf(at), chance));
  const system = gold.map((tree) => (chance() < 0.4 ? withErrors(tree, chance) : tree));
  return { gold: text(gold), system: text(system) };
}

export function text(trees: Tree[]): string {
  return trees.map((tree) => `${written(tree)}\n`).join('');
}

export function written(tree: Tree): string {
  if (typeof tree === 'string') return tree;
  const [label, ...children] = tree;
  return `(${label} ${children.map(written).join(' ')})`;
}

/** Numbers from 0 up to 1, the same ones each time. */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Language {
  determiner: string[];
  noun: string[];
  adjective: string[];
  verb: string[];
  preposition: string[];
}

const english: Language = {
  determiner: ['the', 'a', 'every'],
  noun: ['gardener', 'hedgehog', 'ladder', 'orchard', 'teacher', 'letter', 'storm', 'bicycle'],
  adjective: ['quiet', 'old', 'yellow', 'careful'],
  verb: ['sees', 'mends', 'follows', 'paints', 'forgets'],
  preposition: ['with', 'near', 'behind', 'under'],
};

const hebrew: Language = {
  determiner: ['ה', 'כל'],
  noun: ['גן', 'ילדה', 'סולם', 'מורה', 'מכתב', 'אופניים'],
  adjective: ['ישן', 'צהוב', 'שקט'],
  verb: ['רואה', 'מתקנת', 'שוכחת'],
  preposition: ['עם', 'ליד', 'מאחורי'],
};

/** Words of two UTF-16 units a character: where columns are easily one off. */
const astral: Language = {
  ...english,
  noun: ['𝔾𝕒𝕣𝕕𝕖𝕟', '𝑏𝑖𝑘𝑒', '𝓵𝓪𝓭𝓭𝓮𝓻'],
  adjective: ['𝑜𝑙𝑑', '𝑦𝑒𝑙𝑙𝑜𝑤'],
};

function languageOf(at: number): Language {
  if (at % 7 === 3) return hebrew;
  return at % 11 === 5 ? astral : english;
}

function sentence(language: Language, chance: () => number): Tree {
  const pick = (words: string[]): string => words[Math.floor(chance() * words.length)] ?? '';
  const phrase = (): Tree => {
    const noun: Tree = ['NN', pick(language.noun)];
    const determiner: Tree = ['DT', pick(language.determiner)];
    if (chance() < 0.4) return ['NP', determiner, ['JJ', pick(language.adjective)], noun];
    return ['NP', determiner, noun];
  };
  const prepositional = (): Tree => ['PP', ['IN', pick(language.preposition)], phrase()];
  const object: Tree = chance() < 0.5 ? ['NP', phrase(), prepositional()] : phrase();
  const verbal: Tree = ['VP', ['VBZ', pick(language.verb)], object];
  if (chance() < 0.5) verbal.push(prepositional());
  return ['S', phrase(), verbal, ['.', '.']];
}

function withErrors(tree: Tree, chance: () => number): Tree {
  if (typeof tree === 'string') return tree;
  const [label, ...children] = tree;
  const changed = children.map((child) => withErrors(child, chance));
  const first = changed[0];
  // A phrase with a modifier loses it to what it stands in: attached too high.
  if (label === 'VP' && chance() < 0.3) return ['VP', ...changed.flatMap(apart)];
  if (label === 'NP' && typeof first === 'object' && first[0] === 'DT' && chance() < 0.08) {
    return ['ADJP', ...changed];
  }
  if (label === 'PP' && chance() < 0.08) return ['ADVP', ...changed];
  return [label, ...changed];
}

function apart(tree: Tree): Tree[] {
  if (typeof tree === 'string' || tree[0] !== 'NP') return [tree];
  const [, ...children] = tree;
  return children.some((child) => child[0] === 'PP') ? children : [tree];
}
