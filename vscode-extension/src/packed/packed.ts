// The text of packed files, to be read: the server unpacks them, and nothing writes them. Whoever
// opens one, from the Explorer or by a command, comes to its text.
import * as vscode from 'vscode';
import { unpackRequest } from '../protocol';
import type { Server } from '../server/server';
import { fileOf, packedScheme, shownAs } from './names';

const reason = 'This file is packed: unpack it to change it.';

export function packedFiles(server: Server): vscode.Disposable {
  const files = new PackedFiles(server);
  const isReadonly = new vscode.MarkdownString(reason);
  return vscode.Disposable.from(
    files,
    vscode.workspace.registerFileSystemProvider(packedScheme, files, {
      isCaseSensitive: true,
      isReadonly,
    }),
    vscode.window.registerCustomEditorProvider('treelens.packed', {
      openCustomDocument,
      resolveCustomEditor,
    }),
  );
}

class PackedFiles implements vscode.FileSystemProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;
  private readonly watcher = vscode.workspace.createFileSystemWatcher('**/*.{gz,bz2,xz,zst}');

  constructor(private readonly server: Server) {
    this.watcher.onDidChange((file) => {
      this.changed.fire([{ type: vscode.FileChangeType.Changed, uri: shownAs(file) }]);
    });
  }

  dispose(): void {
    this.watcher.dispose();
    this.changed.dispose();
  }

  /** All of them are watched together. */
  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const found = await vscode.workspace.fs.stat(fileOf(uri));
    return { ...found, permissions: vscode.FilePermission.Readonly };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    await this.server.started();
    const found = await this.server.ask(unpackRequest, { uri: this.server.asUri(uri) });
    if (found === undefined) {
      throw vscode.FileSystemError.Unavailable(
        'The Treelens server unpacks this file, and is not running.',
      );
    }
    if (found.refused != null) throw vscode.FileSystemError.Unavailable(found.refused);
    return new TextEncoder().encode(found.text);
  }

  readDirectory(): never {
    throw vscode.FileSystemError.NoPermissions(reason);
  }

  createDirectory(): never {
    throw vscode.FileSystemError.NoPermissions(reason);
  }

  writeFile(): never {
    throw vscode.FileSystemError.NoPermissions(reason);
  }

  delete(): never {
    throw vscode.FileSystemError.NoPermissions(reason);
  }

  rename(): never {
    throw vscode.FileSystemError.NoPermissions(reason);
  }
}

function openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
  return { uri, dispose: () => undefined };
}

/** In the place of an editor of bytes, one of the text. */
async function resolveCustomEditor(
  { uri }: vscode.CustomDocument,
  panel: vscode.WebviewPanel,
): Promise<void> {
  const { viewColumn, active } = panel;
  try {
    await vscode.window.showTextDocument(shownAs(uri), {
      viewColumn: viewColumn ?? vscode.ViewColumn.Active,
      preserveFocus: !active,
      preview: false,
    });
    panel.dispose();
  } catch (error) {
    panel.webview.html = asPage(error instanceof Error ? error.message : String(error));
  }
}

function asPage(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;' };
  return `<p>${text.replace(/[&<]/g, (one) => entities[one] ?? one)}</p>`;
}
