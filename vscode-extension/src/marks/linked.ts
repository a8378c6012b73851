// A number that is typed is typed wherever it stands (a trace's index, and its antecedent's). VS Code
// does that also where an undo changes it back: what was replaced by itself, by an action or by hand,
// would be taken back in all places that say what it now says. So a place is linked to no other while
// that is the last that happened to the text.
import * as vscode from 'vscode';
import type { LinkedEditingRangeMiddleware } from 'vscode-languageclient';

/** Where the last change of a text was, if it put something in the place of something else. */
const replaced = new WeakMap<vscode.TextDocument, vscode.Range>();

/** For the middleware of a language client. */
export const provideLinkedEditingRange: NonNullable<
  LinkedEditingRangeMiddleware['provideLinkedEditingRange']
> = (document, position, token, next) =>
  replaced.get(document)?.contains(position) === true ? undefined : next(document, position, token);

export function noteReplaced(): vscode.Disposable {
  return vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    const [first, ...others] = contentChanges;
    if (first === undefined) return;
    const { range, rangeLength, text } = first;
    // (What changes several places is taken back in all of them, and not as if it was typed.)
    if (others.length > 0 || rangeLength === 0 || text === '') {
      replaced.delete(document);
    } else {
      const end = document.positionAt(document.offsetAt(range.start) + text.length);
      replaced.set(document, new vscode.Range(range.start, end));
    }
  });
}
