// What of a text would not be kept. Knows no editor, so that plain unit tests reach it.

export interface Difference {
  start: number;
  end: number;
  text: string;
}

/** What may stand only behind another half: of a character, or of a line's end. */
const half = /[\udc00-\udfff\n]/;

/**
 * What has a text be as it is on disk again, undefined where it is; line ends count as the editor has
 * them, which may be others in the file.
 */
export function lost(shown: string, onDisk: string, lineEnd: string): Difference | undefined {
  const kept = onDisk.replace(/\r\n|\r|\n/g, lineEnd);
  // (What is no UTF-8 may be read in several ways.)
  if (kept === shown || kept.includes('\ufffd')) return undefined;
  const shorter = Math.min(kept.length, shown.length);
  let start = 0;
  while (start < shorter && kept[start] === shown[start]) start++;
  while (start > 0 && [kept, shown].some((text) => half.test(text.charAt(start)))) start--;
  let same = 0;
  while (same < shorter - start && kept.at(-1 - same) === shown.at(-1 - same)) same++;
  while (same > 0 && half.test(kept.charAt(kept.length - same))) same--;
  return { start, end: shown.length - same, text: kept.slice(start, kept.length - same) };
}
