// What a line of the worklist says behind the score. Knows no editor, so that plain unit tests reach
// it.

/**
 * A sentence's ID (of a long one both ends), its first words and what is wrong with it: all three
 * are in view, as a side bar has room for some forty letters, the score's among them.
 */
export function described(
  name: string,
  { words, summary }: { words: string; summary: string },
): string {
  return [shortened(name, 3, 4), shortened(words, 13, 0), summary]
    .filter((text) => text !== '')
    .join(' · ');
}

/** Some letters of the beginning and the end, where a text has more; direction marks stay around
 * it. */
function shortened(text: string, first: number, last: number): string {
  const [, opening = '', inside = '', closing = ''] =
    /^([\u2066-\u2068]?)(.*?)(\u2069?)$/su.exec(text) ?? [];
  const letters = Array.from(inside);
  if (letters.length <= first + last + 1) return text;
  const end = last === 0 ? [] : letters.slice(-last);
  return `${opening}${[...letters.slice(0, first), '…', ...end].join('')}${closing}`;
}
