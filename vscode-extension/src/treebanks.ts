// What counts as a treebank file, and which of two files is gold. Knows no editor, so that plain
// unit tests reach it.

export const languageIds = [
  'penn-treebank',
  'spmrl-brackets',
  'conllu',
  'conllx',
  'lattice',
] as const;

export type LanguageId = (typeof languageIds)[number];

export function isTreebankLanguage(languageId: string): boolean {
  return (languageIds as readonly string[]).includes(languageId);
}

/** The endings offered by "Compare with…" among files that are not open; `*.txt` can be anything. */
export const fileGlob =
  '**/*.{mrg,ptb,parse,gld,tst,psd,brackets,bracket,spmrl,gold.txt,system.txt,sys.txt,trees,' +
  'conllu,conll,conllx,conll06,conll07,lattice,lattices,conllul,mapping,segmentation}';

/** The same, packed or not. */
export const fileGlobs = [fileGlob, `${fileGlob}.{gz,bz2,xz,zst}`] as const;

const comment = /^\s*[#%;]/;
const universalComment = /^#\s*(?:global\.columns|newdoc|newpar|sent_id|text)\b/m;
const tableRow = /^1(?:-\d+)?\t[^\t]+(?:\t[^\t]*){6,8}$/;

/** Characters that are enough to tell trees from prose. */
const enough = 20_000;

/** What a text looks like by how it begins, if it looks like a treebank. */
export function languageOf(text: string): LanguageId | undefined {
  const said = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '' && !comment.test(line));
  const first = said[0];
  if (first === undefined) return undefined;
  if (first.trimStart().startsWith('(')) {
    return holdsTrees(said.join('\n').slice(0, enough)) ? 'penn-treebank' : undefined;
  }
  if (!tableRow.test(first)) return undefined;
  return universalComment.test(text) || first.startsWith('1-') ? 'conllu' : 'conllx';
}

/**
 * Prose may begin with a bracket, too, and have some in others: it has more words outside of brackets,
 * or more than a label and a word in one, while trees have hardly any such words, broken as they may be.
 */
function holdsTrees(text: string): boolean {
  let [nodes, stray] = [0, 0];
  let [depth, words, isLeaf] = [0, 0, true];
  for (const [token] of text.matchAll(/[()]|[^\s()]+/g)) {
    if (token === '(') {
      if (depth > 0) nodes++;
      if (depth === 0) words = 0;
      isLeaf = depth === 0;
      depth++;
    } else if (token === ')') {
      if (depth === 1 && isLeaf && words === 2) nodes++;
      if (depth === 1) stray += Math.max(words - 2, 0);
      depth = Math.max(depth - 1, 0);
    } else if (depth === 0) stray++;
    else if (depth === 1) words++;
  }
  return nodes > stray;
}

/**
 * Whether a document is opened, and not only in another language than before: VS Code tells of that as
 * if it were closed and opened again. (Where it is, there is another object for it.)
 */
export class FirstOpenings {
  private readonly known = new WeakSet();

  has(document: object): boolean {
    const isKnown = this.known.has(document);
    this.known.add(document);
    return !isKnown;
  }
}

type Side = 'gold' | 'system';

const sideWords: Record<Side, Set<string>> = {
  gold: new Set(['gold', 'gld', 'reference', 'ref', 'key']),
  system: new Set(['system', 'sys', 'tst', 'test', 'pred', 'predicted', 'parsed', 'output', 'out']),
};

/** What a file's name, or the nearest folder's that says anything, calls it. */
function sideOf(path: string): Side | undefined {
  for (const segment of path.split('/').reverse()) {
    const words = segment.toLowerCase().split(/[^\p{L}]+/u);
    if (words.some((word) => sideWords.gold.has(word))) return 'gold';
    if (words.some((word) => sideWords.system.has(word))) return 'system';
  }
  return undefined;
}

/** Which of two files is gold when their names tell, else undefined: then the user is asked. */
export function guessGold(one: string, other: string): 'one' | 'other' | undefined {
  const sides = [sideOf(one), sideOf(other)];
  if (sides[0] === sides[1]) return undefined;
  if (sides[0] === 'gold' || sides[1] === 'system') return 'one';
  return 'other';
}

const table = /\.(conllu|conllx?|conll0[67])(\.\w+)?$/iu;

/** Orders candidates: for a table tables first, for trees trees, then the nearest name. */
export function byLikeness(than: string): (one: string, other: string) => number {
  const isOther = (path: string): number => Number(table.test(path) !== table.test(than));
  return (one, other) =>
    isOther(one) - isOther(other) ||
    likeness(other, than) - likeness(one, than) ||
    one.localeCompare(other);
}

/** Length of the common start, ignoring case. */
function likeness(one: string, other: string): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

/** Where the adjudicated file may go: where the annotators' paths differ it says so instead. */
export function adjudicatedPath(first: string, second: string): string {
  const [ours, theirs] = [first.split(/([/.])/), second.split(/([/.])/)];
  const differing = ours.findIndex((part, at) => part !== theirs[at]);
  const rest = ours.slice(differing + 1).join('');
  if (differing >= 0 && ours.length === theirs.length && rest.includes('.')) {
    return [...ours.slice(0, differing), 'adjudicated', rest].join('');
  }
  const name = first.slice(first.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.') > 0 ? first.lastIndexOf('.') : first.length;
  return `${first.slice(0, dot)}.adjudicated${first.slice(dot)}`;
}
