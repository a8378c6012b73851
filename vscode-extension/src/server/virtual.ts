// Documents that no user has opened. VS Code loads the committed text of each file that is edited, to
// mark what has changed beside it, and it keeps for minutes what an extension has shown, after its tab
// was closed and even if its file is deleted. To a server they would be treebanks of their own, to be
// compared with and to be found. So it hears of such a document when it is shown in a tab, or asked
// for, and no more of a file that is neither in a tab nor on disk.
import * as vscode from 'vscode';
import { packedScheme } from '../packed/names';
import { exists, isSame, tabsOf } from '../showDocument';
import { after, unlessOvertaken } from '../turns';

/** Milliseconds after which a file counts as there: a disk that hangs holds nothing up. */
const patience = 1000;

type Send = (document: vscode.TextDocument) => Promise<void>;

export class Virtual implements vscode.Disposable {
  private readonly held = new Map<vscode.TextDocument, Send>();
  /** Files that are no concern of the server any more as soon as they are neither shown nor there. */
  private readonly told = new Map<vscode.TextDocument, Send>();
  private readonly subscription = vscode.window.tabGroups.onDidChangeTabs(() =>
    unlessOvertaken(this.look()),
  );

  constructor(private readonly letGo: Send) {}

  dispose(): void {
    this.subscription.dispose();
    this.held.clear();
    this.told.clear();
  }

  /** For the middleware of a language client. */
  async open(document: vscode.TextDocument, send: Send): Promise<void> {
    this.told.delete(document);
    this.held.set(document, send);
    // (What is in a tab at once, so that nothing else that is said of it goes before.)
    if (isShown(document) || (await isOpened(document))) await this.send(document);
  }

  /** What is told later is told as it is then. */
  async change(document: vscode.TextDocument, send: () => Promise<void>): Promise<void> {
    if (!this.held.has(document)) await send();
  }

  async close(document: vscode.TextDocument, send: Send): Promise<void> {
    this.told.delete(document);
    if (!this.held.delete(document)) await send(document);
  }

  /** Somebody wants it, though its tab may not be there yet. */
  async want(uri: vscode.Uri): Promise<void> {
    for (const document of this.held.keys()) {
      if (isSame(document.uri, uri)) await this.send(document);
    }
  }

  /** When tabs or files have come or gone. */
  async look(): Promise<void> {
    for (const [document, send] of this.told) {
      if ((await isOpened(document)) || !this.told.delete(document)) continue;
      this.held.set(document, send);
      await this.letGo(document);
    }
    for (const document of this.held.keys()) {
      if (await isOpened(document)) await this.send(document);
    }
  }

  private async send(document: vscode.TextDocument): Promise<void> {
    const send = this.held.get(document);
    if (send === undefined) return;
    this.held.delete(document);
    if (isFile(document)) this.told.set(document, send);
    await send(document);
  }
}

async function isOpened(document: vscode.TextDocument): Promise<boolean> {
  return isShown(document) || (isFile(document) && isThere(document.uri));
}

/** Whether the user knows of a document that may be in no file. */
function isShown({ uri, isDirty }: vscode.TextDocument): boolean {
  return isDirty || uri.scheme === 'untitled' || tabsOf(uri).length > 0;
}

function isFile({ uri }: vscode.TextDocument): boolean {
  return ['file', packedScheme].includes(uri.scheme);
}

function isThere(uri: vscode.Uri): Promise<boolean> {
  return Promise.race([exists(uri), after(patience).then(() => true)]);
}
