// Tables whose columns stand under one another: the tabs of what is in view are shown as wide as
// they have to be, and nothing of that is text.
import * as vscode from 'vscode';
import { Columns, isRow, type Row } from './columns';
import { isOn } from '../settings';

const setting = 'alignedColumns';
const languages = new Set(['conllu', 'conllx', 'lattice']);
const debounceMilliseconds = 30;
/** Rows above and below what is in view, which may be seen before they are asked for. */
const around = 40;

export class Aligning implements vscode.Disposable {
  /**
   * By width. (Room before or after a tab would be taken for a part of its neighbour, and be
   * underlined with it.)
   */
  private readonly gaps = new Map<number, vscode.TextEditorDecorationType>();
  private readonly columns = new WeakMap<vscode.TextDocument, Columns>();
  private readonly aligned = new WeakSet<vscode.TextEditor>();
  private readonly waiting = new Set<vscode.TextEditor>();
  private readonly subscription: vscode.Disposable;
  private timer: NodeJS.Timeout | undefined;

  constructor() {
    this.subscription = vscode.Disposable.from(
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.wait(textEditor)),
      vscode.window.onDidChangeVisibleTextEditors((editors) => this.wait(...editors)),
      vscode.workspace.onDidOpenTextDocument(() => this.wait(...vscode.window.visibleTextEditors)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        const shows = (editor: vscode.TextEditor): boolean => editor.document === document;
        this.wait(...vscode.window.visibleTextEditors.filter(shows));
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(`treelens.${setting}`)) {
          this.wait(...vscode.window.visibleTextEditors);
        }
      }),
    );
    this.wait(...vscode.window.visibleTextEditors);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscription.dispose();
    for (const gap of this.gaps.values()) gap.dispose();
  }

  private wait(...editors: readonly vscode.TextEditor[]): void {
    for (const editor of editors) {
      if (languages.has(editor.document.languageId)) this.waiting.add(editor);
    }
    if (this.waiting.size === 0) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      const now = [...this.waiting];
      this.waiting.clear();
      for (const editor of now) this.align(editor);
    }, debounceMilliseconds);
  }

  private align(editor: vscode.TextEditor): void {
    const configured = vscode.workspace.getConfiguration('editor', editor.document);
    // (Where rows are wrapped they are no columns.)
    if (isOn(setting) && configured.get('wordWrap') === 'off') {
      // As wide as it is written: what a tab takes more is for us to say.
      if (editor.options.tabSize !== 1) editor.options = { tabSize: 1 };
      this.aligned.add(editor);
      this.show(editor, this.rangesOf(editor));
    } else if (this.aligned.delete(editor)) {
      editor.options = { tabSize: configured.get('tabSize', 8) };
      this.show(editor, new Map());
    }
  }

  private show(editor: vscode.TextEditor, ranges: ReadonlyMap<number, vscode.Range[]>): void {
    for (const width of ranges.keys()) {
      if (this.gaps.has(width)) continue;
      const gap = vscode.window.createTextEditorDecorationType({
        letterSpacing: `${width}ch`,
        rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
      });
      this.gaps.set(width, gap);
    }
    for (const [width, gap] of this.gaps) editor.setDecorations(gap, ranges.get(width) ?? []);
  }

  private rangesOf({ document, visibleRanges }: vscode.TextEditor): Map<number, vscode.Range[]> {
    const columns = this.columns.get(document) ?? new Columns();
    this.columns.set(document, columns);
    const first = Math.max((visibleRanges[0]?.start.line ?? 0) - around, 0);
    const end = Math.min((visibleRanges.at(-1)?.end.line ?? 0) + around + 1, document.lineCount);
    const rows: Row[] = [];
    for (let line = first; line < end; line++) {
      const { text } = document.lineAt(line);
      if (isRow(text)) rows.push({ line, text });
    }
    const ranges = new Map<number, vscode.Range[]>();
    for (const { line, character, width } of columns.gaps(rows)) {
      const range = new vscode.Range(line, character, line, character + 1);
      const others = ranges.get(width);
      if (others === undefined) ranges.set(width, [range]);
      else others.push(range);
    }
    return ranges;
  }
}
