// Where a document that the server wants shown appears: in the column where it already is, and
// otherwise beside the file it was asked from, never on top of it.
import path from 'node:path';
import * as vscode from 'vscode';
import type { LanguageClient, ShowDocumentParams } from 'vscode-languageclient/node';
import { shownAs } from './packed/names';
import { saved } from './saving';

export interface DocumentPlace {
  uri: vscode.Uri;
  selection: vscode.Range | undefined;
  takeFocus: boolean;
  /** Of several editors that show it, the one in this column; else the one in use. */
  column?: vscode.ViewColumn | undefined;
}

/** The place that the server says. */
export function asPlace(
  { uri, selection, takeFocus }: ShowDocumentParams,
  convert: LanguageClient['protocol2CodeConverter'],
): DocumentPlace {
  return {
    uri: convert.asUri(uri),
    selection: selection === undefined ? undefined : convert.asRange(selection),
    takeFocus: takeFocus !== false,
  };
}

export async function showDocument(place: DocumentPlace): Promise<void> {
  const { selection, takeFocus } = place;
  const uri = shownAs(place.uri);
  const editor = await vscode.window.showTextDocument(uri, {
    viewColumn: columnOf(uri, place.column) ?? freeColumn(),
    preserveFocus: !takeFocus,
    preview: false,
  });
  if (selection === undefined) return;
  editor.selection = new vscode.Selection(selection.start, selection.end);
  // With the end of the line above, so that the numbers between the two are in view.
  const { line } = editor.document.validatePosition(selection.start);
  const shown = line === 0 ? selection : selection.with(editor.document.lineAt(line - 1).range.end);
  const { InCenterIfOutsideViewport, AtTop } = vscode.TextEditorRevealType;
  const top = wholeRowsFor(editor, shown);
  if (top !== undefined) {
    editor.revealRange(new vscode.Range(top, 0, top, 0), AtTop);
    return;
  }
  editor.revealRange(shown, InCenterIfOutsideViewport);
  // A sentence on a line may take more rows than there are: what is shown comes before the numbers.
  editor.revealRange(selection, InCenterIfOutsideViewport);
}

/**
 * The line to have at the very top so that a place that is out of view is in the middle: VS Code
 * itself cuts a row at the top, and what scrolls with this editor begins with a whole one, out of
 * step by what was cut. Undefined where nothing has to move, where the place is among the first rows,
 * and where lines may be wrapped and are no rows.
 */
function wholeRowsFor(editor: vscode.TextEditor, shown: vscode.Range): number | undefined {
  const { document, visibleRanges } = editor;
  const settings = vscode.workspace.getConfiguration('editor', document);
  const [first, last] = [visibleRanges[0]?.start.line, visibleRanges.at(-1)?.end.line];
  if (settings.get('wordWrap') !== 'off' || first === undefined || last === undefined) return;
  if (first <= shown.start.line && shown.end.line <= last) return;
  const half = Math.floor((last - first) / 2);
  const top = shown.end.line - half;
  return top > 0 && top < shown.start.line ? top : undefined;
}

function columnOf(
  uri: vscode.Uri,
  wanted = vscode.window.activeTextEditor?.viewColumn,
): vscode.ViewColumn | undefined {
  const visible = vscode.window.visibleTextEditors.filter((editor) =>
    isSame(editor.document.uri, uri),
  );
  const chosen = visible.find(({ viewColumn }) => viewColumn === wanted) ?? visible[0];
  if (chosen?.viewColumn !== undefined) return chosen.viewColumn;
  return tabsOf(uri)[0]?.group.viewColumn;
}

function freeColumn(): vscode.ViewColumn {
  const active = vscode.window.activeTextEditor?.viewColumn;
  if (active === undefined) return vscode.ViewColumn.One;
  const other = vscode.window.tabGroups.all.find((group) => group.viewColumn !== active);
  return other?.viewColumn ?? vscode.ViewColumn.Beside;
}

/** Whether a tab shows a document, by itself or as what another one has become. */
export function isInTab(uri: vscode.Uri): boolean {
  return allTabs().some(
    (tab) =>
      isTabOf(uri, tab) ||
      (tab.input instanceof vscode.TabInputTextDiff && isSame(tab.input.modified, uri)),
  );
}

/** The tabs that show a document by itself. */
export function tabsOf(uri: vscode.Uri): vscode.Tab[] {
  return allTabs().filter((tab) => isTabOf(uri, tab));
}

export function isTabOf(uri: vscode.Uri, { input }: vscode.Tab): boolean {
  return input instanceof vscode.TabInputText && isSame(input.uri, uri);
}

function allTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
}

export function isSame(one: vscode.Uri, other: vscode.Uri): boolean {
  return one.toString() === other.toString();
}

export async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

/** Saves a document that nobody looks at; if that fails it is shown, not saved, and said to be so. */
export async function saveOrShow(document: vscode.TextDocument): Promise<void> {
  await saved(document, async () => {
    await vscode.window.showTextDocument(document, { preview: false, preserveFocus: true });
    const name = path.posix.basename(document.uri.path);
    void vscode.window.showErrorMessage(
      `${name} could not be saved: what was written is in its editor, and not on disk yet.`,
    );
  });
}
