/** What is said of sentences beside a treebank that has no room for it: in `NAME.review`. */
import * as vscode from 'vscode';
import { isSame, saveOrShow } from './showDocument';

const ending = '.review';

let last: Promise<unknown> = Promise.resolve();

/**
 * Has an edit made. A file beside a treebank is saved then, as it would open as a tab, unless it
 * has changes of the user's own that are not. One edit after the other: what the one before has
 * not saved yet is not the user's.
 */
export async function makeAndSave<T>(
  edit: vscode.WorkspaceEdit | undefined,
  make: () => PromiseLike<T>,
): Promise<T> {
  const written = edit?.entries().flatMap(([uri]) => (uri.path.endsWith(ending) ? uri : [])) ?? [];
  if (written.length === 0) return make();
  const turn = last.then(async () => {
    const saved = written.filter((uri) => opened(uri)?.isDirty !== true);
    const made = await make();
    for (const document of saved.map(opened)) {
      if (document?.isDirty === true) await saveOrShow(document);
    }
    return made;
  });
  last = turn.catch(() => undefined);
  return turn;
}

function opened(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((one) => isSame(one.uri, uri));
}
