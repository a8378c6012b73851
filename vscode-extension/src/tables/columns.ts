// Where the fields of a table would have to begin to stand under one another, though one tab is all
// that may stand between them. Knows no editor, so that plain unit tests reach it.

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

/**
 * What is wider has the rest of its row stand further out. Of attributes (`Case=Nom|Number=Sing`)
 * there are often so many that heads and relations would be out of view in every row.
 */
const widest = { attributes: 12, other: 20 };
const between = 2;
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3001-\u303e\uff01-\uff60\uffe0-\uffe6]/u;
const none = /[\p{Mark}\p{Cf}]/u;

export function isRow(text: string): boolean {
  return !text.startsWith('#') && text.includes('\t');
}

/**
 * The columns of one document. What has been wide stays so, for a text that moves sideways while it
 * is scrolled cannot be read. A tab is taken to be one character wide.
 */
export class Columns {
  private readonly widths: number[] = [];

  gaps(rows: readonly Row[]): Gap[] {
    const cut = rows.map(({ line, text }) => ({ line, fields: text.split('\t') }));
    for (const { fields } of cut) {
      for (const [at, field] of fields.slice(0, -1).entries()) {
        const most = field.includes('=') ? widest.attributes : widest.other;
        this.widths[at] = Math.max(this.widths[at] ?? 0, Math.min(widthOf(field), most));
      }
    }
    return cut.flatMap(({ line, fields }) => this.gapsOf(line, fields));
  }

  private gapsOf(line: number, fields: readonly string[]): Gap[] {
    const gaps: Gap[] = [];
    let [character, place, start] = [0, 0, 0];
    for (const [at, field] of fields.slice(0, -1).entries()) {
      character += field.length;
      place += widthOf(field);
      start += (this.widths[at] ?? 0) + between;
      const width = Math.max(start - place - 1, 0);
      if (width > 0) gaps.push({ line, character, width });
      character += 1;
      place += 1 + width;
    }
    return gaps;
  }
}

/** How many cells of a fixed-width font a text takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const one of text) width += none.test(one) ? 0 : wide.test(one) ? 2 : 1;
  return width;
}
