// A file beside itself as it was committed: the old text is gold, so that what was edited since is
// what differs. VS Code's own Git extension has the old text; no program is run from here.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { isPacked } from '../packed/names';
import { activeFile, recognise, refuseOversized } from './compare';
import { serverCommand } from '../protocol';
import type { Server } from '../server/server';
import { isSame, isTabOf, tabsOf } from '../showDocument';
import { unlessOvertaken } from '../turns';

const mostCommits = 50;
const mostBranches = 50;

/** The part of the Git extension's interface that is used here. */
interface Commit {
  hash: string;
  message: string;
  authorName?: string;
  authorDate?: Date;
}

interface Repository {
  state: { HEAD?: { commit?: string; name?: string }; onDidChange: vscode.Event<void> };
  status(): Promise<void>;
  log(options: { maxEntries: number; path: string }): Promise<Commit[]>;
  getBranches(query: { remote: boolean; count: number }): Promise<{ name?: string }[]>;
}

interface Git {
  toGitUri(uri: vscode.Uri, ref: string): vscode.Uri;
  getRepository(uri: vscode.Uri): Repository | null;
  getRepositoryRoot(uri: vscode.Uri): Promise<vscode.Uri | null>;
  openRepository(root: vscode.Uri): Promise<Repository | null>;
}

interface GitExtension {
  enabled: boolean;
  getAPI(version: 1): Git;
}

/** Why there is nothing to compare with, and what to do; for the user. */
class NoRevisionError extends Error {}

export async function compareWithLastCommit(server: Server, clicked?: vscode.Uri): Promise<void> {
  await telling(async () => {
    const file = chosenFile(clicked);
    const { git } = await repositoryOf(file);
    await compare(server, git, file, 'HEAD', 'Last Commit');
  });
}

export async function compareWithRevision(server: Server, clicked?: vscode.Uri): Promise<void> {
  await telling(async () => {
    const file = chosenFile(clicked);
    const { git, repository } = await repositoryOf(file);
    const picked = await pickRevision(repository, file);
    if (picked !== undefined) await compare(server, git, file, picked.ref, picked.title);
  });
}

const otherVersion = 'mark what is new since it was opened or since another file';

/** A file's text in the last commit; and `then` with that of each commit that follows. */
export async function followLastCommit(
  file: vscode.Uri,
  then: (text: string) => unknown,
): Promise<vscode.Disposable | undefined> {
  return telling(async () => {
    const { git, repository } = await repositoryOf(file);
    // What was committed elsewhere a moment ago is not known yet.
    await repository.status();
    let commit = repository.state.HEAD?.commit;
    const text = async (): Promise<string> => {
      const uri = git.toGitUri(file, commit ?? 'HEAD');
      return (await openCommitted(uri, file, 'Last Commit', otherVersion)).getText();
    };
    await then(await text());
    return repository.state.onDidChange(async () => {
      if (repository.state.HEAD?.commit === commit) return;
      commit = repository.state.HEAD?.commit;
      await telling(async () => then(await text()));
    });
  });
}

async function telling<T>(action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof NoRevisionError)) throw error;
    void vscode.window.showWarningMessage(error.message);
    return undefined;
  }
}

function chosenFile(clicked: vscode.Uri | undefined): vscode.Uri {
  const uri = clicked ?? activeFile();
  if (uri === undefined) {
    throw new NoRevisionError('Open the treebank file that is to be compared with a commit.');
  }
  if (uri.scheme === 'git') return vscode.Uri.file(uri.path);
  if (isPacked(uri)) {
    throw new NoRevisionError(`${nameOf(uri)} is packed: unpack it to compare it with a commit.`);
  }
  if (uri.scheme !== 'file') {
    throw new NoRevisionError(`${nameOf(uri)} is not saved yet: only files have been committed.`);
  }
  return uri;
}

async function repositoryOf(file: vscode.Uri): Promise<{ git: Git; repository: Repository }> {
  const git = await findGit();
  // (Asked of the folder: git is started in what it is given.)
  const root = await git.getRepositoryRoot(vscode.Uri.joinPath(file, '..'));
  const repository =
    git.getRepository(file) ?? (root === null ? null : await git.openRepository(root));
  if (repository === null) {
    throw new NoRevisionError(
      `${nameOf(file)} is in no Git repository. “Initialize Repository” in the Source Control ` +
        'view makes one.',
    );
  }
  return { git, repository };
}

async function findGit(): Promise<Git> {
  if (!vscode.workspace.isTrusted) {
    throw new NoRevisionError(
      'VS Code runs no Git in a workspace that is not trusted. “Workspaces: Manage Workspace ' +
        'Trust” lets you trust it.',
    );
  }
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  const found = await extension?.activate();
  if (found?.enabled !== true) {
    throw new NoRevisionError(
      'Git is switched off in VS Code: switch on the setting git.enabled, and see that the ' +
        'extension “Git” is enabled and finds a git program.',
    );
  }
  return found.getAPI(1);
}

async function compare(
  server: Server,
  git: Git,
  file: vscode.Uri,
  ref: string,
  title: string,
): Promise<void> {
  await refuseOversized(file);
  const working = await recognise(await vscode.workspace.openTextDocument(file));
  const committed = await openCommitted(git.toGitUri(file, ref), file, title);
  if (committed.languageId !== working.languageId) {
    await vscode.languages.setTextDocumentLanguage(committed, working.languageId);
  }
  const shown = vscode.window.visibleTextEditors.find((editor) =>
    isSame(editor.document.uri, file),
  );
  const editor = await vscode.window.showTextDocument(working, {
    viewColumn: shown?.viewColumn ?? vscode.ViewColumn.Active,
    preview: false,
  });
  await vscode.commands.executeCommand(
    'vscode.open',
    committed.uri,
    { viewColumn: besideOf(editor), preview: false },
    `${nameOf(file)} (${title})`,
  );
  // (Where it is asked to leave the focus, it still makes its group the active one, and commands would
  // mean the old text.)
  const viewColumn = editor.viewColumn ?? vscode.ViewColumn.Active;
  await vscode.window.showTextDocument(working, { viewColumn, preview: false });
  await server.want(committed.uri);
  const sides = { gold: server.asUri(committed.uri), system: server.asUri(file) };
  await server.execute(serverCommand.pair, sides);
  unpairWhenClosed(server, committed.uri, file);
}

/** The tab counts: VS Code keeps a document open for minutes after its tab was closed. */
function unpairWhenClosed(server: Server, uri: vscode.Uri, file: vscode.Uri): void {
  const subscription = vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
    if (!closed.some((tab) => isTabOf(uri, tab)) || tabsOf(uri).length > 0) return;
    subscription.dispose();
    // (One that ends meanwhile tells the next one nothing of what is not open.)
    const pair = { uri: server.asUri(uri), other: server.asUri(file) };
    unlessOvertaken(server.execute(serverCommand.unpair, pair));
  });
}

async function openCommitted(
  uri: vscode.Uri,
  file: vscode.Uri,
  title: string,
  instead = 'choose another revision with “Compare with Revision…”',
): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    const where = title === 'Last Commit' ? 'the last commit' : title;
    throw new NoRevisionError(
      `${nameOf(file)} is not in ${where}. Commit it first, or ${instead}.`,
    );
  }
}

/** The neighbour that there is, or a new column to the right. */
function besideOf(editor: vscode.TextEditor): vscode.ViewColumn {
  const columns = vscode.window.tabGroups.all.map((group) => group.viewColumn);
  const others = columns.filter((column) => column !== editor.viewColumn);
  return others[0] ?? vscode.ViewColumn.Beside;
}

type Revision = vscode.QuickPickItem & { ref?: string; title?: string };

async function pickRevision(
  repository: Repository,
  file: vscode.Uri,
): Promise<{ ref: string; title: string } | undefined> {
  const picked = await vscode.window.showQuickPick<Revision>(revisions(repository, file), {
    placeHolder: `Compare ${nameOf(file)} as it is now with…`,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.ref === undefined
    ? undefined
    : { ref: picked.ref, title: picked.title ?? picked.label };
}

async function revisions(repository: Repository, file: vscode.Uri): Promise<Revision[]> {
  const [commits, branches] = await Promise.all([
    repository.log({ maxEntries: mostCommits, path: file.fsPath }),
    repository.getBranches({ remote: false, count: mostBranches }),
  ]);
  const separator = (label: string): Revision => ({
    label,
    kind: vscode.QuickPickItemKind.Separator,
  });
  return [
    { label: '$(git-commit) Last Commit', ref: 'HEAD', title: 'Last Commit' },
    separator('commits of this file'),
    ...commits.map(({ hash, message, authorName, authorDate }) => ({
      label: `$(git-commit) ${message.split('\n')[0] ?? ''}`,
      description: [hash.slice(0, 7), authorName, authorDate?.toLocaleDateString()]
        .filter((part) => part !== undefined)
        .join(' · '),
      ref: hash,
      title: hash.slice(0, 7),
    })),
    separator('branches'),
    ...branches.flatMap(({ name }) =>
      name === undefined ? [] : [{ label: `$(git-branch) ${name}`, ref: name, title: name }],
    ),
  ];
}

function nameOf(uri: vscode.Uri): string {
  return path.posix.basename(uri.path);
}
