// A number that is typed is typed wherever it stands (a trace's index, and its antecedent's). VS Code
// takes for typing whatever changes a linked place: what an action writes there, or an undo, it would
// write into all of them, and where a label is written anew as a whole, it would take the number from
// all others. So nothing is linked where the last change is one that would be taken back alone, nor
// while more than the number is selected; and what is linked is forgotten before something else than
// keys changes a text.
import * as vscode from 'vscode';
import {
  LinkedEditingRangeRequest,
  type LanguageClient,
  type LinkedEditingRangeMiddleware,
} from 'vscode-languageclient/node';

/** The last change of a text. */
interface Change {
  readonly version: number;
  readonly texts: string;
  /** Where what was written is now. */
  readonly ranges: readonly vscode.Range[];
  /** Whether it was at a cursor. */
  readonly isTyped: boolean;
}

const changes = new WeakMap<vscode.TextDocument, Change>();
/** What VS Code was told last to be linked. */
const given = new WeakMap<vscode.TextDocument, readonly vscode.Range[]>();

/** For the middleware of a language client. */
export const provideLinkedEditingRange: NonNullable<
  LinkedEditingRangeMiddleware['provideLinkedEditingRange']
> = async (document, position, token, next) => {
  const linked = await next(document, position, token);
  const own = linked?.ranges.find((range) => range.contains(position));
  if (linked == null || own === undefined) return linked;
  // (It would not be asked again where what is selected to here no longer is.)
  if (!(await selectsNoMore(document, own, token))) return undefined;
  const last = changes.get(document)?.ranges ?? [];
  if (last.length > 0 && last.every((range) => range.intersection(own) !== undefined)) {
    return undefined;
  }
  given.set(document, linked.ranges);
  return linked;
};

/**
 * Whether it comes to pass that no more than a range is selected up to a place in it: by now that
 * may be another one than was asked about, which VS Code does not ask about again if it is answered.
 */
async function selectsNoMore(
  document: vscode.TextDocument,
  range: vscode.Range,
  token: vscode.CancellationToken,
): Promise<boolean> {
  const isSelected = (): boolean =>
    editorsOf(document).some(
      ({ selection }) => range.contains(selection.active) && !range.contains(selection),
    );
  while (isSelected() && !token.isCancellationRequested) {
    await new Promise<void>((resolve) => {
      const waiting = vscode.Disposable.from(
        vscode.window.onDidChangeTextEditorSelection(goOn),
        vscode.window.onDidChangeVisibleTextEditors(goOn),
        token.onCancellationRequested(goOn),
      );
      function goOn(): void {
        waiting.dispose();
        resolve();
      }
    });
  }
  return !token.isCancellationRequested;
}

let forget: (() => void) | undefined;

/** Before something else than keys changes a text, whichever it is. */
export function forgetLinked(): void {
  forget?.();
}

export function followLinked(client: LanguageClient): vscode.Disposable {
  const feature = client.getFeature(LinkedEditingRangeRequest.method);
  forget = () => {
    const { initializeResult, clientOptions } = client;
    if (initializeResult === undefined) return;
    // VS Code lets go of what is linked where nobody provides it any more, and does not ask again
    // before the cursor or the text is another.
    feature.clear();
    feature.initialize(initializeResult.capabilities, clientOptions.documentSelector);
  };
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(note),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections: [selection] }) => {
      // (Where a selection grows and the cursor stays where it is, VS Code does not ask.)
      const { document } = textEditor;
      const linked = given.get(document);
      if (linked === undefined || selection === undefined || selection.isEmpty) return;
      if (linked.some((range) => range.contains(selection))) return;
      given.delete(document);
      forgetLinked();
    }),
    new vscode.Disposable(() => (forget = undefined)),
  );
}

function note({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
  // (It is told, too, when nothing but what is saved has changed.)
  if (contentChanges.length === 0) return;
  const { version } = document;
  const before = changes.get(document);
  const parts = [...contentChanges].sort((one, other) => one.rangeOffset - other.rangeOffset);
  let moved = 0;
  const ranges = parts.map(({ rangeOffset, rangeLength, text }) => {
    const start = rangeOffset + moved;
    moved += text.length - rangeLength;
    return new vscode.Range(document.positionAt(start), document.positionAt(start + text.length));
  });
  const texts = [...new Set(parts.map(({ text }) => text))].join();
  const isTyped = editorsOf(document).some(({ selection: { active } }) =>
    parts.some((part, at) => part.range.contains(active) || ranges[at]?.contains(active)),
  );
  // What VS Code writes elsewhere because it was typed is taken back with that, in all places.
  const isJoined =
    before?.isTyped === true &&
    !isTyped &&
    before.version + 1 === version &&
    before.texts === texts;
  changes.set(document, { version, texts, isTyped, ranges: isJoined ? [] : ranges });
}

function editorsOf(document: vscode.TextDocument): vscode.TextEditor[] {
  return vscode.window.visibleTextEditors.filter((editor) => editor.document === document);
}
