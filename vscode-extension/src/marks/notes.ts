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
  text: string;
}

/** Of a line's notes, so many have room; marks and hovers say all. */
const most = 4;
/** What is longer is not said again: it stands there, marked. */
const longest = 12;

/** By line; `textOf` a line: what stands before the place of a hint, is said with it in trees. */
export function notesOf(hints: readonly Hint[], textOf: (line: number) => string): Note[] {
  const byLine = new Map<number, string[]>();
  for (const hint of hints) {
    const said = byLine.get(hint.line) ?? [];
    const text = textOf(hint.line);
    said.push(text.includes('\t') ? shortened(hint.label) : nameBefore(text, hint) + hint.label);
    byLine.set(hint.line, said);
  }
  return [...byLine].map(([line, said]) => {
    const rest = said.length > most ? [`+${said.length - most}`] : [];
    return { line, text: [...said.slice(0, most), ...rest].join('  ') };
  });
}

/** The label that a note is about may be many rows above it; a row's fields stand beside it. */
function nameBefore(text: string, { character }: Hint): string {
  const name = /[^\s()]*$/.exec(text.slice(0, character))?.[0] ?? '';
  return name.length > longest ? '' : name;
}

function shortened(label: string): string {
  const text = label.replaceAll(/[“”]/g, '');
  return widthOf(text) > longest ? `${cut(text, longest - 1)}…` : text;
}
