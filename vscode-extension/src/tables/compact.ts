// A table that has little room: ID, FORM, UPOS, HEAD and DEPREL stand beside one another, what stands
// between them is folded to an ellipsis, and behind a head's number its form can be read. Nothing of
// that is text. Knows no editor, so that plain unit tests reach it.
import { widthOf } from './columns';

/** What is shown in place of a stretch of a row. */
export interface Fold {
  line: number;
  start: number;
  end: number;
  /** Something is folded here, not only columns that say nothing. */
  ellipsis: boolean;
}

/**
 * How many cells of the font the widest fields may take; `tag`: XPOS, 0 where it is folded; `opened`:
 * one that is folded otherwise.
 */
export interface Room {
  form: number;
  tag: number;
  head: number;
  opened: number;
}

/** Parts of a field (`Case=Nom`) that are the same in the other files. */
export type Common = ReadonlySet<string>;

export const fieldsOfRow = 10;
/** ID, FORM, UPOS (in CoNLL-X the coarse tag), HEAD, DEPREL; with XPOS where that has room. */
const kept = [0, 1, 3, 6, 7];
const keptWithTag = [0, 1, 3, 4, 6, 7];
const [form, tag] = [1, 4];
/** Where FEATS stands in rows of so many fields: CoNLL's, lattices'. */
const attributesFields = new Map([
  [fieldsOfRow, 5],
  [8, 6],
]);
/** Behind HEAD. */
export const headField = 6;

/**
 * ID, UPOS and HEAD with the tabs, the ellipses of FORM and UPOS, a relation, and behind it who has
 * what instead.
 */
const others = 14 + 2 + 9 + 11;
/** In so few cells a relation would be cut by the pane's edge if forms had their least widths. */
const narrow = 14 + 2 + 9 + 6 + 4;

/** Most forms are no longer. */
const usual = 12;

/** What XPOS takes at most; and its tab and ellipsis. */
const [ofTag, aroundTag] = [6, 2];
/** From so many cells on XPOS has room: beside another table, where rows end with what that has
 * instead, only where that and all other columns have all that they may take. */
const enough = { besideTables: 94, elsewhere: 56 };

/**
 * What a pane of so many cells has for forms: the other columns take their usual widths. Where no
 * other table is beside it, as beside brackets, which are compared by their tags, XPOS comes first.
 */
export function roomIn(cells: number, beside: keyof typeof enough = 'besideTables'): Room {
  if (cells < narrow) return { form: 4, tag: 0, head: 0, opened: 12 };
  const tag = cells < enough[beside] ? 0 : ofTag;
  const rest = Math.max(cells - others - (tag === 0 ? 0 : tag + aroundTag), 0);
  // A head's form is a form too: what most of them take is enough for the row's own.
  const ofForm = between(
    6,
    Math.max(Math.ceil(rest / 2), Math.min(Math.ceil(rest * 0.6), usual)),
    20,
  );
  const head = between(4, rest - ofForm, 14);
  return { form: ofForm, tag, head, opened: between(12, rest - ofForm - head, 80) };
}

/** In fewer cells heads and relations would be out of view, or IDs and forms where one goes to them. */
const leastForAll = 60;

/** Whether a pane shows tables compact: one beside others, or one that has no room for all columns. */
export function isCompact(cells: number, isAlone: boolean): boolean {
  return !isAlone || cells < leastForAll;
}

function between(least: number, value: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

/**
 * The folds of a row, but for the field with the cursor: of that one, where it has no room, what all
 * files have alike. Undefined for rows that are not CoNLL's.
 */
export function foldsOf(
  line: number,
  fields: readonly string[],
  room: Room,
  cursor: number | undefined,
  common: Common = new Set(),
): Fold[] | undefined {
  if (fields.length !== fieldsOfRow) return undefined;
  const starts: number[] = [];
  let at = 0;
  for (const field of fields) {
    starts.push(at);
    at += field.length + 1;
  }
  const end = (field: number): number => (starts[field] ?? 0) + (fields[field]?.length ?? 0);
  const folds: Fold[] = [];
  const add = (start: number, stop: number, ellipsis: boolean): void => {
    if (cursor !== undefined && start < cursor && cursor <= stop) {
      const opened = starts.filter((one) => one <= cursor).length - 1;
      addPart(start, Math.min(Math.max(starts[opened] ?? 0, start), stop), ellipsis);
      const [at = 0, text = ''] = [starts[opened], fields[opened]];
      const alike = widthOf(text) > room.opened ? stretchesOf(text, common) : [];
      for (const [from, to] of alike) addPart(at + from, at + to, true);
      addPart(Math.max(end(opened), start), stop, ellipsis);
    } else addPart(start, stop, ellipsis);
  };
  const addPart = (start: number, stop: number, ellipsis: boolean): void => {
    if (start >= stop) return;
    const goesOn = folds.at(-1)?.end === start && folds.at(-1)?.ellipsis === true;
    folds.push({ line, start, end: stop, ellipsis: ellipsis && !goesOn });
  };
  const columns = room.tag === 0 ? kept : keptWithTag;
  for (const [place, field] of columns.entries()) {
    if (field === form) addTail(add, fields[form] ?? '', starts[form] ?? 0, room.form);
    if (field === tag) addTail(add, fields[tag] ?? '', starts[tag] ?? 0, room.tag);
    const next = columns[place + 1];
    const between = fields.slice(field + 1, next ?? fieldsOfRow);
    const says = between.some((one) => one !== '_' && one !== '');
    // The last tab before the next column stays: it is what the columns are set apart by.
    add(end(field), next === undefined ? end(fieldsOfRow - 1) : (starts[next] ?? 0) - 1, says);
  }
  return folds;
}

export function attributesField(fields: readonly string[]): number | undefined {
  return attributesFields.get(fields.length);
}

/**
 * Of a row with all its columns, the end of the attributes that so many cells have no room for;
 * undefined for rows that have none, and where the field holds the cursor.
 */
export function foldOfAttributes(
  line: number,
  fields: readonly string[],
  most: number,
  cursor: number | undefined,
): Fold | undefined {
  const at = attributesField(fields);
  const field = fields[at ?? fields.length] ?? '';
  if (at === undefined || widthOf(field) <= most) return undefined;
  const start = fields.slice(0, at).join('\t').length + 1;
  const end = start + field.length;
  if (cursor !== undefined && start <= cursor && cursor <= end) return undefined;
  return { line, start: start + cut(field, most - 1).length, end, ellipsis: true };
}

/** Where a field has parts that are common, each with the bar behind it; if all are, the first stays. */
function stretchesOf(field: string, common: Common): [number, number][] {
  const parts = field.split('|');
  const keepsFirst = parts.every((part) => common.has(part));
  const found: [number, number][] = [];
  let at = 0;
  for (const [place, part] of parts.entries()) {
    const next = Math.min(at + part.length + 1, field.length);
    if (common.has(part) && !(keepsFirst && place === 0)) found.push([at, next]);
    at = next;
  }
  return found;
}

/** The parts that all of several fields have. */
export function commonOf(fields: readonly string[]): Common {
  const [first = [], ...rest] = fields.map((field) => field.split('|'));
  return new Set(first.filter((part) => rest.every((others) => others.includes(part))));
}

/** Of a form or a tag that is too long, the end. */
function addTail(
  add: (start: number, stop: number, ellipsis: boolean) => void,
  text: string,
  start: number,
  most: number,
): void {
  if (widthOf(text) <= most) return;
  const shown = cut(text, most);
  add(start + shown.length, start + text.length, true);
}

/** As much of a text as so many cells hold. */
export function cut(text: string, cells: number): string {
  let shown = '';
  for (const one of text) {
    if (widthOf(shown + one) > cells) return shown;
    shown += one;
  }
  return shown;
}

/** The form of a head, by the numbers of the sentence's words; shortened where need be. */
export function headForm(
  fields: readonly string[],
  forms: ReadonlyMap<string, string>,
  most: number,
): string {
  const head = forms.get(fields[headField] ?? '');
  if (head === undefined || most === 0) return '';
  return widthOf(head) <= most ? head : `${cut(head, most - 1)}…`;
}
