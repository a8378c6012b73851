// Where a document that the server wants shown appears: in the diff or the column where it already
// is, and otherwise beside the file it was asked from, never on top of it.
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
  const seen = editorOf(uri, place.column);
  const compared = seen === undefined ? undefined : groupOfDiff(seen);
  if (seen !== undefined && compared !== undefined) {
    if (takeFocus) await enter(uri, compared);
    select(seen, selection);
    return;
  }
  const editor = await vscode.window.showTextDocument(uri, {
    viewColumn: seen?.viewColumn ?? tabsOf(uri)[0]?.group.viewColumn ?? freeColumn(),
    preserveFocus: !takeFocus,
    preview: false,
  });
  select(editor, selection);
}

function select(editor: vscode.TextEditor, selection: vscode.Range | undefined): void {
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

function editorOf(
  uri: vscode.Uri,
  wanted = vscode.window.activeTextEditor?.viewColumn,
): vscode.TextEditor | undefined {
  const visible = vscode.window.visibleTextEditors.filter((editor) =>
    isSame(editor.document.uri, uri),
  );
  return visible.find(({ viewColumn }) => viewColumn === wanted) ?? visible[0];
}

/**
 * The group in which an editor is a half of a diff, which VS Code shows no document in: it would open
 * a tab over it. Halves are in no column. The left one may be there without being seen, in a diff that
 * is shown inline: it is taken only where the cursor is in it.
 */
function groupOfDiff(editor: vscode.TextEditor): vscode.TabGroup | undefined {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const { uri } = editor.document;
  return [activeTabGroup, ...all].find(({ activeTab, viewColumn }) => {
    if (!(activeTab?.input instanceof vscode.TabInputTextDiff)) return false;
    if (editor.viewColumn !== undefined && editor.viewColumn !== viewColumn) return false;
    const { original, modified } = activeTab.input;
    const isIn = editor === vscode.window.activeTextEditor;
    return isSame(modified, uri) || (isIn && isSame(original, uri));
  });
}

const ordinals = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth'];

/** Takes the focus into a diff: VS Code gives it to the right half; where the left one has it, it stays. */
async function enter(uri: vscode.Uri, { activeTab, viewColumn }: vscode.TabGroup): Promise<void> {
  const isRight =
    activeTab?.input instanceof vscode.TabInputTextDiff && isSame(activeTab.input.modified, uri);
  const ordinal = ordinals[viewColumn - 1];
  if (!isRight || ordinal === undefined) return;
  await vscode.commands.executeCommand(`workbench.action.focus${ordinal}EditorGroup`);
}

function freeColumn(): vscode.ViewColumn {
  const editor = vscode.window.activeTextEditor;
  const active = editor && (editor.viewColumn ?? groupOfDiff(editor)?.viewColumn);
  if (active === undefined) return vscode.ViewColumn.One;
  const other = vscode.window.tabGroups.all.find((group) => group.viewColumn !== active);
  return other?.viewColumn ?? vscode.ViewColumn.Beside;
}

/** Whether a tab shows a document, by itself or as either half of a diff. */
export function isInTab(uri: vscode.Uri): boolean {
  return allTabs().some((tab) => isTabOf(uri, tab) || isHalfOf(uri, tab));
}

function isHalfOf(uri: vscode.Uri, { input }: vscode.Tab): boolean {
  if (!(input instanceof vscode.TabInputTextDiff)) return false;
  return isSame(input.original, uri) || isSame(input.modified, uri);
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
