// From the picture into the text: the cursor goes along, and the current node is lit up.
import * as vscode from 'vscode';
import { decorate } from '../marks/decorating';
import { isSame, showDocument } from '../showDocument';
import type { PictureNode, Place, Stretch } from './picture';

/** Lights up where a node is written, in every editor that shows it. */
export class Light implements vscode.Disposable {
  private readonly decoration = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('editor.selectionHighlightBackground'),
    border: '1px solid',
    borderColor: new vscode.ThemeColor('editor.selectionHighlightBorder'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.selectionHighlightForeground'),
  });

  dispose(): void {
    this.decoration.dispose();
  }

  show(node: PictureNode | undefined): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const name = editor.document.uri.toString();
      const here = node?.places.filter(({ uri }) => uri === name) ?? [];
      decorate(
        editor,
        this.decoration,
        here.map(({ range }) => asRange(range)),
      );
    }
  }
}

type Column = vscode.ViewColumn | undefined;

/** The editors that show a text; where it is open in several columns, the one in `column`. */
function editorsOf(uri: vscode.Uri, column: Column): vscode.TextEditor[] {
  const all = vscode.window.visibleTextEditors.filter(({ document }) => isSame(document.uri, uri));
  const there = all.filter(({ viewColumn }) => viewColumn === column);
  return there.length > 0 ? there : all;
}

/** Where its text is seen, selects what names a node; into the text only if it takes the focus. */
export async function goTo(
  place: Place,
  takeFocus: boolean,
  column: Column,
): Promise<vscode.Position> {
  const uri = vscode.Uri.parse(place.uri);
  const selection = asRange(place.selection);
  if (takeFocus) await showDocument({ uri, selection, takeFocus, column });
  else {
    for (const editor of editorsOf(uri, column)) {
      editor.selection = new vscode.Selection(selection.start, selection.end);
    }
    keepInView(uri, selection, column);
  }
  return selection.end;
}

export function putCursor(uri: vscode.Uri, position: vscode.Position, column: Column): void {
  for (const editor of editorsOf(uri, column)) {
    editor.selection = new vscode.Selection(position, position);
  }
}

/** Scrolls to a place if it is not in view, in the middle. */
function keepInView(uri: vscode.Uri, range: vscode.Range, column: Column): void {
  const { InCenterIfOutsideViewport } = vscode.TextEditorRevealType;
  for (const editor of editorsOf(uri, column)) editor.revealRange(range, InCenterIfOutsideViewport);
}

/**
 * Scrolls to as much of a sentence as there is room for, with the numbers above it: these are between
 * its first row and the one before. (What cannot be in the middle is at the very top.)
 */
export function keepSentenceInView(uri: vscode.Uri, sentence: vscode.Range, column: Column): void {
  const { Default, InCenter } = vscode.TextEditorRevealType;
  const top = new vscode.Position(0, 0);
  for (const editor of editorsOf(uri, column)) {
    const { line } = sentence.start;
    if (line === 0) editor.revealRange(new vscode.Range(top, top), InCenter);
    else editor.revealRange(new vscode.Range(lastRowOf(editor, line - 1), sentence.end), Default);
  }
}

/** Where the last row of a line is, and nothing has to be scrolled sideways for it. */
function lastRowOf({ document }: vscode.TextEditor, line: number): vscode.Position {
  const wraps = vscode.workspace.getConfiguration('editor', document).get('wordWrap') !== 'off';
  return wraps ? document.lineAt(line).range.end : new vscode.Position(line, 0);
}

/** Keeps the cursor's place in view while editors are given less room, and scroll with others that
 * are: until it moves, as then it is elsewhere that somebody looks. (VS Code may have been told to
 * scroll away from there by then.) */
export function keepInViewWhileMoved(
  uri: vscode.Uri,
  range: vscode.Range,
  column: Column,
): vscode.Disposable {
  keepInView(uri, range, column);
  const kept = vscode.Disposable.from(
    vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor, visibleRanges }) => {
      const isSeen = visibleRanges.some((one) => one.contains(range.start));
      if (!isSeen && editorsOf(uri, column).includes(textEditor)) keepInView(uri, range, column);
    }),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections: [selection] }) => {
      if (selection === undefined || selection.active.isEqual(range.start)) return;
      if (!editorsOf(uri, column).includes(textEditor)) return;
      void kept.dispose();
      const { active } = selection;
      keepInView(uri, new vscode.Range(active, active), column);
    }),
  );
  return kept;
}

export function asRange({ start, end }: Stretch): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
