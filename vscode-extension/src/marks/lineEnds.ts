// Draws the notes at the ends of lines, in place of the inlay hints that VS Code asks for.
import * as vscode from 'vscode';
import type { Focus } from './focus';
import { breakable, notesOf, written, type Said } from './notes';
import type { Aligning } from '../tables/aligning';
import { rowsOf } from '../tables/panes';

/** Characters of the editor's font. */
const margin = 1.5;
const style = {
  margin: `0 0 0 ${margin}ch`,
  color: new vscode.ThemeColor('editorInlayHint.foreground'),
  fontStyle: 'italic', // (In high contrast themes it has the text's own colour.)
};
/** Of a note that is as wide as what it says. */
const backgroundColor = new vscode.ThemeColor('editorInlayHint.background');
/** Takes no room: where lines are wrapped there is nowhere to scroll to. */
const floating = 'none; position: absolute; width: max-content; white-space: normal';
const firstRow = 'display: -webkit-inline-box; -webkit-box-orient: vertical; -webkit-line-clamp: 1';
/** What an ellipsis takes, and some. */
const least = 2;
/**
 * As much of it as is left of so many pixels behind the text of its row, which only the page knows:
 * a share of what is placed so is one of the text before it. It is wrapped there, and its first row
 * shown: what has no room is left out whole, and an ellipsis says so, if there is room for that.
 */
const within = (pixels: number): string => {
  const left = `${pixels}px - 100% - ${margin}ch`;
  const width = `min(${left}, (${left} - ${least}ch) * 1000)`;
  return `; ${firstRow}; overflow: hidden; max-width: max(0px, ${width})`;
};
const debounceMilliseconds = 50;

interface Known {
  version: number;
  notes: Map<number, readonly Said[]>;
}

export class LineEnds implements vscode.Disposable {
  private readonly decoration = vscode.window.createTextEditorDecorationType({
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  private readonly known = new WeakMap<vscode.TextDocument, Known>();
  /** How many pixels a row has room for. */
  private readonly rows = new WeakMap<vscode.TextEditor, number>();
  private timer: NodeJS.Timeout | undefined;
  private readonly subscriptions: vscode.Disposable;

  constructor(
    private readonly focus: Focus,
    private readonly aligning: Aligning,
    resized: vscode.Event<void>,
  ) {
    const drawAll = (editors: readonly vscode.TextEditor[]): void =>
      editors.forEach((editor) => this.draw(editor));
    this.subscriptions = vscode.Disposable.from(
      vscode.window.onDidChangeVisibleTextEditors((editors) => {
        drawAll(editors);
        this.measureSoon();
      }),
      resized(() => this.measureSoon()),
      focus.onDidMove(() => drawAll(vscode.window.visibleTextEditors)),
      aligning.onDidAlign((editor) => this.draw(editor)),
    );
  }

  dispose(): void {
    clearTimeout(this.timer);
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
    this.measureSoon();
  }

  private measureSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.measure();
    }, debounceMilliseconds);
  }

  private async measure(): Promise<void> {
    const wrapped = vscode.window.visibleTextEditors.filter(
      ({ document }) => this.known.has(document) && wraps(document),
    );
    if (wrapped.length === 0) return;
    for (const [editor, pixels] of await rowsOf(wrapped)) {
      if (this.rows.get(editor) === pixels) continue;
      this.rows.set(editor, pixels);
      this.draw(editor);
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
    const pixels = this.rows.get(editor);
    const room = pixels === undefined ? '' : within(pixels);
    const names = new Set([...known.notes.values()].flat().map(({ whose }) => whose));
    const options = [...known.notes]
      .filter(([line]) => line < editor.document.lineCount)
      .filter(([line]) => this.focus.has(editor.document, line))
      .map(([line, said]) => [line, this.text(editor, line, said, names)] as const)
      .map(([line, text]) => ({
        // (Of the whole line, for marks that end with it: see `decorated` in tables/aligning.ts.)
        range: new vscode.Range(line, 0, line, Number.MAX_SAFE_INTEGER),
        renderOptions: {
          after: {
            ...style,
            ...(wraps(editor.document)
              ? { contentText: breakable(text), textDecoration: floating + room }
              : { contentText: text, backgroundColor }),
          },
        },
      }));
    editor.setDecorations(this.decoration, options);
  }

  private text(
    editor: vscode.TextEditor,
    line: number,
    said: readonly Said[],
    names: ReadonlySet<string>,
  ): string {
    return written(said, this.aligning.roomBehind(editor, line) - margin, names);
  }
}

function wraps(document: vscode.TextDocument): boolean {
  return vscode.workspace.getConfiguration('editor', document).get('wordWrap') !== 'off';
}
