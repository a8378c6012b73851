// Where the fields of a table would have to begin to stand under one another, though one tab is all
// that may stand between them. Knows no editor, so that plain unit tests reach it.
import {
  attributesField,
  fieldsOfRow,
  foldOfAttributes,
  foldsOf,
  headField,
  headForm,
  type Common,
  type Fold,
  type Room,
} from './compact';

export interface Row {
  line: number;
  text: string;
}

/** How much wider a tab has to be than one character, in characters of the editor's font. */
export interface Gap {
  line: number;
  character: number;
  width: number;
}

/** The form of a head, to be read behind its number. */
export interface HeadForm {
  line: number;
  /** Of the head's number. */
  start: number;
  /** Its end, behind which the form is shown. */
  character: number;
  text: string;
}

export interface Shown {
  gaps: Gap[];
  folds: Fold[];
  heads: HeadForm[];
}

export interface Manner {
  /** Of compact tables; undefined: all columns are shown. */
  room?: Room | undefined;
  /** Of the pane where all columns are shown: attributes take what heads and relations leave. */
  cells?: number | undefined;
  /** The forms of words by line: those of its sentence by their numbers. */
  heads?: ((line: number) => ReadonlyMap<string, string>) | undefined;
  /** What holds the cursor is not folded. */
  cursor?: { line: number; character: number } | undefined;
  /** Of what holds the cursor, what need not be shown. */
  common?: Common | undefined;
}

/**
 * What is wider has the rest of its row stand further out. Of attributes (`Case=Nom|Number=Sing`)
 * there are often so many that heads and relations would be out of view in every row.
 */
const widest = { attributes: 12, other: 20, head: 14 };
/** Of attributes, in a pane beside others. */
const fewestBesideOthers = 4;
/** What is said behind a row. */
const note = 12;
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3001-\u303e\uff01-\uff60\uffe0-\uffe6]/u;
const none = /[\p{Mark}\p{Cf}]/u;
/** Arabic lam, and the alefs that are written as one sign with one before them, in every font. */
const [lam, alef] = ['\u0644', /[\u0622\u0623\u0625\u0627]/u];

export function isRow(text: string): boolean {
  return !text.startsWith('#') && text.includes('\t');
}

const ellipsis = 1;
/** Between two columns; in compact tables less. */
function gapIn(room: Room | undefined): number {
  return room === undefined ? 2 : 1;
}

/** In compact tables the ID of a range (`12-13`) takes of the form's room, which says little there. */
const widestId = 3;

/** A row's text from tab to tab, as it is shown. */
interface Cell {
  /** Where its tab is; undefined for the last. */
  tab: number | undefined;
  width: number;
  most: number;
}

/**
 * The columns of one document. What has been wide stays so, for a text that moves sideways while it
 * is scrolled cannot be read. A tab is taken to be one character wide.
 */
export class Columns {
  private readonly widths: number[] = [];

  shown(rows: readonly Row[], manner: Manner = {}): Shown {
    const found: Shown = { gaps: [], folds: [], heads: [] };
    const apart = gapIn(manner.room);
    const attributes = this.roomForAttributes(rows, manner);
    const laid = rows.map((row) => {
      const { cells, folds, head } = layOut(row, manner, attributes);
      found.folds.push(...folds);
      if (head !== undefined) found.heads.push(head);
      // What is opened for the cursor pushes its own row, and no other.
      const isOpened = row.line === manner.cursor?.line;
      const closed = isOpened
        ? layOut(row, { ...manner, cursor: undefined }, attributes).cells
        : cells;
      return { line: row.line, cells, closed };
    });
    for (const { closed } of laid) {
      for (const [at, { width, most }] of closed.slice(0, -1).entries()) {
        this.widths[at] = Math.max(this.widths[at] ?? 0, Math.min(width, most));
      }
    }
    for (const { line, cells } of laid) found.gaps.push(...this.gapsOf(line, cells, apart));
    return found;
  }

  /**
   * How many cells attributes may take where they are not folded, so that all else is in view beside
   * them: compact are CoNLL's rows only.
   */
  private roomForAttributes(rows: readonly Row[], { room, cells }: Manner): number | undefined {
    const fields = rows
      .map(({ text }) => text.split('\t'))
      .filter((row) => attributesField(row) !== undefined)
      .filter((row) => room === undefined || row.length !== fieldsOfRow);
    const attributes = attributesField(fields[0] ?? []);
    if (attributes === undefined || cells === undefined) return undefined;
    let left = cells - note;
    for (const number of (fields[0] ?? []).keys()) {
      const widths = fields.map((row) => Math.min(widthOf(row[number] ?? ''), widest.other));
      const width = Math.max(this.widths[number] ?? 0, ...widths);
      left -= gapIn(room) + (number === attributes ? 0 : width);
    }
    const most = Math.max(left, room === undefined ? widest.attributes : fewestBesideOthers);
    // (Less than before where columns have become wider.)
    this.widths[attributes] = Math.min(this.widths[attributes] ?? 0, most);
    return most;
  }

  private gapsOf(line: number, cells: readonly Cell[], between: number): Gap[] {
    const gaps: Gap[] = [];
    let [place, start] = [0, 0];
    for (const [at, { tab, width }] of cells.entries()) {
      if (tab === undefined) break;
      place += width;
      start += (this.widths[at] ?? 0) + between;
      const gap = Math.max(start - place - 1, 0);
      if (gap > 0) gaps.push({ line, character: tab, width: gap });
      place += 1 + gap;
    }
    return gaps;
  }
}

function layOut(
  { line, text }: Row,
  { room, heads, cursor, common }: Manner,
  attributes: number | undefined,
): { cells: Cell[]; folds: Fold[]; head: HeadForm | undefined } {
  const fields = text.split('\t');
  const at = cursor?.line === line ? cursor.character : undefined;
  const compact = room && foldsOf(line, fields, room, at, common);
  const folds = compact ?? [];
  if (attributes !== undefined && compact === undefined) {
    const fold = foldOfAttributes(line, fields, attributes, at);
    if (fold !== undefined) folds.push(fold);
  }
  const long = compact === undefined ? attributesField(fields) : undefined;
  const most = room?.head ?? widest.head;
  const form = heads === undefined ? '' : headForm(fields, heads(line), most);
  let head: HeadForm | undefined;
  const cells: Cell[] = [];
  let [start, width] = [0, 0];
  for (const [number, field] of fields.entries()) {
    const end = start + field.length;
    width += shownWidth(text, start, end, folds);
    if (number === headField && form !== '') {
      head = { line, start, character: end, text: form };
      width += 1 + widthOf(form);
    }
    // A tab that is folded sets nothing apart: what stands before and behind it is one cell.
    const isFolded = folds.some((fold) => fold.start <= end && end < fold.end);
    if (!isFolded || number === fields.length - 1) {
      const isLast = number === fields.length - 1;
      const more = number === headField && fields.length === fieldsOfRow ? 1 + most : 0;
      const cap = number === long ? attributes : undefined;
      cells.push({
        tab: isLast ? undefined : end,
        width,
        most: (cap ?? widestOf(number, field, room)) + more,
      });
      width = 0;
    }
    start = end + 1;
  }
  return { cells, folds, head };
}

function widestOf(number: number, field: string, room: Room | undefined): number {
  if (room !== undefined && number === 0) return widestId;
  return room === undefined && field.includes('=') ? widest.attributes : widest.other;
}

function shownWidth(text: string, start: number, end: number, folds: readonly Fold[]): number {
  let width = 0;
  let at = start;
  for (const fold of folds) {
    if (fold.end <= start || fold.start > end) continue;
    if (fold.start >= start) {
      width += widthOf(text.slice(at, Math.max(fold.start, at))) + (fold.ellipsis ? ellipsis : 0);
    }
    at = Math.min(Math.max(fold.end, at), end);
  }
  return width + widthOf(text.slice(at, end));
}

/** How many cells stand before a character of a row, as it is shown. */
export function cellsBefore({ line, text }: Row, character: number, shown: Shown): number {
  const folds = shown.folds.filter((one) => one.line === line);
  const gaps = shown.gaps.filter((one) => one.line === line && one.character < character);
  const heads = shown.heads.filter((one) => one.line === line && one.character < character);
  return [
    shownWidth(text, 0, character, folds),
    ...gaps.map(({ width }) => width),
    ...heads.map((one) => 1 + widthOf(one.text)),
  ].reduce((sum, width) => sum + width);
}

/** How many cells of a fixed-width font a text takes. */
export function widthOf(text: string): number {
  let [width, before] = [0, ''];
  for (const one of text) {
    if (none.test(one)) continue;
    width += wide.test(one) ? 2 : before === lam && alef.test(one) ? 0 : 1;
    before = one;
  }
  return width;
}
