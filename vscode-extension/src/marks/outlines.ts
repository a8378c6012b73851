// VS Code asks for a file's outline when its text changes, and not when another part of it is in
// view; the server's is of the sentences near the view. Where the view leaves these, breadcrumbs and
// outline would have nothing to say. VS Code asks anew when what provides outlines is another: so
// something that provides none is registered anew.
import * as vscode from 'vscode';
import { isTreebankLanguage, languageIds } from '../treebanks';

/** Until the view stands still, and the server has heard where. */
const patience = 300;

/** The lines that an outline is of, and beyond which of its ends it was asked for again. */
interface Outlined {
  readonly first: number;
  readonly last: number;
  readonly tried: Set<'before' | 'behind'>;
}

export class Outlines implements vscode.Disposable {
  private readonly known = new WeakMap<vscode.TextDocument, Outlined>();
  private none: vscode.Disposable | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly following: vscode.Disposable;

  constructor() {
    this.following = vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => {
      if (!isTreebankLanguage(textEditor.document.languageId)) return;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.look(), patience);
    });
  }

  /** Notes what an outline is of. */
  given(document: vscode.TextDocument, symbols: vscode.DocumentSymbol[]): void {
    const [first, last] = [symbols.at(0)?.range.start.line, symbols.at(-1)?.range.end.line];
    if (first === undefined || last === undefined) return;
    const before = this.known.get(document);
    // (What is outside may be no sentence: above the first one, or below the last.)
    if (before?.first === first && before.last === last) return;
    this.known.set(document, { first, last, tried: new Set() });
  }

  private look(): void {
    const outside = vscode.window.visibleTextEditors.filter((editor) => this.leaves(editor));
    if (outside.length === 0) return;
    const before = this.none;
    this.none = vscode.languages.registerDocumentSymbolProvider([...languageIds], {
      provideDocumentSymbols: () => undefined,
    });
    before?.dispose();
  }

  /** Whether an editor shows more than the outline is of, and it was not asked for again yet. */
  private leaves({ document, visibleRanges }: vscode.TextEditor): boolean {
    const known = this.known.get(document);
    const [top, bottom] = [visibleRanges.at(0)?.start.line, visibleRanges.at(-1)?.end.line];
    if (known === undefined || top === undefined || bottom === undefined) return false;
    const { first, last, tried } = known;
    const before = top < first && !tried.has('before');
    const behind = bottom > last && !tried.has('behind');
    if (before) tried.add('before');
    if (behind) tried.add('behind');
    return before || behind;
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.following.dispose();
    this.none?.dispose();
  }
}
