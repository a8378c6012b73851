// How wide editors are. VS Code tells extensions the layout of its groups, in pixels, and no width of
// any text: what a character takes is worked out of the font, as is the minimap's width.
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

/** Of a group's width: line numbers, folding, scroll bar. */
const besideText = 86;
/** The same of a text that is wrapped, which has no place for folding. */
const besideWrapped = 94;
/** Of the font's size, in the fonts that VS Code takes by itself. */
const cellOfFont = 0.602;

/** How many characters a row has room for, for editors that have another one beside them. */
export async function cellsOf(
  editors: readonly vscode.TextEditor[],
): Promise<ReadonlyMap<vscode.TextEditor, number>> {
  const found = new Map<vscode.TextEditor, number>();
  if (vscode.window.tabGroups.all.length < 2) return found;
  for (const [editor, width] of await widthsOf(editors)) {
    found.set(editor, Math.floor((width - besideText) / cellOf(editor)));
  }
  return found;
}

/** How many pixels the rows of a text that is wrapped have room for. */
export async function rowsOf(
  editors: readonly vscode.TextEditor[],
): Promise<ReadonlyMap<vscode.TextEditor, number>> {
  const found = new Map<vscode.TextEditor, number>();
  for (const [editor, width] of await widthsOf(editors)) {
    const { document } = editor;
    const room = width - besideWrapped;
    const has = vscode.workspace
      .getConfiguration('editor', document)
      .get<boolean>('minimap.enabled', true);
    found.set(editor, has ? room - minimapIn(room, cellOf(editor)) : room);
  }
  return found;
}

/** A pixel a column of the text that is shown beside it, and some. */
function minimapIn(room: number, cell: number): number {
  return Math.min(Math.floor(room / (cell + 1)) + 8, 120);
}

function cellOf({ document }: vscode.TextEditor): number {
  return vscode.workspace.getConfiguration('editor', document).get('fontSize', 14) * cellOfFont;
}

/** In pixels; of editors in groups that stand below one another VS Code does not tell. */
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
