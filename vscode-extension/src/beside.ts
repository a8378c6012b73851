/** What is said of sentences beside a treebank that has no room for it: in `NAME.review`. */
import * as vscode from 'vscode';
import { begun } from './saving';
import { isSame, isTabOf, saveOrShow, tabsOf } from './showDocument';
import { unlessOvertaken } from './turns';

const ending = '.review';

/** Milliseconds in which a tab of what was not saved for a moment may still open, or is saved. */
const late = 10_000;

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
    const unseen = saved.filter((uri) => tabsOf(uri).length === 0);
    for (const uri of written) if (uri.scheme === 'file') await begun(uri.fsPath);
    const made = await make();
    for (const document of saved.map(opened)) {
      if (document?.isDirty === true) await saveOrShow(document);
    }
    keepClosed(unseen);
    return made;
  });
  last = turn.catch(() => undefined);
  return turn;
}

/** VS Code opens what is not saved in the background: where it was quicker, that is closed. */
function keepClosed(uris: vscode.Uri[]): void {
  /** Those that nobody has looked at. */
  const behind = new Set(uris.flatMap(tabsOf).filter((tab) => !tab.isActive));
  const close = (): void => {
    const closed = [...behind].filter((tab) => !tab.isDirty);
    for (const tab of closed) behind.delete(tab);
    if (closed.length > 0) unlessOvertaken(vscode.window.tabGroups.close(closed, true));
  };
  close();
  const opening = vscode.window.tabGroups.onDidChangeTabs((event) => {
    for (const tab of event.opened) if (uris.some((uri) => isTabOf(uri, tab))) behind.add(tab);
    for (const tab of [...event.opened, ...event.changed]) if (tab.isActive) behind.delete(tab);
    for (const tab of event.closed) behind.delete(tab);
    close();
  });
  setTimeout(() => {
    opening.dispose();
  }, late);
}

function opened(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((one) => isSame(one.uri, uri));
}
