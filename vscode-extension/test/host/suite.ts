// Runs inside VS Code's extension host: what the editor's own commands answer for the example pair.
import Mocha from 'mocha';
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { reportMark } from './reportMark';

const folder = (): vscode.Uri => {
  const uri = vscode.workspace.workspaceFolders?.[0]?.uri;
  assert.ok(uri);
  return uri;
};
const file = (name: string): vscode.Uri => vscode.Uri.joinPath(folder(), name);
const gold = (): vscode.Uri => file('garden.gold.mrg');
const system = (): vscode.Uri => file('garden.system.mrg');

/** Asks until the answer is right; the suite's time-out ends it, and names the last answer. */
async function eventually<T>(
  ask: () => T | PromiseLike<T>,
  isRight: (answer: T) => boolean,
): Promise<T> {
  const deadline = Date.now() + 45_000;
  for (;;) {
    const answer = await ask();
    if (isRight(answer)) return answer;
    if (Date.now() > deadline) assert.fail(`still ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function open(uri: vscode.Uri, viewColumn: vscode.ViewColumn): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(uri, { viewColumn, preview: false });
}

const marks = (uri: vscode.Uri): vscode.Diagnostic[] =>
  vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'treelens');

const lensesOf = (uri: vscode.Uri): PromiseLike<vscode.CodeLens[]> =>
  vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 1000);

async function edit(uri: vscode.Uri, change: (edit: vscode.WorkspaceEdit) => void): Promise<void> {
  const workspaceEdit = new vscode.WorkspaceEdit();
  change(workspaceEdit);
  assert.ok(await vscode.workspace.applyEdit(workspaceEdit));
  assert.ok(vscode.workspace.textDocuments.some((open) => open.uri.toString() === uri.toString()));
}

/** The place of a text in a document, behind it. */
function after(document: vscode.TextDocument, text: string): vscode.Position {
  const offset = document.getText().indexOf(text);
  assert.notEqual(offset, -1, `${text} is in ${document.fileName}`);
  return document.positionAt(offset + text.length);
}

function define(suite: Mocha.Suite): void {
  const { it, before } = hooks(suite);
  let goldEditor: vscode.TextEditor;
  let systemEditor: vscode.TextEditor;

  before(async () => {
    goldEditor = await open(gold(), vscode.ViewColumn.One);
    systemEditor = await open(system(), vscode.ViewColumn.Two);
    await eventually(
      () => [marks(gold()).length, marks(system()).length],
      ([inGold = 0, inSystem = 0]) => inGold > 0 && inSystem > 0,
    );
  });

  it('knows the language by the file name', () => {
    assert.equal(goldEditor.document.languageId, 'penn-treebank');
  });

  it('knows trees in plain text by their first line', async () => {
    const uri = file('anything.txt');
    await vscode.workspace.fs.writeFile(uri, Buffer.from('# one\n(S (X y))\n'));
    const document = await vscode.workspace.openTextDocument(uri);
    await eventually(
      () => document.languageId,
      (language) => language === 'penn-treebank',
    );
  });

  it('marks mismatches in both files, each with its counterpart', () => {
    for (const uri of [gold(), system()]) {
      const [first] = marks(uri);
      assert.ok(first?.code, 'a mark has a code');
      assert.ok(
        marks(uri).some(({ relatedInformation }) => (relatedInformation ?? []).length > 0),
        'marks name their counterpart',
      );
    }
  });

  it('marks nothing in a sentence that is right', () => {
    const right = [0, 3, 4];
    for (const uri of [gold(), system()]) {
      const lines = marks(uri).map(({ range }) => range.start.line);
      assert.deepEqual(
        lines.filter((line) => right.includes(line)),
        [],
      );
    }
  });

  it('gives every sentence in view a lens with its numbers and a command that runs', async () => {
    const lenses = await eventually(
      () => lensesOf(system()),
      (found) => found.some(({ command }) => command?.title.includes('F1')),
    );
    const commands = new Set(await vscode.commands.getCommands(true));
    for (const { command } of lenses) {
      assert.ok(command, 'resolved');
      assert.ok(command.command === '' || commands.has(command.command), command.command);
    }
  });

  it('has lenses asked for again where the focus has left before they were', async () => {
    await open(system(), vscode.ViewColumn.Two);
    await eventually(
      () => lensesOf(system()),
      (found) => found.length > 0,
    );
    let isAsked = false;
    // All are asked for anew when another extension can give some, which may take its time to start.
    const late = vscode.languages.registerCodeLensProvider('penn-treebank', {
      provideCodeLenses: ({ uri }) => {
        isAsked ||= uri.toString() === system().toString();
        return [];
      },
    });
    await open(gold(), vscode.ViewColumn.One);
    await eventually(
      () => isAsked,
      (asked) => asked,
    );
    late.dispose();
  });

  it('says the numbers of a sentence on hover', async () => {
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      system(),
      new vscode.Position(1, 0),
    );
    const text = hovers
      .flatMap(({ contents }) => contents)
      .map((content) => (content instanceof vscode.MarkdownString ? content.value : ''))
      .join('\n');
    assert.match(text, /92\.31/);
    assert.match(text, /recall/);
  });

  it('defines a bracket by its counterpart in the other file', async () => {
    const position = after(systemEditor.document, '(NP-SBJ (DT The) (NN comp');
    const found = await vscode.commands.executeCommand<(vscode.Location | vscode.LocationLink)[]>(
      'vscode.executeDefinitionProvider',
      system(),
      position,
    );
    const [first] = found;
    assert.ok(first, 'there is a counterpart');
    const uri = 'targetUri' in first ? first.targetUri : first.uri;
    const range = 'targetUri' in first ? first.targetRange : first.range;
    assert.equal(uri.toString(), gold().toString());
    assert.equal(range.start.line, position.line);
  });

  it('folds, outlines and grows selections along the tree', async () => {
    const uri = file('harbour.gold.mrg');
    const editor = await open(uri, vscode.ViewColumn.One);
    const folds = await eventually(
      () =>
        vscode.commands.executeCommand<vscode.FoldingRange[]>(
          'vscode.executeFoldingRangeProvider',
          uri,
        ),
      (found) => found.length > 0,
    );
    assert.ok(
      folds.some(({ start, end }) => start === 0 && end >= 5),
      'the first sentence folds',
    );
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
      'vscode.executeDocumentSymbolProvider',
      uri,
    );
    assert.ok(symbols.length >= 4, 'every sentence is in the outline');
    const position = after(editor.document, '(NN harb');
    const [selection] = await vscode.commands.executeCommand<vscode.SelectionRange[]>(
      'vscode.executeSelectionRangeProvider',
      uri,
      [position],
    );
    const texts: string[] = [];
    for (let at: vscode.SelectionRange | undefined = selection; at; at = at.parent) {
      texts.push(editor.document.getText(at.range));
    }
    for (const expected of ['(NN harbour)', '(NP-SBJ (DT The) (NN harbour) (NN master))']) {
      assert.ok(texts.includes(expected), `${expected} among ${texts.join(' | ')}`);
    }
    await open(gold(), vscode.ViewColumn.One);
  });

  it('follows an edit of one file in both, and its undo', async () => {
    const counts = (): number[] => [marks(gold()).length, marks(system()).length];
    const before = counts();
    const position = after(systemEditor.document, '(NP-SBJ-1 (DT The) (NNS seeds)) (VP');
    await edit(system(), (change) => {
      change.insert(system(), position, 'X');
    });
    await eventually(counts, ([inGold = 0, inSystem = 0]) => {
      return inGold > (before[0] ?? 0) && inSystem > (before[1] ?? 0);
    });
    await edit(system(), (change) => {
      change.delete(system(), new vscode.Range(position, position.translate(0, 1)));
    });
    await eventually(counts, (now) => String(now) === String(before));
  });

  it('keeps an open bracket from harming other sentences', async () => {
    const others = (uri: vscode.Uri): number[] =>
      marks(uri)
        .map(({ range }) => range.start.line)
        .filter((line) => line !== 9);
    const before = [others(gold()), others(system())];
    const end = systemEditor.document.lineAt(9).range.end;
    const bracket = new vscode.Range(end.translate(0, -1), end);
    await edit(system(), (change) => {
      change.delete(system(), bracket);
    });
    await eventually(
      () => marks(system()).filter(({ range }) => range.end.line >= 9 && range.start.line <= 9),
      (broken) => broken.some(({ severity }) => severity === vscode.DiagnosticSeverity.Error),
    );
    assert.deepEqual([others(gold()), others(system())], before);
    await edit(system(), (change) => {
      change.insert(system(), bracket.start, ')');
    });
    await eventually(
      () => marks(system()).filter(({ range }) => range.start.line === 9).length,
      (count) => count === 0,
    );
  });

  it('walks from mismatch to mismatch, and shows the counterpart in the other column', async () => {
    await open(system(), vscode.ViewColumn.Two);
    systemEditor.selection = new vscode.Selection(0, 0, 0, 0);
    const line = (): number => vscode.window.activeTextEditor?.selection.active.line ?? -1;
    await vscode.commands.executeCommand('treelens.goToNextMismatch');
    await eventually(line, (now) => now === 1);
    await vscode.commands.executeCommand('treelens.goToCounterpart');
    await eventually(
      () => vscode.window.activeTextEditor?.document.uri.toString(),
      (uri) => uri === gold().toString(),
    );
    assert.equal(vscode.window.activeTextEditor?.viewColumn, vscode.ViewColumn.One);
    assert.equal(line(), 1);
    assert.equal(vscode.window.tabGroups.all.length, 2);
  });

  it('shows a mismatch near the end of a sentence that takes more rows than there are', async () => {
    const words = (label: string): string => `(S ${'(NP (NN w)) '.repeat(2000)}(${label} (VB w)))`;
    for (const name of ['wide.gold.mrg', 'wide.system.mrg']) {
      const text = `(S (NN w))\n${words(name.includes('gold') ? 'VP' : 'XP')}\n`;
      await vscode.workspace.fs.writeFile(file(name), Buffer.from(text));
    }
    await open(file('wide.gold.mrg'), vscode.ViewColumn.One);
    const editor = await open(file('wide.system.mrg'), vscode.ViewColumn.Two);
    await eventually(
      () => marks(editor.document.uri).length,
      (count) => count > 0,
    );
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    await vscode.commands.executeCommand('treelens.goToNextMismatch');
    await eventually(
      () => [editor.selection, editor.visibleRanges] as const,
      ([mark, seen]) => mark.start.line === 1 && seen.some((range) => range.contains(mark)),
    );
  });

  it('keeps the whole of a sentence in view as its tree opens below', async () => {
    const rows = (count: number): string =>
      Array.from(
        { length: count },
        (_, at) => `${at + 1}\tw\t_\tX\t_\t_\t${at}\troot\t_\t_\n`,
      ).join('');
    const uri = file('tall.conllu');
    await vscode.workspace.fs.writeFile(uri, Buffer.from(`${rows(400)}\n`));
    const editor = await open(uri, vscode.ViewColumn.One);
    const seen = (): vscode.Range => editor.visibleRanges[0] ?? new vscode.Range(0, 0, 0, 0);
    const most = await eventually(
      () => seen().end.line - seen().start.line,
      (count) => count > 10,
    );
    // The upper half of what is in view ends within this sentence.
    const first = Math.floor(most / 2) - 5;
    const sentence = new vscode.Range(first, 0, first + 9, 1);
    await edit(uri, (change) => {
      change.replace(
        uri,
        new vscode.Range(0, 0, 401, 0),
        `${rows(first - 1)}\n${rows(10)}\n${rows(50)}\n`,
      );
    });
    editor.selection = new vscode.Selection(first, 0, first, 0);
    await vscode.commands.executeCommand('treelens.showTree');
    await eventually(
      () => [seen().end.line - seen().start.line, seen()] as const,
      ([count, range]) => count < 0.7 * most && range.contains(sentence),
    );
  });
}

/** Mocha's functions bound to one suite: inside the extension host there are no globals of it. */
function hooks(suite: Mocha.Suite): {
  it: (title: string, body: () => void | Promise<void>) => void;
  before: (body: () => Promise<void>) => void;
} {
  return {
    it: (title, body) => suite.addTest(new Mocha.Test(title, () => Promise.resolve(body()))),
    before: (body) => suite.beforeAll(body),
  };
}

/** VS Code calls this; it fails when the promise does. */
export function run(): Promise<void> {
  // Mocha's own reporters format for a terminal, and here is only VS Code's log.
  const mocha = new Mocha({ timeout: 60_000, reporter: Mocha.reporters.Base });
  define(Mocha.Suite.create(mocha.suite, 'example pair'));
  return new Promise((resolve, reject) => {
    const runner = mocha.run((failures) => {
      if (failures > 0) reject(new Error(`${failures} failed`));
      else resolve();
    });
    runner.on('pass', ({ title, duration }) => {
      report(`✔ ${title} (${duration ?? 0}ms)`);
    });
    runner.on('fail', ({ title }, error: unknown) => {
      report(`✘ ${title}\n${error instanceof Error ? (error.stack ?? '') : String(error)}`);
    });
  });
}

function report(text: string): void {
  console.log(`${reportMark}${text}`);
}
