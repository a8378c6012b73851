// From the picture into the text.
import * as vscode from 'vscode';
import { isSame, showDocument } from '../showDocument';
import type { Stretch } from './picture';

export interface TextPlace {
  uri: vscode.Uri;
  selection: Stretch | undefined;
  takeFocus: boolean;
}

/** Selects a place where its text is seen; with focus, opens the text if need be. */
export async function goTo({ uri, selection, takeFocus }: TextPlace): Promise<vscode.Position> {
  const range = selection === undefined ? undefined : asRange(selection);
  if (takeFocus) await showDocument({ uri, selection: range, takeFocus });
  else if (range !== undefined) {
    for (const editor of vscode.window.visibleTextEditors) {
      if (!isSame(editor.document.uri, uri)) continue;
      editor.selection = new vscode.Selection(range.start, range.end);
      editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
  }
  return range?.end ?? new vscode.Position(0, 0);
}

export function asRange({ start, end }: Stretch): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
