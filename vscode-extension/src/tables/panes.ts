// How wide the editors are that stand beside others. VS Code tells extensions the layout of its
// groups, in pixels, and no width of any text: what a character takes is worked out of the font.
import * as vscode from 'vscode';

interface Group {
  groups?: Group[];
  size?: number;
}

interface Layout extends Group {
  orientation?: 0 | 1;
}

/** Of a group's width: line numbers, folding, scroll bar. */
const besideText = 86;
/** Of the font's size, in the fonts that VS Code takes by itself. */
const cellOfFont = 0.602;

/** How many characters a row has room for, for editors that have another one beside them. */
export async function cellsOf(
  editors: readonly vscode.TextEditor[],
): Promise<ReadonlyMap<vscode.TextEditor, number>> {
  if (vscode.window.tabGroups.all.length < 2) return new Map();
  const layout = await vscode.commands.executeCommand<Layout>('vscode.getEditorLayout');
  const widths = widthsOf(layout, layout.orientation === 1 ? 'column' : 'row');
  const found = new Map<vscode.TextEditor, number>();
  for (const editor of editors) {
    const width = widths[(editor.viewColumn ?? 0) - 1];
    if (width === undefined) continue;
    const size = vscode.workspace.getConfiguration('editor', editor.document).get('fontSize', 14);
    found.set(editor, Math.floor((width - besideText) / (size * cellOfFont)));
  }
  return found;
}

/** Of each group in the order of view columns; undefined for those that have none beside them. */
function widthsOf({ groups = [] }: Group, as: 'row' | 'column'): (number | undefined)[] {
  return groups.flatMap((group) => {
    if (group.groups !== undefined) return widthsOf(group, as === 'row' ? 'column' : 'row');
    return [as === 'row' && groups.length > 1 ? group.size : undefined];
  });
}
