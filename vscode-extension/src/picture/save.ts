// Where copies of the picture go: the clipboard, or a file.
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Format, Target } from './messages';

const names: Record<Format, string> = { svg: 'SVG', png: 'PNG', tex: 'LaTeX' };

/** Asks for a file; its ending says which format. */
export async function pictureFile(
  text: vscode.Uri,
  sentence: number,
): Promise<{ uri: vscode.Uri; format: Format } | undefined> {
  const { name } = path.posix.parse(text.path);
  const uri = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(text, '..', `${name}.${sentence}.svg`),
    filters: Object.fromEntries(Object.entries(names).map(([ending, title]) => [title, [ending]])),
    title: 'Save Picture As',
  });
  if (uri === undefined) return undefined;
  const format = formatOf(uri.path);
  if (format !== undefined) return { uri, format };
  await vscode.window.showErrorMessage(
    `${path.posix.basename(uri.path)} was not saved: end its name with .svg, .png or .tex.`,
  );
  return undefined;
}

/** Says what was done. */
export async function deliver(
  { format, target, content }: { format: Format; target: Target; content?: string },
  file: vscode.Uri | undefined,
): Promise<string> {
  if (target === 'file' && file !== undefined && content !== undefined) {
    await vscode.workspace.fs.writeFile(
      file,
      Buffer.from(content, format === 'png' ? 'base64' : 'utf8'),
    );
    return `Saved as ${path.posix.basename(file.path)}.`;
  }
  if (content !== undefined) await vscode.env.clipboard.writeText(content);
  return `Copied as ${names[format]}.`;
}

function formatOf(file: string): Format | undefined {
  const ending = path.posix.extname(file).slice(1).toLowerCase();
  return ending in names ? (ending as Format) : undefined;
}
