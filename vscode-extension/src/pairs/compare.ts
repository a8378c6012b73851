// "Compare with…": any two treebank files, open or not, side by side and paired.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { serverCommand } from '../protocol';
import type { Server } from '../server/server';
import { shownAs } from '../packed/names';
import { isInTab, isSame, tabsOf } from '../showDocument';
import {
  byLikeness,
  fileGlobs,
  FirstOpenings,
  guessGold,
  isTreebankLanguage,
  languageOf,
  type LanguageId,
} from '../treebanks';

/** VS Code gives extensions no file above this size. */
const largestSynchronised = 50 * 1024 * 1024;
const mostCandidates = 2000;

export async function compareWith(
  server: Server,
  clicked?: vscode.Uri,
  selected?: vscode.Uri[],
): Promise<void> {
  const pair = selected?.length === 2 ? selected : await pickPair(clicked ?? activeFile());
  const [one, other] = pair ?? [];
  if (one === undefined || other === undefined) return;
  const gold = await chooseGold(one, other);
  if (gold === undefined) return;
  await openPair(gold, gold === one ? other : one, one);
  await server.execute(serverCommand.pair, {
    gold: server.asUri(gold),
    system: server.asUri(gold === one ? other : one),
  });
}

/** Not the active *editor*: for a file that is too large to edit there is only a tab. */
export function activeFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputText ? input.uri : undefined;
}

async function pickPair(first: vscode.Uri | undefined): Promise<vscode.Uri[] | undefined> {
  const one = first ?? (await pickFile(vscode.l10n.t('Choose a treebank file'), undefined));
  if (one === undefined) return undefined;
  const other = await pickFile(vscode.l10n.t('Compare {0} with…', path.basename(one.path)), one);
  return other === undefined ? undefined : [one, other];
}

type Candidate = vscode.QuickPickItem & { uri?: vscode.Uri };

export async function pickFile(
  placeHolder: string,
  than: vscode.Uri | undefined,
): Promise<vscode.Uri | undefined> {
  const picked = await vscode.window.showQuickPick(candidates(than), {
    placeHolder,
    matchOnDescription: true,
  });
  if (picked === undefined) return undefined;
  if (picked.uri !== undefined) return picked.uri;
  const browsed = await vscode.window.showOpenDialog({ title: placeHolder });
  return browsed?.[0];
}

async function candidates(than: vscode.Uri | undefined): Promise<Candidate[]> {
  const open = vscode.workspace.textDocuments
    .filter(
      (document) => isTreebankLanguage(document.languageId) || textLanguage(document) !== undefined,
    )
    .map((document) => document.uri)
    .filter(isInTab);
  const found = await treebankFiles();
  const isOpen = new Set(open.map(String));
  const others = found.filter((uri) => !isOpen.has(uri.toString()));
  return [
    ...section('open files', open, than),
    ...section('workspace', others, than),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    { label: '$(folder-opened) Browse…', alwaysShow: true },
  ];
}

/** Those of the workspace, packed or not. */
export async function treebankFiles(): Promise<vscode.Uri[]> {
  const searches = fileGlobs.map((glob) =>
    vscode.workspace.findFiles(glob, undefined, mostCandidates),
  );
  return (await Promise.all(searches)).flat().map(shownAs);
}

/** What plain text looks like; other languages are what they say they are. */
function textLanguage(document: vscode.TextDocument): LanguageId | undefined {
  if (document.languageId !== 'plaintext' || document.uri.scheme !== 'file') return undefined;
  return languageOf(document.getText(new vscode.Range(0, 0, 200, 0)));
}

function section(label: string, uris: vscode.Uri[], than: vscode.Uri | undefined): Candidate[] {
  const inOrder = than
    ? byLikeness(than.path)
    : (one: string, other: string): number => one.localeCompare(other);
  const items = uris
    .filter((uri) => than === undefined || !isSame(uri, than))
    .sort((a, b) => inOrder(a.path, b.path))
    .map((uri) => ({
      label: nameOf(uri),
      description: folderOf(uri),
      iconPath: vscode.ThemeIcon.File,
      resourceUri: uri,
      uri,
    }));
  return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

/** As from the workspace's; nothing of files that are right in it. */
function folderOf(uri: vscode.Uri): string {
  const folder = path.posix.dirname(vscode.workspace.asRelativePath(uri));
  return folder === '.' ? '' : folder;
}

/** As its tab has it: a file as it was committed is called otherwise than the file. */
function nameOf(uri: vscode.Uri): string {
  return tabsOf(uri)[0]?.label ?? path.basename(uri.path);
}

async function chooseGold(one: vscode.Uri, other: vscode.Uri): Promise<vscode.Uri | undefined> {
  const guess = guessGold(one.path, other.path);
  if (guess !== undefined) return guess === 'one' ? one : other;
  const items: Candidate[] = [one, other].map((uri) => ({
    label: path.basename(uri.path),
    description: folderOf(uri),
    uri,
  }));
  const neither: Candidate = {
    label: '$(law) Neither: Adjudicate…',
    detail: 'Two annotators’ files, and one in which it is settled who is right',
  };
  const picked = await vscode.window.showQuickPick([...items, neither], {
    placeHolder: vscode.l10n.t('Which of the two is gold?'),
  });
  if (picked === neither) {
    await vscode.commands.executeCommand('treelens.adjudicateWith', one, [one, other]);
  }
  return picked?.uri;
}

/** Gold in the first column, system in the second, the focus in `focused`. */
export async function openPair(
  gold: vscode.Uri,
  system: vscode.Uri,
  focused: vscode.Uri,
): Promise<void> {
  for (const uri of [gold, system]) await refuseOversized(uri);
  const sides: [vscode.Uri, vscode.ViewColumn][] = [
    [shownAs(gold), vscode.ViewColumn.One],
    [shownAs(system), vscode.ViewColumn.Two],
  ];
  sides.sort(([uri]) => (isSame(uri, shownAs(focused)) ? 1 : -1));
  for (const [uri, viewColumn] of sides) {
    const document = await recognise(await vscode.workspace.openTextDocument(uri));
    await vscode.window.showTextDocument(document, { viewColumn, preview: false });
  }
}

export async function refuseOversized(uri: vscode.Uri): Promise<void> {
  if (shownAs(uri).scheme !== 'file') return;
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > largestSynchronised) {
    throw new Error(
      vscode.l10n.t(
        '{0} is larger than 50 MB, and VS Code shows such files to no extension. On the command line: treelens score GOLD SYSTEM.',
        path.basename(uri.path),
      ),
    );
  }
}

/** Whoever compares a file says that it is a treebank, whatever its name. */
export async function recognise(document: vscode.TextDocument): Promise<vscode.TextDocument> {
  if (isTreebankLanguage(document.languageId)) return document;
  const start = document.getText(new vscode.Range(0, 0, 200, 0));
  return vscode.languages.setTextDocumentLanguage(document, languageOf(start) ?? 'penn-treebank');
}

const firstOpenings = new FirstOpenings();

/**
 * Plain text that begins with a tree or a table is a treebank: `gold.txt` has no better name. As what
 * its user wants it, by hand or in the settings, it stays.
 */
export async function recogniseByText(document: vscode.TextDocument): Promise<void> {
  if (!firstOpenings.has(document) || isAssociated(document)) return;
  if (textLanguage(document) !== undefined) await recognise(document);
}

/** Whether `files.associations` says which language a document has. */
function isAssociated(document: vscode.TextDocument): boolean {
  const configured = vscode.workspace.getConfiguration('files', document);
  return Object.entries(configured.get<Record<string, string>>('associations', {})).some(
    ([name, language]) => {
      const pattern = name.includes('/') ? name : `**/${name}`;
      return language === document.languageId && vscode.languages.match({ pattern }, document) > 0;
    },
  );
}
