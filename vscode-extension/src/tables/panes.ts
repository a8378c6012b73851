// How wide editors are. VS Code tells extensions the layout of its groups, in pixels, and no width of
// any text: what a character takes is worked out of the font, and what stands beside the text of the
// settings and the number of lines, as VS Code does it.
import * as vscode from 'vscode';
import { isTreebankLanguage } from '../treebanks';

interface Group {
  groups?: Group[];
  size?: number;
}

interface Layout extends Group {
  orientation?: 0 | 1;
}

/**
 * VS Code tells nobody when a pane gets another width: it is asked, while the window is used, and
 * where other rows are in view, as they are when rows are wrapped elsewhere.
 */
const askedEvery = 200;
/** So many times it was asked and nothing had been opened: half a second. */
const calmFor = 3;

/**
 * Of the layouts that were told to anybody since it was said last that panes have another width, all:
 * what was fitted to one that stood between two that are the same is fitted anew.
 */
const told = new Set(['']);

export class Panes implements vscode.Disposable {
  private readonly resized = new vscode.EventEmitter<void>();
  readonly onDidResize = this.resized.event;
  private readonly timer = setInterval(() => {
    if (vscode.window.state.focused) void this.look();
    this.rest();
  }, askedEvery);
  /** How often in a row the same was open. */
  private calm = 0;
  private open = '';
  private readonly subscription = vscode.Disposable.from(
    vscode.window.onDidChangeTextEditorVisibleRanges(() => void this.look()),
    // (The layout may have been told before an editor was said to be in another column of it.)
    vscode.window.onDidChangeTextEditorViewColumn(() => this.resized.fire()),
  );

  dispose(): void {
    clearInterval(this.timer);
    this.subscription.dispose();
    this.resized.dispose();
  }

  /** While nothing is opened, as what opens in between would be taken away again. */
  private rest(): void {
    const { tabGroups, activeTextEditor, visibleTextEditors } = vscode.window;
    const used = activeTextEditor?.document.uri.toString() ?? '';
    const open = [tabGroups.all.length, visibleTextEditors.length, used].join();
    this.calm = open === this.open ? this.calm + 1 : 0;
    this.open = open;
    if (this.calm === calmFor && visibleTextEditors.some(isTreebank)) void makeRow();
  }

  private async look(): Promise<void> {
    if (!vscode.window.visibleTextEditors.some(isTreebank)) return;
    const layout = JSON.stringify(await layoutOfGroups());
    if (told.size === 1) return;
    told.clear();
    told.add(layout);
    this.calm = 0;
    this.resized.fire();
  }
}

/** Pixels of what stands beside a text: the gutter's decorations, its folds, the scroll bar. */
const beside = { decorations: 10, folding: 16, scrollBar: 14, rest: 2 };
/** Where the pane of a text ends, some of it is under the scroll bar. */
export const edge = beside.scrollBar + beside.rest;
const fewestDigits = 3;
/** Of the font's size, in the fonts that VS Code takes by itself. */
const cellOfFont = 0.602;
const heightOfFont = 1.35;
/** Pixels of the minimap's edge. */
const minimapGutter = 8;

/** Of editors from before something was waited for, those that are not closed meanwhile. */
export function stillSeen(editors: readonly vscode.TextEditor[]): vscode.TextEditor[] {
  return editors.filter((editor) => vscode.window.visibleTextEditors.includes(editor));
}

/** How many characters a row has room for. */
export async function cellsOf(
  editors: readonly vscode.TextEditor[],
): Promise<ReadonlyMap<vscode.TextEditor, number>> {
  const found = new Map<vscode.TextEditor, number>();
  for (const [editor, width] of await widthsOf(editors)) {
    found.set(editor, Math.floor(roomIn(editor, width) / cellOf(editor)));
  }
  return found;
}

/** How many pixels rows have room for. */
export async function rowsOf(
  editors: readonly vscode.TextEditor[],
): Promise<ReadonlyMap<vscode.TextEditor, number>> {
  const found = new Map<vscode.TextEditor, number>();
  for (const [editor, width] of await widthsOf(editors)) found.set(editor, roomIn(editor, width));
  return found;
}

function roomIn(editor: vscode.TextEditor, width: number): number {
  const configured = configuredFor(editor);
  const isOn = (setting: string): boolean => configured.get<boolean>(setting, true);
  const digits = Math.max(String(editor.document.lineCount).length, fewestDigits);
  const folds = isOn('folding') && configured.get('showFoldingControls') !== 'never';
  const room =
    width -
    (isOn('glyphMargin') ? rowHeight(configured) : 0) -
    (configured.get('lineNumbers') === 'off' ? 0 : Math.round(digits * cellOf(editor))) -
    beside.decorations -
    (folds ? beside.folding : 0) -
    edge;
  return isOn('minimap.enabled') ? room - minimapIn(room, editor) : room;
}

/** As many pixels a column of the text that is shown beside it as the minimap is scaled. */
function minimapIn(room: number, editor: vscode.TextEditor): number {
  const configured = configuredFor(editor);
  const scale = configured.get('minimap.scale', 1);
  const columns = Math.floor((room * scale) / (cellOf(editor) + scale));
  return Math.min(columns + minimapGutter, configured.get('minimap.maxColumn', 120) * scale);
}

/** Less than 8 is a share of the font's size. */
function rowHeight(configured: vscode.WorkspaceConfiguration): number {
  const [size, height] = [configured.get('fontSize', 14), configured.get('lineHeight', 0)];
  return height >= 8 ? height : Math.round(size * (height || heightOfFont));
}

function cellOf(editor: vscode.TextEditor): number {
  return configuredFor(editor).get('fontSize', 14) * cellOfFont;
}

function configuredFor({ document }: vscode.TextEditor): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration('editor', document);
}

/** In pixels; of those in a column alone none are known before there is a row (`makeRow`). */
async function widthsOf(
  editors: readonly vscode.TextEditor[],
): Promise<[vscode.TextEditor, number][]> {
  if (!editors.some(isTreebank)) return [];
  const layout = await layoutOfGroups();
  const widths =
    layout.orientation === 1
      ? inOrder(layout, 'column', wholeOf(layout))
      : inOrder(layout, 'row', undefined);
  return editors.flatMap((editor) => {
    const width = widths[(editor.viewColumn ?? 0) - 1];
    return width === undefined ? [] : [[editor, width] as [vscode.TextEditor, number]];
  });
}

async function layoutOfGroups(): Promise<Layout> {
  const layout = await vscode.commands.executeCommand<Layout>('vscode.getEditorLayout');
  told.add(JSON.stringify(layout));
  return layout;
}

/**
 * A window that was never divided has its only group in a column, as it happens, and groups that are
 * only below one another are in one too: VS Code tells how high they are. The column is made the only
 * one of a row, which looks the same, and tells how wide it is.
 */
async function makeRow(): Promise<void> {
  const { tabGroups } = vscode.window;
  const before = tabGroups.all.length;
  const { orientation, groups = [] } = await layoutOfGroups();
  if (orientation !== 1 || groups.some((group) => group.groups !== undefined)) return;
  // (One that has opened meanwhile would be put into the last of these.)
  if (tabGroups.all.length !== before) return;
  const row: Layout = { orientation: 0, groups: groups.length > 1 ? [{ groups }] : [{}] };
  await vscode.commands.executeCommand('vscode.setEditorLayout', row);
}

/** Of each group in the order of view columns. `width`: of all that stands in a column. */
function inOrder(
  { groups = [] }: Group,
  as: 'row' | 'column',
  width: number | undefined,
): (number | undefined)[] {
  return groups.flatMap((group) => {
    const own = as === 'row' ? group.size : width;
    if (group.groups === undefined) return [own];
    return inOrder(group, as === 'row' ? 'column' : 'row', own);
  });
}

/** How wide the groups of a column are: as wide together as those of any row in it. */
function wholeOf({ groups = [] }: Group): number | undefined {
  const row = groups.find((group) => group.groups !== undefined)?.groups;
  return row?.reduce((sum, { size = 0 }) => sum + size, 0);
}

function isTreebank({ document }: vscode.TextEditor): boolean {
  return isTreebankLanguage(document.languageId);
}
