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
const treeStart = /^\s*\(\s*(\(|[^\s()])/;
const universalComment = /^#\s*(?:global\.columns|newdoc|newpar|sent_id|text)\b/m;
const tableRow = /^1(?:-\d+)?\t[^\t]+(?:\t[^\t]*){6,8}$/;

/** What a text looks like by its first line that says something, if it looks like a treebank. */
export function languageOf(text: string): LanguageId | undefined {
  const first = text.split(/\r\n|\r|\n/).find((line) => line.trim() !== '' && !comment.test(line));
  if (first === undefined) return undefined;
  if (treeStart.test(first)) return 'penn-treebank';
  if (!tableRow.test(first)) return undefined;
  return universalComment.test(text) || first.startsWith('1-') ? 'conllu' : 'conllx';
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
