// Where the panel opens: beside one text, below two. Trees are wide, and so are texts.
import * as vscode from 'vscode';

interface Group {
  groups?: Group[];
  size?: number;
}

interface Layout extends Group {
  orientation?: 0 | 1;
  groups: Group[];
}

export async function pictureColumn(): Promise<vscode.ViewColumn> {
  const { all } = vscode.window.tabGroups;
  if (all.length < 2) return vscode.ViewColumn.Beside;
  const layout = await vscode.commands.executeCommand<Layout>('vscode.getEditorLayout');
  const isRow = layout.orientation === 0 && layout.groups.every(({ groups }) => !groups);
  if (all.length > 2 || !isRow) return lastColumn(all);
  const below: Layout = {
    orientation: 1,
    groups: [{ groups: layout.groups, size: 0.5 }, { size: 0.5 }],
  };
  await vscode.commands.executeCommand('vscode.setEditorLayout', below);
  return vscode.ViewColumn.Three;
}

function lastColumn(groups: readonly vscode.TabGroup[]): vscode.ViewColumn {
  const columns = groups.filter(({ isActive }) => !isActive).map(({ viewColumn }) => viewColumn);
  return columns.at(-1) ?? vscode.ViewColumn.Beside;
}
