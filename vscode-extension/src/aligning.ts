// Tables whose columns stand under one another: room is shown behind the tabs of what is in view,
// and nothing of it is text.
import * as vscode from 'vscode';
import { Columns, isRow, type Row } from './columns';

const setting = 'alignedColumns';
const languages = new Set(['conllu', 'conllx', 'lattice']);
const debounceMilliseconds = 30;
/** Rows above and below what is in view, which may be seen before they are asked for. */
const around = 40;

export class Aligning implements vscode.Disposable {
  private readonly gap = vscode.window.createTextEditorDecorationType({
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  private readonly columns = new WeakMap<vscode.TextDocument, Columns>();
  private readonly aligned = new WeakSet<vscode.TextEditor>();
  private readonly waiting = new Set<vscode.TextEditor>();
  private readonly subscription: vscode.Disposable;
  private timer: NodeJS.Timeout | undefined;

  constructor() {
    this.subscription = vscode.Disposable.from(
      this.gap,
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => {
        this.wait(textEditor);
      }),
      vscode.window.onDidChangeVisibleTextEditors((editors) => {
        this.wait(...editors);
      }),
      vscode.workspace.onDidOpenTextDocument(() => {
        this.wait(...vscode.window.visibleTextEditors);
      }),
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
    if (isOn() && configured.get('wordWrap') === 'off') {
      // As wide as it is written: what a tab takes more is for us to say.
      if (editor.options.tabSize !== 1) editor.options = { ...editor.options, tabSize: 1 };
      this.aligned.add(editor);
      editor.setDecorations(this.gap, this.gaps(editor));
    } else if (this.aligned.delete(editor)) {
      editor.options = { ...editor.options, tabSize: configured.get('tabSize', 8) };
      editor.setDecorations(this.gap, []);
    }
  }

  private gaps({ document, visibleRanges }: vscode.TextEditor): vscode.DecorationOptions[] {
    const columns = this.columns.get(document) ?? new Columns();
    this.columns.set(document, columns);
    const first = Math.max((visibleRanges[0]?.start.line ?? 0) - around, 0);
    const end = Math.min((visibleRanges.at(-1)?.end.line ?? 0) + around + 1, document.lineCount);
    const rows: Row[] = [];
    for (let line = first; line < end; line++) {
      const { text } = document.lineAt(line);
      if (isRow(text)) rows.push({ line, text });
    }
    return columns.gaps(rows).map(({ line, character, width }) => ({
      range: new vscode.Range(line, character, line, character + 1),
      renderOptions: { after: { contentText: '', width: `${width}ch` } },
    }));
  }
}

function isOn(): boolean {
  return vscode.workspace.getConfiguration('treelens').get(setting, true);
}
