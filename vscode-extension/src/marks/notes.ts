// What the other file has instead, at the end of the line. Notes between the words (inlay hints) take
// a part in wrapping: VS Code lays lenses out before they come, and those were painted over text; in
// tables they broke the columns. What stands behind a line does neither. Knows no editor, so that
// plain unit tests reach it.

import { widthOf } from '../tables/columns';
import { cut } from '../tables/compact';

/** A hint of the server's: what stands elsewhere in place of what ends here. */
export interface Hint {
  line: number;
  character: number;
  label: string;
}

/** Behind one line. */
export interface Note {
  line: number;
  said: readonly Said[];
}

/** `boris: nmod`: whose it is, where several have been at work, and what. */
export interface Said {
  whose: string;
  what: string;
  /** The same with all of long words, for where there is room. */
  whole?: string;
}

/** Between what is said of one thing and of another. */
const gap = '  ';
/** Of a line's notes, so many have room; marks and hovers say all. */
const most = 4;
/** `≠NP (bikel)`: of several systems, what this one has. */
const ofSystem = /^(.*) \(([^()]*)\)$/u;
/** What is longer is not said again in trees: it stands there, marked; in tables, where there is room. */
const longest = 12;

/** The column of second tags (XPOS). */
const secondTag = 4;

/** Pixels of a pane in which the last row of a tree has room for names now and then. */
const roomForNames = 400;

/** `b: nmo…` says something, `b: …` nothing. */
const fewestWithName = 7;

/** By line; `textOf` a line: what stands before the place of a hint, is said with it in trees. */
export function notesOf(hints: readonly Hint[], textOf: (line: number) => string): Note[] {
  const byLine = new Map<number, Said[]>();
  for (const hint of hints) {
    const said = byLine.get(hint.line) ?? [];
    const text = textOf(hint.line);
    for (const label of hint.label.split(' · ')) said.push(saidOf({ ...hint, label }, text));
    byLine.set(hint.line, said);
  }
  return [...byLine].map(([line, said]) => ({ line, said: together(said) }));
}

/**
 * A note in so many cells: with whole names, else with the beginnings of names (`names`: all there
 * are in the file), else cut. Where there is one name only, and no room for it and what is said, or
 * for it and the beginning of that, it goes without saying: it is the other annotator.
 */
export function written(
  said: readonly Said[],
  cells = Infinity,
  names: ReadonlySet<string> = new Set(),
): string {
  const all = joined(said, ({ whose, what, whole = what }) => whose + whole);
  if (cells < Infinity && widthOf(all) <= cells) return all;
  const whole = joined(said, ({ whose, what }) => whose + what);
  if (widthOf(whole) <= cells) return whole;
  const short = writtenShort(said, names);
  if (widthOf(short) <= cells) return short;
  // What is all there says more than its beginning behind a name.
  const nameless = names.size === 1 ? joined(said, ({ what }) => what) : short;
  const left = widthOf(nameless) <= cells || cells < fewestWithName ? nameless : short;
  return widthOf(left) <= cells ? left : `${cut(left, cells - 1).replace(/…$/u, '')}…`;
}

/** Whether in so many pixels, and in so many columns, the last row of a tree seldom has room for names. */
export function isNarrow(room: number, columns: number): boolean {
  return columns > 2 || room < roomForNames;
}

/** With the beginnings of names. */
export function writtenShort(said: readonly Said[], names: ReadonlySet<string>): string {
  return joined(said, ({ whose, what }) => initial(whose, names) + withInitials(what, names));
}

function joined(said: readonly Said[], shown: (one: Said) => string): string {
  const rest = said.length > most ? [`+${said.length - most}`] : [];
  return [...said.slice(0, most).map(shown), ...rest].join(gap);
}

/** Who says something in a file: annotators (`boris: `), and systems where there are several. */
export function namesIn(notes: Iterable<readonly Said[]>): Set<string> {
  const said = [...notes].flat();
  return new Set(said.flatMap(({ whose, what }) => [whose, ...systemsOf(what)]).filter(Boolean));
}

/**
 * The same for rows that are wrapped: at blanks only, but not behind whose it is, and also before the
 * first thing. (Two blanks of a row's end are in the place of an ellipsis.)
 */
export function breakable(text: string): string {
  const whole = (one: string): string =>
    one.replaceAll(': ', ':\u00a0').replace(/[^\p{L}\p{N}\p{M}\s]/gu, '\u2060$&\u2060');
  return `\u200b${text.split(gap).map(whole).join('\u00a0\u00a0 ')}`;
}

function systemsOf(what: string): string[] {
  return ofSystem.exec(what)?.[2]?.split(', ') ?? [];
}

/** `≠NP (b)` for `≠NP (bikel)`. */
function withInitials(what: string, names: ReadonlySet<string>): string {
  const systems = systemsOf(what).map((name) => initial(name, names));
  return what.replace(ofSystem, (_, text: string) => `${text} (${systems.join(', ')})`);
}

/** `b: ` for `boris: `, `a2: ` for `annotator2: `; the whole where that may be somebody else. */
function initial(whose: string, names: ReadonlySet<string>): string {
  const short = (name: string): string => name.replace(/^(.).*?(\d*(: )?)$/u, '$1$2');
  const alike = [...names].filter((name) => short(name) === short(whose));
  return alike.some((name) => name !== whose) ? whose : short(whose);
}

/** The label that a note is about may be many rows above it; a row's fields stand beside it. */
function saidOf({ label, character }: Hint, text: string): Said {
  const [, whose = '', what = ''] = /^(\S+: )?(.*)$/u.exec(label) ?? [];
  if (text.includes('\t')) {
    const [short, whole] = [shortened(what), unquoted(what)];
    return {
      whose,
      what: besideFolded(short, character, text),
      whole: besideFolded(whole, character, text),
    };
  }
  const name = /[^\s()]*$/.exec(text.slice(0, character))?.[0] ?? '';
  const isInstead = /^(≠|.*: (?!\+))/u.test(label);
  if (name === '' || name.length > longest || !isInstead) return { whose, what };
  return { whose, what: what.startsWith('≠') ? name + what : `${name}≠${what}` };
}

/** A second tag, which compact tables fold: `VBN≠VBD`, not behind the first one alone. */
function besideFolded(what: string, character: number, text: string): string {
  const fields = text.slice(0, character).split('\t');
  const isTag = fields.length - 1 === secondTag && /^≠\S+$/u.test(what);
  return isTag ? (fields.at(-1) ?? '') + what : what;
}

/** What one of several has is said in one, and what several have the same once. */
function together(said: readonly Said[]): Said[] {
  const found: Said[] = [];
  for (const one of said) {
    const [, what, by = ''] = ofSystem.exec(one.what) ?? [];
    const same = found.find((other) => {
      const [, its, systems = ''] = ofSystem.exec(other.what) ?? [];
      return what !== undefined && what === its && !systems.split(', ').includes(by);
    });
    if (same !== undefined) {
      const joining = (text: string): string => text.replace(/\)$/, `, ${by})`);
      same.what = joining(same.what);
      if (same.whole !== undefined) same.whole = joining(same.whole);
      continue;
    }
    const before = found.find(({ whose }) => whose !== '' && whose === one.whose);
    if (before === undefined) {
      found.push({ ...one });
      continue;
    }
    before.what += ` ${one.what}`;
    if (before.whole !== undefined) before.whole += ` ${one.whole ?? one.what}`;
  }
  return found;
}

/** Words without their quotes; `“6”` keeps them, which would be taken for the number of a word. */
function unquoted(text: string): string {
  return text.replaceAll(/“([^“”]*)”/g, (quoted, word: string) =>
    /^[\d.]+$/u.test(word) ? quoted : word,
  );
}

/** Of a long word its beginning; whose it is, is said whole. */
function shortened(label: string): string {
  const [, what = label, whose = ''] = /^(.*?)( \([^()]*\))?$/u.exec(label) ?? [];
  const text = unquoted(what);
  return (widthOf(text) > longest ? `${cut(text, longest - 1)}…` : text) + whose;
}
