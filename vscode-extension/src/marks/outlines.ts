// VS Code asks for a file's outline when its text changes, and not when another part of it is in
// view; the server's is of the sentences near the view. Where the view leaves these, breadcrumbs and
// outline would have nothing to say. VS Code asks anew when what provides outlines is another: so
// something that provides none is registered anew.
import * as vscode from 'vscode';
import type { DocumentSymbolMiddleware } from 'vscode-languageclient';
import { isTreebankLanguage, languageIds } from '../treebanks';

/** Until the view stands still, and the server has heard where. */
const patience = 300;

/** The lines that an outline is of, and beyond which of its ends it was asked for again. */
interface Outlined {
  readonly first: number;
  readonly last: number;
  readonly tried: Set<'before' | 'behind'>;
}

const outlined = new WeakMap<vscode.TextDocument, Outlined>();

/** For the middleware of a language client: notes what an outline is of. */
export const provideDocumentSymbols: NonNullable<
  DocumentSymbolMiddleware['provideDocumentSymbols']
> = async (document, token, next) => {
  const symbols = await next(document, token);
  // (The server's are all of this kind.)
  const sentences = (symbols ?? []) as vscode.DocumentSymbol[];
  const [first, last] = [sentences.at(0)?.range.start.line, sentences.at(-1)?.range.end.line];
  const before = outlined.get(document);
  // What is outside may be no sentence: above the first one, or below the last.
  const isSame = before?.first === first && before?.last === last;
  if (first !== undefined && last !== undefined && !isSame) {
    outlined.set(document, { first, last, tried: new Set() });
  }
  return symbols;
};

export function keepOutlined(): vscode.Disposable {
  let none: vscode.Disposable | undefined;
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    if (vscode.window.visibleTextEditors.filter(leaves).length === 0) return;
    const before = none;
    none = vscode.languages.registerDocumentSymbolProvider([...languageIds], {
      provideDocumentSymbols: () => undefined,
    });
    before?.dispose();
  };
  return vscode.Disposable.from(
    vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => {
      if (!isTreebankLanguage(textEditor.document.languageId)) return;
      clearTimeout(timer);
      timer = setTimeout(look, patience);
    }),
    new vscode.Disposable(() => {
      clearTimeout(timer);
      none?.dispose();
    }),
  );
}

/** Whether an editor shows more than its outline is of, which was not asked for again yet. */
function leaves({ document, visibleRanges }: vscode.TextEditor): boolean {
  const known = outlined.get(document);
  const [top, bottom] = [visibleRanges.at(0)?.start.line, visibleRanges.at(-1)?.end.line];
  if (known === undefined || top === undefined || bottom === undefined) return false;
  const { first, last, tried } = known;
  const before = top < first && !tried.has('before');
  const behind = bottom > last && !tried.has('behind');
  if (before) tried.add('before');
  if (behind) tried.add('behind');
  return before || behind;
}
