// Lenses in panes of any width: what a pane has no room for is left out, and stands in the tooltip.
import * as vscode from 'vscode';
import { rowsOf } from '../tables/panes';
import { isTreebankLanguage } from '../treebanks';
import { fitted, leftBeside } from './fitting';
import { Reminder } from './reminder';

interface Line {
  lenses: readonly vscode.CodeLens[];
  room: number;
}

export class NarrowLenses {
  /** What lenses of a document were fitted to. */
  private readonly given = new WeakMap<vscode.TextDocument, number>();
  /** Of lenses that have not said yet what they say: those of their line, and what has room there. */
  private readonly lineOf = new WeakMap<vscode.CodeLens, Line>();

  /** The lenses of a document with titles that its panes have room for. */
  async fit(
    document: vscode.TextDocument,
    lenses: vscode.CodeLens[],
    token: vscode.CancellationToken,
  ): Promise<vscode.CodeLens[]> {
    const room = (await measured()).get(document) ?? Infinity;
    if (!token.isCancellationRequested) this.given.set(document, room);
    const byLine = new Map<number, vscode.CodeLens[]>();
    for (const lens of lenses) {
      const { line } = lens.range.start;
      byLine.set(line, [...(byLine.get(line) ?? []), lens]);
    }
    for (const there of byLine.values()) {
      shorten(there, room);
      for (const lens of there) this.lineOf.set(lens, { lenses: there, room });
    }
    return lenses;
  }

  /** A lens that says only now what it says. */
  resolved(lens: vscode.CodeLens, before: vscode.CodeLens): vscode.CodeLens {
    const line = this.lineOf.get(before);
    if (line === undefined) return lens;
    const others = line.lenses.map((one) => (one === before ? '' : titleOf(one)));
    shorten([lens], leftBeside(others, line.room));
    if (lens.command !== undefined) before.command = lens.command;
    return lens;
  }

  /** Has VS Code ask again where panes have another width. */
  follow(
    again: (document: vscode.TextDocument) => void,
    resized: vscode.Event<void>,
  ): vscode.Disposable {
    const reminder = new Reminder(async () => {
      const rooms = [...(await measured())];
      const unfitted = rooms.filter(
        ([document, room]) => (this.given.get(document) ?? room) !== room,
      );
      for (const [document] of unfitted) again(document);
      return unfitted.length > 0;
    });
    const lookSoon = (): void => reminder.in(0);
    return vscode.Disposable.from(
      vscode.window.onDidChangeVisibleTextEditors(lookSoon),
      resized(lookSoon),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (sizes.some((name) => event.affectsConfiguration(name))) lookSoon();
      }),
      reminder,
    );
  }
}

/**
 * What the panes of a document have room for, in sizes of its lenses' font: of several the narrowest.
 * It is infinite where VS Code does not tell how wide they are.
 */
async function measured(): Promise<ReadonlyMap<vscode.TextDocument, number>> {
  const editors = vscode.window.visibleTextEditors.filter(({ document }) =>
    isTreebankLanguage(document.languageId),
  );
  const widths = await rowsOf(editors);
  const rooms = new Map<vscode.TextDocument, number>();
  for (const editor of editors) {
    const { document } = editor;
    const room = Math.floor((widths.get(editor) ?? Infinity) / fontSize(document));
    rooms.set(document, Math.min(room, rooms.get(document) ?? Infinity));
  }
  return rooms;
}

function shorten(lenses: readonly vscode.CodeLens[], room: number): void {
  const titles = fitted(lenses.map(titleOf), room);
  for (const [at, lens] of lenses.entries()) {
    const { command } = lens;
    const title = titles[at] ?? command?.title;
    if (command === undefined || title === undefined || title === command.title) continue;
    lens.command = { ...command, title, tooltip: command.title };
  }
}

function titleOf({ command }: vscode.CodeLens): string {
  return command?.title ?? '';
}

/** What the font of lenses goes by. */
const sizes = ['editor.fontSize', 'editor.codeLensFontSize'];

/** VS Code's own rule. */
function fontSize(document: vscode.TextDocument): number {
  const editor = vscode.workspace.getConfiguration('editor', document);
  const chosen = editor.get<number>('codeLensFontSize', 0);
  return chosen > 0 ? chosen : Math.floor(editor.get<number>('fontSize', 14) * 0.9);
}
