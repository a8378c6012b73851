// Tables whose columns stand under one another: the tabs of what is in view are shown as wide as
// they have to be; beside other tables what has no room is folded. Nothing of that is text.
import * as vscode from 'vscode';
import type { Answered } from '../marks/answering';
import { decorate } from '../marks/decorating';
import { isOn } from '../settings';
import { cellsBefore, Columns, isRow, type Manner, type Row, type Shown } from './columns';
import { commonOf, isCompact, roomIn, type Common, type Room } from './compact';
import { formsAround } from './heads';
import { cellsOf, stillSeen } from './panes';

const setting = 'alignedColumns';
const languages = new Set(['conllu', 'conllx', 'lattice']);
const debounceMilliseconds = 30;
/** Of a pane beside the side bar in a window of 1,280 pixels; VS Code does not tell of all panes. */
const usualCells = 98;
/** In wider panes, what is said behind rows has so many of them; and elsewhere, if it has any. */
const [roomForNotes, leastBehind] = [24, 10];
/** Rows above and below what is in view, which may be seen before they are asked for. */
const around = 40;

type Decorated = ReadonlyMap<string, vscode.DecorationOptions[]>;

/** What an editor's columns are, and what they were made for. */
interface Aligned {
  columns: Columns;
  manner: string;
}

/** How an editor's rows are shown, and of how many cells it has room for. */
interface Laid {
  shown: Shown;
  cells: number;
  /** All columns are shown: what has no room is scrolled to. */
  whole: boolean;
}

export class Aligning implements vscode.Disposable {
  /**
   * Tabs by width, what is folded and with what shown for it, forms of heads. (Room before or after
   * a tab would be taken for a part of its neighbour, and be underlined with it.)
   */
  private readonly types = new Map<string, vscode.TextEditorDecorationType>();
  private readonly aligned = new WeakMap<vscode.TextEditor, Aligned>();
  private readonly waiting = new Set<vscode.TextEditor>();
  /** Whose cursor is somewhere else than when they were last aligned. */
  private readonly moved = new WeakSet<vscode.TextEditor>();
  /** Where they have what answers to the cursor in another one: it is opened there too. */
  private readonly answering = new WeakMap<vscode.TextEditor, vscode.Position>();
  /** Those whose width is known. */
  private readonly laid = new WeakMap<vscode.TextEditor, Laid>();
  private readonly alignedOne = new vscode.EventEmitter<vscode.TextEditor>();
  readonly onDidAlign = this.alignedOne.event;
  private readonly subscription: vscode.Disposable;
  private timer: NodeJS.Timeout | undefined;

  constructor(answered: vscode.Event<Answered>, resized: vscode.Event<void>) {
    const waitForAll = (): void => this.wait(...vscode.window.visibleTextEditors);
    this.subscription = vscode.Disposable.from(
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.wait(textEditor)),
      // (The others have more room now, or less.)
      vscode.window.onDidChangeVisibleTextEditors(waitForAll),
      vscode.window.onDidChangeActiveTextEditor(waitForAll),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        this.moved.add(textEditor);
        this.wait(textEditor);
      }),
      answered(({ editor, place }) => {
        if (place === undefined) this.answering.delete(editor);
        else this.answering.set(editor, place);
        // (What all have alike in the field with the cursor depends on each.)
        waitForAll();
      }),
      resized(waitForAll),
      vscode.workspace.onDidOpenTextDocument(waitForAll),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        const shows = (editor: vscode.TextEditor): boolean => editor.document === document;
        this.wait(...vscode.window.visibleTextEditors.filter(shows));
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('treelens')) waitForAll();
      }),
    );
    waitForAll();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscription.dispose();
    this.alignedOne.dispose();
    for (const type of this.types.values()) type.dispose();
  }

  /** How many cells of a pane are left behind a row; of one that can be scrolled to, any number. */
  roomBehind(editor: vscode.TextEditor, line: number): number {
    const laid = this.laid.get(editor);
    if (laid === undefined || line >= editor.document.lineCount) return Infinity;
    const { text } = editor.document.lineAt(line);
    const left = laid.cells - cellsBefore({ line, text }, text.length, laid.shown);
    return laid.whole && left < leastBehind ? Infinity : left;
  }

  private wait(...editors: readonly vscode.TextEditor[]): void {
    for (const editor of editors) {
      if (isTable(editor)) this.waiting.add(editor);
    }
    if (this.waiting.size === 0) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      const now = [...this.waiting];
      this.waiting.clear();
      void this.alignAll(now);
    }, debounceMilliseconds);
  }

  private async alignAll(editors: readonly vscode.TextEditor[]): Promise<void> {
    const cells = await cellsOf(editors);
    for (const editor of stillSeen(editors)) this.align(editor, cells.get(editor));
  }

  private align(editor: vscode.TextEditor, cells: number | undefined): void {
    const configured = vscode.workspace.getConfiguration('editor', editor.document);
    // (Where rows are wrapped they are no columns.)
    if (isOn(setting) && configured.get('wordWrap') === 'off') {
      // As wide as it is written: what a tab takes more is for us to say.
      if (editor.options.tabSize !== 1) editor.options = { tabSize: 1 };
      const room = roomOf(cells);
      const shown = this.laidOut(editor, room, room === undefined ? cellsOfAll(cells) : cells);
      this.show(editor, decorated(shown));
      if (cells !== undefined && this.moved.delete(editor)) keepFirstColumns(editor, shown, cells);
      if (cells === undefined) this.laid.delete(editor);
      else this.laid.set(editor, { shown, cells, whole: room === undefined });
      this.alignedOne.fire(editor);
    } else if (this.aligned.delete(editor)) {
      this.laid.delete(editor);
      editor.options = { tabSize: configured.get('tabSize', 8) };
      this.show(editor, new Map());
    }
  }

  private show(editor: vscode.TextEditor, decorated: Decorated): void {
    for (const name of decorated.keys()) {
      if (!this.types.has(name)) this.types.set(name, typeOf(name));
    }
    for (const [name, type] of this.types) decorate(editor, type, decorated.get(name) ?? []);
  }

  private laidOut(
    editor: vscode.TextEditor,
    room: Room | undefined,
    cells: number | undefined,
  ): Shown {
    const { document, visibleRanges, selection } = editor;
    const first = Math.max((visibleRanges[0]?.start.line ?? 0) - around, 0);
    const end = Math.min((visibleRanges.at(-1)?.end.line ?? 0) + around + 1, document.lineCount);
    const rows: Row[] = [];
    for (let line = first; line < end; line++) {
      const { text } = document.lineAt(line);
      if (isRow(text)) rows.push({ line, text });
    }
    const showsHeads =
      room !== undefined || vscode.workspace.getConfiguration('treelens').get('hints.heads', false);
    const heads = showsHeads ? formsAround(document, first, end) : undefined;
    const cursor = this.placeIn(editor) ?? selection.active;
    const manner: Manner = { room, cells, heads, cursor, common: this.commonAtCursor() };
    return this.columnsOf(editor, manner).shown(rows, manner);
  }

  /** Where an editor has the cursor, or what answers to it. */
  private placeIn(editor: vscode.TextEditor): vscode.Position | undefined {
    const active = vscode.window.activeTextEditor;
    return editor === active ? editor.selection.active : this.answering.get(editor);
  }

  /**
   * What all tables have alike in the field at the cursor, as long as that is selected, as it is by
   * going from one difference to the next: who writes in it sees all of it.
   */
  private commonAtCursor(): Common {
    if (vscode.window.activeTextEditor?.selection.isEmpty !== false) return new Set();
    const fields = vscode.window.visibleTextEditors.flatMap((editor) => {
      const place = this.placeIn(editor);
      const isThere = place !== undefined && place.line < editor.document.lineCount;
      return isThere ? [fieldAt(editor.document.lineAt(place).text, place.character)] : [];
    });
    return new Set(fields).size > 1 ? commonOf(fields) : new Set();
  }

  /** Another room, other columns: else what was wide once would stay so. */
  private columnsOf(editor: vscode.TextEditor, { room, cells, heads }: Manner): Columns {
    const manner = JSON.stringify([room ?? cells, heads !== undefined]);
    const before = this.aligned.get(editor);
    if (before?.manner === manner) return before.columns;
    const columns = new Columns();
    this.aligned.set(editor, { columns, manner });
    return columns;
  }
}

function isTable({ document }: vscode.TextEditor): boolean {
  return languages.has(document.languageId);
}

/** The field of a row that ends at a character or behind it. */
function fieldAt(row: string, character: number): string {
  const start = row.lastIndexOf('\t', character - 1) + 1;
  return row.slice(start).split('\t', 1)[0] ?? '';
}

/**
 * In rows with words from the right VS Code does not draw a mark that ends where a decoration has a
 * place for what is shown before it; who has options of its own has such a place, also if they are
 * empty. So what is shown comes after a range, and options are of what begins with a field.
 */
function decorated({ gaps, folds, heads }: Shown): Decorated {
  const found = new Map<string, vscode.DecorationOptions[]>();
  const add = (name: string, range: vscode.Range, contentText?: string): void => {
    const options = found.get(name) ?? [];
    options.push(
      contentText === undefined ? { range } : { range, renderOptions: { after: { contentText } } },
    );
    found.set(name, options);
  };
  for (const { line, character, width } of gaps) {
    add(`gap ${width}`, new vscode.Range(line, character, line, character + 1));
  }
  for (const { line, start, end: stop, ellipsis } of folds) {
    // Behind the first character that is not shown, and so before a note at the end of the line.
    if (ellipsis) add('ellipsis', new vscode.Range(line, start, line, start + 1));
    add('fold', new vscode.Range(line, ellipsis ? start + 1 : start, line, stop));
  }
  for (const { line, start, character, text } of heads) {
    add('head', new vscode.Range(line, start, line, character), text);
  }
  return found;
}

/**
 * ID and FORM stay in view where the cursor can be seen with them: whoever goes to a field that is
 * shown for it alone comes from a row that was scrolled sideways for what is folded again.
 */
function keepFirstColumns(editor: vscode.TextEditor, laid: Shown, cells: number): void {
  const { line, character } = editor.selection.active;
  const { text } = editor.document.lineAt(line);
  const seen = editor.visibleRanges.some(
    ({ start, end }) => start.line <= line && line <= end.line,
  );
  if (!seen || !isRow(text) || cellsBefore({ line, text }, character, laid) > cells) return;
  editor.revealRange(new vscode.Range(line, 0, line, 0));
}

/** What columns may take of a pane where all are shown. */
function cellsOfAll(cells = usualCells): number {
  return cells < usualCells ? cells : Math.max(cells - roomForNotes, usualCells);
}

/** Undefined where all columns are shown. */
function roomOf(cells: number | undefined): Room | undefined {
  const tables = vscode.window.visibleTextEditors.filter(isTable);
  const beside = tables.length > 1 ? 'besideTables' : 'elsewhere';
  const wanted = vscode.workspace
    .getConfiguration('treelens')
    .get<'beside others' | 'always' | 'never'>('compactTables', 'beside others');
  switch (wanted) {
    case 'never':
      return undefined;
    case 'always':
      return roomIn(cells ?? Infinity, beside);
    case 'beside others':
      return cells === undefined || !isCompact(cells, vscode.window.tabGroups.all.length < 2)
        ? undefined
        : roomIn(cells, beside);
  }
}

const faint = new vscode.ThemeColor('editorInlayHint.foreground');

function typeOf(name: string): vscode.TextEditorDecorationType {
  const rangeBehavior = vscode.DecorationRangeBehavior.ClosedClosed;
  const create = vscode.window.createTextEditorDecorationType;
  if (name.startsWith('gap ')) {
    return create({ letterSpacing: `${name.slice('gap '.length)}ch`, rangeBehavior });
  }
  if (name === 'head') {
    return create({ after: { color: faint, margin: '0 0 0 1ch' }, rangeBehavior });
  }
  // What is not displayed at all cannot be measured: a mark that ends before it would not be drawn.
  const hidden = { textDecoration: 'none; font-size: 0', letterSpacing: '0px', rangeBehavior };
  if (name === 'fold') return create(hidden);
  return create({
    ...hidden,
    after: { contentText: '…', color: faint, textDecoration: 'none; opacity: 0.6' },
  });
}
