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

/** VS Code tells nobody when a pane gets another width: it is asked, while the window is used. */
const askedEvery = 500;

export class Panes implements vscode.Disposable {
  private readonly resized = new vscode.EventEmitter<void>();
  readonly onDidResize = this.resized.event;
  private readonly timer = setInterval(() => void this.look(), askedEvery);
  private before = '';

  dispose(): void {
    clearInterval(this.timer);
    this.resized.dispose();
  }

  private async look(): Promise<void> {
    const shown = vscode.window.visibleTextEditors.map(({ document }) => document.languageId);
    if (!vscode.window.state.focused || !shown.some(isTreebankLanguage)) return;
    const layout = JSON.stringify(await layoutOfGroups());
    if (layout === this.before) return;
    this.before = layout;
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

/**
 * In pixels; of editors in groups that stand below one another VS Code does not tell, nor of one that
 * was never divided.
 */
async function widthsOf(
  editors: readonly vscode.TextEditor[],
): Promise<[vscode.TextEditor, number][]> {
  const layout = await layoutOfGroups();
  const widths = inOrder(layout, layout.orientation === 1 ? 'column' : 'row');
  return editors.flatMap((editor) => {
    const width = widths[(editor.viewColumn ?? 0) - 1];
    return width === undefined ? [] : [[editor, width] as [vscode.TextEditor, number]];
  });
}

function layoutOfGroups(): Thenable<Layout> {
  return vscode.commands.executeCommand<Layout>('vscode.getEditorLayout');
}

/** Of each group in the order of view columns; undefined for those in a column. */
function inOrder({ groups = [] }: Group, as: 'row' | 'column'): (number | undefined)[] {
  return groups.flatMap((group) => {
    if (group.groups !== undefined) return inOrder(group, as === 'row' ? 'column' : 'row');
    return [as === 'row' ? group.size : undefined];
  });
}
