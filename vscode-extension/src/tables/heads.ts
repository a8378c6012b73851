// The forms of a sentence's words, by their numbers: what a head is called.
import type * as vscode from 'vscode';

/** A sentence that is longer is not read to its end. */
const furthest = 400;

/** By line: the words of its sentence. */
export function formsAround(
  document: vscode.TextDocument,
  first: number,
  end: number,
): (line: number) => ReadonlyMap<string, string> {
  let start = first;
  while (start > 0 && first - start < furthest && isInside(document, start - 1)) start--;
  let stop = end;
  while (stop < document.lineCount && stop - end < furthest && isInside(document, stop)) stop++;
  const byLine: ReadonlyMap<string, string>[] = [];
  let forms = new Map<string, string>();
  for (let line = start; line < stop; line++) {
    if (!isInside(document, line)) forms = new Map();
    const [number, form] = document.lineAt(line).text.split('\t', 2);
    if (number !== undefined && form !== undefined) forms.set(number, form);
    byLine.push(forms);
  }
  return (line) => byLine[line - start] ?? new Map();
}

function isInside(document: vscode.TextDocument, line: number): boolean {
  return !document.lineAt(line).isEmptyOrWhitespace;
}
