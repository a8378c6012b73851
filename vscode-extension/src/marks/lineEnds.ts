// Draws the notes at the ends of lines, in place of the inlay hints that VS Code asks for.
import * as vscode from 'vscode';
import { decorate } from './decorating';
import type { Focus } from './focus';
import { breakable, isNarrow, namesIn, notesOf, written, writtenShort, type Said } from './notes';
import type { Aligning } from '../tables/aligning';
import { edge, rowsOf, stillSeen } from '../tables/panes';

/** Characters of the editor's font. */
const margin = 1.5;
const style = {
  margin: `0 ${edge}px 0 ${margin}ch`,
  color: new vscode.ThemeColor('editorInlayHint.foreground'),
  fontStyle: 'italic', // (In high contrast themes it has the text's own colour.)
};
/** Of a note that is as wide as what it says. */
const backgroundColor = new vscode.ThemeColor('editorInlayHint.background');
/** What an ellipsis takes, and some. */
const least = 2;
/**
 * In rows that are wrapped a note takes no room, for there is nowhere to scroll to: it has what is
 * left of its row. It is wrapped there, and its first row shown: what has no room is left out whole,
 * and an ellipsis says so, if there is room for that.
 */
const floating = (width: string): string =>
  [
    'none; position: absolute; white-space: normal; overflow: hidden',
    'display: -webkit-inline-box; -webkit-box-orient: vertical; -webkit-line-clamp: 1',
    width,
    `clip-path: inset(0 calc((${least}ch - 100%) * 1000) 0 0)`,
  ].join('; ');
/** All that it says in what is left of so many pixels; 100% is what the text of a row takes. */
const leftOf = (room: number): string =>
  `width: max-content; max-width: calc(${room}px - 100% - ${margin}ch)`;
/**
 * Where VS Code does not tell how wide panes are, only the page knows, and there the text of a row is
 * as wide as what it says. What would take any room and needs none, stands beside nothing and is not
 * seen, makes it as wide as the pane. (In a pane that gets narrower, it stays so.)
 */
const leftOver = 'max-width: -moz-available; max-width: -webkit-fill-available';
const widening = {
  contentText: '. .',
  textDecoration:
    'none; float: left; height: 0; overflow: hidden; white-space: normal; word-spacing: 100000px',
};

interface Known {
  version: number;
  notes: Map<number, readonly Said[]>;
}

export class LineEnds implements vscode.Disposable {
  private readonly decoration = vscode.window.createTextEditorDecorationType({
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  private known = new WeakMap<vscode.TextDocument, Known>();
  /** Pixels that rows have room for, where VS Code tells. */
  private rooms: ReadonlyMap<vscode.TextEditor, number> = new Map();
  private readonly subscriptions: vscode.Disposable;

  constructor(
    private readonly focus: Focus,
    private readonly aligning: Aligning,
    resized: vscode.Event<void>,
  ) {
    const drawAll = (editors: readonly vscode.TextEditor[]): void =>
      editors.forEach((editor) => this.draw(editor));
    const measure = async (): Promise<void> => {
      const editors = vscode.window.visibleTextEditors;
      this.rooms = await rowsOf(editors);
      drawAll(stillSeen(editors));
    };
    this.subscriptions = vscode.Disposable.from(
      vscode.window.onDidChangeVisibleTextEditors(measure),
      // (Soon: VS Code measures rows a moment after that, and keeps what it has found.)
      vscode.window.tabGroups.onDidChangeTabGroups(measure),
      resized(measure),
      focus.onDidMove(() => drawAll(vscode.window.visibleTextEditors)),
      aligning.onDidAlign((editor) => this.draw(editor)),
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
    this.decoration.dispose();
  }

  /** The server's hints for a part of a document, which are all there are in its lines. */
  show(document: vscode.TextDocument, range: vscode.Range, hints: vscode.InlayHint[]): void {
    const places = hints.map(({ position, label }) => ({
      line: position.line,
      character: position.character,
      label: typeof label === 'string' ? label : label.map(({ value }) => value).join(''),
    }));
    const known = this.of(document);
    for (const line of known.keys()) {
      if (range.start.line <= line && line <= range.end.line) known.delete(line);
    }
    const textOf = (line: number): string => document.lineAt(line).text;
    for (const { line, said } of notesOf(places, textOf)) known.set(line, said);
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document === document) this.draw(editor);
    }
  }

  /** What a server that has ended said is no more to be seen than its marks are. */
  forget(): void {
    this.known = new WeakMap();
    for (const editor of vscode.window.visibleTextEditors) {
      decorate(editor, this.decoration, []);
    }
  }

  /** After a change VS Code asks for all that is in view; what was known has moved. */
  private of(document: vscode.TextDocument): Map<number, readonly Said[]> {
    const before = this.known.get(document);
    if (before?.version === document.version) return before.notes;
    const notes = new Map<number, readonly Said[]>();
    this.known.set(document, { version: document.version, notes });
    return notes;
  }

  private draw(editor: vscode.TextEditor): void {
    const known = this.known.get(editor.document);
    if (known?.version !== editor.document.version) return;
    const names = namesIn(known.notes.values());
    const options = [...known.notes]
      .filter(([line]) => line < editor.document.lineCount)
      .filter(([line]) => this.focus.has(editor.document, line))
      .map(([line, said]) => {
        const text = this.text(editor, line, said, names);
        return behind(editor, line, text, this.rooms.get(editor));
      });
    decorate(editor, this.decoration, options);
  }

  private text(
    editor: vscode.TextEditor,
    line: number,
    said: readonly Said[],
    names: ReadonlySet<string>,
  ): string {
    const columns = vscode.window.tabGroups.all.length;
    if (wraps(editor.document) && isNarrow(this.rooms.get(editor) ?? Infinity, columns)) {
      return writtenShort(said, names);
    }
    return written(said, this.aligning.roomBehind(editor, line) - margin, names);
  }
}

function behind(
  editor: vscode.TextEditor,
  line: number,
  text: string,
  room: number | undefined,
): vscode.DecorationOptions {
  const end = new vscode.Position(line, Number.MAX_SAFE_INTEGER);
  if (!wraps(editor.document)) {
    // (Of the whole line, for marks that end with it: see `decorated` in tables/aligning.ts.)
    const range = new vscode.Range(new vscode.Position(line, 0), end);
    return { range, renderOptions: { after: { ...style, contentText: text, backgroundColor } } };
  }
  const textDecoration = floating(room === undefined ? leftOver : leftOf(room));
  const after = { ...style, contentText: breakable(text), textDecoration };
  const renderOptions = room === undefined ? { before: widening, after } : { after };
  return { range: new vscode.Range(end, end), renderOptions };
}

function wraps(document: vscode.TextDocument): boolean {
  return vscode.workspace.getConfiguration('editor', document).get('wordWrap') !== 'off';
}
