// Packed files, such as `x.mrg.gz`: VS Code would show their bytes. What they hold is shown under
// names of a scheme of our own.
import * as vscode from 'vscode';

export const packedScheme = 'treelens-packed';

const ending = /\.(gz|bz2|xz|zst)$/;

export function isPacked(uri: vscode.Uri): boolean {
  return ending.test(uri.path);
}

/** The name under which a file is shown: a packed one's text, any other one itself. */
export function shownAs(uri: vscode.Uri): vscode.Uri {
  return uri.scheme === 'file' && isPacked(uri) ? uri.with({ scheme: packedScheme }) : uri;
}

/** The file whose text is shown under a name. */
export function fileOf(uri: vscode.Uri): vscode.Uri {
  return uri.scheme === packedScheme ? uri.with({ scheme: 'file' }) : uri;
}

/** A path without the ending that says what it is packed by. */
export function unpackedPath(path: string): string {
  return path.replace(ending, '');
}
