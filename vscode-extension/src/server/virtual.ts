// Documents that no user has opened. VS Code loads the committed text of each file that is edited, to
// mark what has changed beside it; to a server they would be treebanks of their own, to be compared
// with and to be found. So it hears of such a document when it is shown in a tab, or asked for.
import * as vscode from 'vscode';
import { packedScheme } from '../packed/names';
import { isSame, tabsOf } from '../showDocument';

type Send = (document: vscode.TextDocument) => Promise<void>;

/** Whether the user knows of a document: files, what has no file yet, and what is in a tab. */
export function isOpened(uri: vscode.Uri): boolean {
  if (['file', 'untitled', packedScheme].includes(uri.scheme)) return true;
  return tabsOf(uri).length > 0;
}

export class Virtual implements vscode.Disposable {
  private readonly held = new Map<vscode.TextDocument, Send>();
  private readonly subscription = vscode.window.tabGroups.onDidChangeTabs(() => {
    for (const document of this.held.keys()) {
      if (isOpened(document.uri)) void this.send(document);
    }
  });

  dispose(): void {
    this.subscription.dispose();
    this.held.clear();
  }

  /** For the middleware of a language client. */
  async open(document: vscode.TextDocument, send: Send): Promise<void> {
    if (isOpened(document.uri)) await send(document);
    else this.held.set(document, send);
  }

  async close(document: vscode.TextDocument, send: Send): Promise<void> {
    if (!this.held.delete(document)) await send(document);
  }

  /** Somebody wants it, though its tab may not be there yet. */
  async want(uri: vscode.Uri): Promise<void> {
    for (const document of this.held.keys()) {
      if (isSame(document.uri, uri)) await this.send(document);
    }
  }

  private async send(document: vscode.TextDocument): Promise<void> {
    const send = this.held.get(document);
    this.held.delete(document);
    await send?.(document);
  }
}
