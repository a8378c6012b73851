// Scrolls the editors of paired files together, by sentences: what is scrolled leads, the others
// follow, and what a follower then reports is not taken for its own scrolling.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { beside, rowAbove, topForCursor, topForScroll, type Stop, type View } from './abreast';
import { isByCursor, isPushed, leads, reported, sentTo, type Following } from './following';
import { abreastRequest } from '../protocol';
import { isOn } from '../settings';
import { stillSeen } from '../tables/panes';
import { isTreebankLanguage } from '../treebanks';

const setting = 'synchronisedScrolling';
/** While text is typed the cursor moves at each key. */
const cursorMilliseconds = 100;
/** When those numbers are there, the followers are where they should be once more. */
const settledMilliseconds = 600;
/** Where an editor is in between, it is for less. */
const inBetweenMilliseconds = 30;

interface Leader {
  editor: vscode.TextEditor;
  by: 'scroll' | 'cursor';
  scrolled: boolean;
  /** Whether this is looked after a second time. */
  again?: boolean;
}

/** An editor where it will be. */
interface Placed {
  editor: vscode.TextEditor;
  view: View;
  cursor: number;
}

/** What stands abreast of some rows of a document, by the other documents. */
interface Answer {
  first: number;
  last: number;
  others: Map<string, Stop[]>;
}

export class Scrolling implements vscode.Disposable {
  private readonly subscription: vscode.Disposable;
  /** By document; whatever changes any of them or their pairs clears it. */
  private readonly answers = new Map<string, Answer>();
  private readonly tops = new WeakMap<vscode.TextEditor, string>();
  private readonly following = new WeakMap<vscode.TextEditor, Following>();
  /** Where somebody has last been in a document. */
  private readonly inUse = new WeakMap<vscode.TextDocument, vscode.TextEditor>();
  private seen: ReadonlySet<vscode.TextEditor> = new Set();
  private leader: Leader | undefined;
  private busy = false;
  /** When somebody has last been at work: moved the cursor or written. */
  private workedAt = 0;
  private cursorTimer: NodeJS.Timeout | undefined;
  private settledTimer: NodeJS.Timeout | undefined;
  /** One for each: two that lead in turn may both be astray. */
  private readonly astrayTimers = new Map<vscode.TextEditor, NodeJS.Timeout>();
  /** One that has just scrolled though somebody works in another. */
  private away: { editor: vscode.TextEditor; timer: NodeJS.Timeout } | undefined;

  constructor(private readonly client: LanguageClient) {
    for (const editor of vscode.window.visibleTextEditors) this.tops.set(editor, topOf(editor));
    this.seen = new Set(vscode.window.visibleTextEditors);
    this.hasEntered(vscode.window.activeTextEditor);
    this.subscription = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor((editor) => this.hasEntered(editor)),
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) =>
        this.hasScrolled(textEditor),
      ),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.hasMoved(textEditor)),
      vscode.window.onDidChangeVisibleTextEditors((editors) => this.hasOpened(editors)),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length === 0 || !isTreebankLanguage(document.languageId)) return;
        this.forget();
        if (document === vscode.window.activeTextEditor?.document) this.workedAt = Date.now();
      }),
      vscode.workspace.onDidOpenTextDocument(() => this.forget()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        const active = vscode.window.activeTextEditor;
        if (event.affectsConfiguration(`treelens.${setting}`) && active !== undefined) {
          this.follow({ editor: active, by: 'scroll', scrolled: true });
        }
      }),
    );
  }

  dispose(): void {
    clearTimeout(this.cursorTimer);
    clearTimeout(this.settledTimer);
    for (const timer of this.astrayTimers.values()) clearTimeout(timer);
    clearTimeout(this.away?.timer);
    this.leader = undefined;
    this.subscription.dispose();
  }

  /** Texts or pairs have changed: what stands abreast has to be asked anew. */
  forget(): void {
    this.answers.clear();
  }

  private hasEntered(editor: vscode.TextEditor | undefined): void {
    if (editor !== undefined) this.inUse.set(editor.document, editor);
  }

  private hasScrolled(editor: vscode.TextEditor): void {
    const [top, before] = [topOf(editor), this.tops.get(editor)];
    // Its height may have changed alone.
    if (before === top) return;
    this.tops.set(editor, top);
    if (this.showsNumbersAgain(editor) || this.follows(editor)) return;
    if (editor === vscode.window.activeTextEditor) this.lead(editor);
    else this.leadUnlessBack(editor, before);
  }

  /** Numbers that come may push an editor, which then says where it is in between: it is back at
   * once, and who works in another one would be scrolled away from his cursor and back. */
  private leadUnlessBack(editor: vscode.TextEditor, before: string | undefined): void {
    if (this.away?.editor === editor) return;
    clearTimeout(this.away?.timer);
    const timer = setTimeout(() => {
      this.away = undefined;
      if (topOf(editor) !== before) this.lead(editor);
    }, inBetweenMilliseconds);
    this.away = { editor, timer };
  }

  /** Whether numbers that come late have pushed those above the cursor's own sentence out of view:
   * then it is scrolled back to them. */
  private showsNumbersAgain(editor: vscode.TextEditor): boolean {
    const start = editor.visibleRanges[0]?.start;
    const isActive = editor === vscode.window.activeTextEditor && takesPart(editor);
    if (start === undefined || !isActive || !isPushed(Date.now() - this.workedAt)) return false;
    const before = rowAbove(start, editor.selection.active.line);
    if (before === undefined) return false;
    const place = placeOf(editor, before);
    editor.revealRange(new vscode.Range(place, place), vscode.TextEditorRevealType.AtTop);
    return true;
  }

  /** What has scrolled by itself leads, unless the cursor in another one has just moved: who writes
   * there turns no wheel here, and it is numbers that have come into view. */
  private lead(editor: vscode.TextEditor): void {
    const sinceCursor = Date.now() - this.workedAt;
    if (!leads(editor === vscode.window.activeTextEditor, sinceCursor)) return;
    if (isByCursor(sinceCursor)) this.followCursor(editor, true);
    else this.follow({ editor, by: 'scroll', scrolled: true });
  }

  private follows(editor: vscode.TextEditor): boolean {
    const following = reported(viewOf(editor).top, Date.now(), this.following.get(editor));
    if (following === undefined) this.following.delete(editor);
    else this.following.set(editor, following);
    if (following?.astray === true) this.lookAgain(editor, following.resting - Date.now());
    return following !== undefined;
  }

  /** Whether it is still astray once it has rested. */
  private lookAgain(editor: vscode.TextEditor, milliseconds: number): void {
    clearTimeout(this.astrayTimers.get(editor));
    const timer = setTimeout(() => {
      this.astrayTimers.delete(editor);
      if (!this.isAstray(editor)) return;
      const isActive = editor === vscode.window.activeTextEditor;
      if (!leads(isActive, Date.now() - this.workedAt, 'has been there')) return;
      this.following.delete(editor);
      this.lead(editor);
    }, milliseconds);
    this.astrayTimers.set(editor, timer);
  }

  private isAstray(editor: vscode.TextEditor): boolean {
    return this.following.get(editor)?.astray === true;
  }

  private hasMoved(editor: vscode.TextEditor): void {
    if (editor !== vscode.window.activeTextEditor) return;
    this.workedAt = Date.now();
    this.followCursor(editor, false);
  }

  /** At once if it has scrolled, else in a moment. */
  private followCursor(editor: vscode.TextEditor, scrolled: boolean): void {
    this.following.delete(editor);
    clearTimeout(this.cursorTimer);
    // (Who led before and is looked after a second time would take this one along.)
    clearTimeout(this.settledTimer);
    if (scrolled) {
      this.follow({ editor, by: 'cursor', scrolled });
      return;
    }
    this.cursorTimer = setTimeout(
      () => this.follow({ editor, by: 'cursor', scrolled }),
      cursorMilliseconds,
    );
  }

  private hasOpened(editors: readonly vscode.TextEditor[]): void {
    const fresh = editors.filter((editor) => !this.seen.has(editor));
    this.seen = new Set(editors);
    for (const editor of fresh) this.tops.set(editor, topOf(editor));
    const active = vscode.window.activeTextEditor;
    if (active !== undefined && fresh.some((editor) => editor !== active)) {
      this.follow({ editor: active, by: 'cursor', scrolled: true });
    }
  }

  /** The last one who leads is followed; what came before need not be seen any more. */
  private follow(leader: Leader): void {
    if (!isOn(setting) || !takesPart(leader.editor)) return;
    this.leader = leader;
    clearTimeout(this.settledTimer);
    if (leader.again !== true) {
      this.settledTimer = setTimeout(
        () => this.follow({ ...leader, scrolled: leader.by === 'scroll', again: true }),
        settledMilliseconds,
      );
    }
    if (!this.busy) void this.work();
  }

  private async work(): Promise<void> {
    this.busy = true;
    try {
      for (let leader = this.leader; leader !== undefined; leader = this.leader) {
        this.leader = undefined;
        await this.lineUp(leader);
      }
    } catch {
      // A server that is gone says nothing of what stands abreast.
    } finally {
      this.busy = false;
    }
  }

  /** From editor to editor: two systems stand abreast of each other by way of gold. */
  private async lineUp(leader: Leader): Promise<void> {
    const { workedAt } = this;
    const others = this.followersOf(leader.editor);
    const cursor = rowOf(leader.editor.document, leader.editor.selection.active);
    const open: Placed[] = [{ editor: leader.editor, view: viewOf(leader.editor), cursor }];
    for (let at = open.shift(); at !== undefined && others.size > 0; at = open.shift()) {
      const answer = await this.answer(at.editor.document, at.view);
      // Somebody is at work in another one by now, and it is that one's turn.
      const isLeft = leader.editor !== vscode.window.activeTextEditor;
      if (isLeft && this.workedAt !== workedAt) return;
      for (const other of stillSeen([...others])) {
        const stops = answer.get(other.document.uri.toString());
        if (stops === undefined) continue;
        others.delete(other);
        open.push(this.lineUpWith(leader, at, other, stops));
      }
    }
  }

  /** Who has a text in two columns looks at two places of it: the one in use follows. */
  private followersOf(leader: vscode.TextEditor): Set<vscode.TextEditor> {
    const found = new Map<vscode.TextDocument, vscode.TextEditor>();
    for (const one of vscode.window.visibleTextEditors) {
      const { document } = one;
      if (document === leader.document || !takesPart(one)) continue;
      if (!found.has(document) || this.inUse.get(document) === one) found.set(document, one);
    }
    return new Set(found.values());
  }

  private lineUpWith(leader: Leader, at: Placed, other: vscode.TextEditor, stops: Stop[]): Placed {
    const there = viewOf(other);
    const view = { ...at.view, cursor: at.cursor, scrolled: leader.scrolled };
    const top =
      leader.by === 'scroll' ? topForScroll(stops, view) : topForCursor(stops, view, there);
    if (top !== undefined && !(leader.again === true && this.isAstray(other))) {
      this.scroll(other, top);
    }
    const cursor = beside(stops, at.cursor) ?? there.top;
    return { editor: other, view: { top: top ?? there.top, rows: there.rows }, cursor };
  }

  private async answer(document: vscode.TextDocument, view: View): Promise<Map<string, Stop[]>> {
    const uri = document.uri.toString();
    const [first, last] = [Math.floor(view.top), Math.ceil(view.top + view.rows)];
    const known = this.answers.get(uri);
    if (known !== undefined && known.first <= first && last <= known.last) return known.others;
    const { code2ProtocolConverter: encode, protocol2CodeConverter: decode } = this.client;
    const range = encode.asRange(document.validateRange(new vscode.Range(first, 0, last, 0)));
    const version = document.version;
    const found = await this.client.sendRequest(abreastRequest, {
      uri: encode.asUri(document.uri),
      range,
    });
    const others = new Map<string, Stop[]>();
    let reach: [number, number] = [-Infinity, Infinity];
    for (const { uri: name, stops } of found) {
      const other = openDocument(decode.asUri(name));
      if (other === undefined) continue;
      const rows = stops.map(({ here, there }) => ({
        here: rowOf(document, decode.asPosition(here)),
        there: rowOf(other, decode.asPosition(there)),
      }));
      others.set(other.uri.toString(), rows);
      const [start, end] = [rows[0]?.here ?? 0, rows.at(-1)?.here ?? 0];
      reach = [
        Math.max(reach[0], start === 0 ? -Infinity : start),
        Math.min(reach[1], end >= document.lineCount - 1 ? Infinity : end),
      ];
    }
    if (document.version === version) {
      this.answers.set(uri, { first: reach[0], last: reach[1], others });
    }
    return others;
  }

  private scroll(editor: vscode.TextEditor, row: number): void {
    this.following.set(editor, sentTo(row, Date.now(), this.following.get(editor)));
    // What cannot be in the middle is at the very top, with the numbers above the first sentence.
    const isFirst = row < 0.01;
    let place = isFirst ? new vscode.Position(0, 0) : placeOf(editor, row + above(editor));
    const isActive = editor === vscode.window.activeTextEditor;
    const before = rowAbove(place, isActive ? editor.selection.active.line : undefined);
    if (before !== undefined) place = placeOf(editor, before);
    const how = isFirst ? vscode.TextEditorRevealType.InCenter : vscode.TextEditorRevealType.AtTop;
    editor.revealRange(new vscode.Range(place, place), how);
  }
}

/** Editors in columns; the left half of a diff is in none, and scrolls with its right half. */
function takesPart(editor: vscode.TextEditor): boolean {
  return isTreebankLanguage(editor.document.languageId) && editor.viewColumn !== undefined;
}

function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
}

/** The place of its first row; empty where none is shown. */
export function topOf(editor: vscode.TextEditor): string {
  const start = editor.visibleRanges[0]?.start;
  return start === undefined ? '' : `${start.line}:${start.character}`;
}

function viewOf(editor: vscode.TextEditor): View {
  const { document, visibleRanges } = editor;
  const [first, last] = [visibleRanges[0]?.start, visibleRanges.at(-1)?.end];
  if (first === undefined || last === undefined) return { top: 0, rows: 1 };
  const top = rowOf(document, first);
  return { top, rows: Math.max(last.line + 1 - top, 1) };
}

function rowOf(document: vscode.TextDocument, place: vscode.Position): number {
  if (place.line >= document.lineCount) return document.lineCount;
  const { length } = document.lineAt(place.line).text;
  return place.line + (length === 0 ? 0 : Math.min(place.character / length, 0.999_999));
}

function placeOf({ document }: vscode.TextEditor, row: number): vscode.Position {
  const line = Math.min(Math.floor(row), document.lineCount - 1);
  // The end of a line that is not wrapped would be scrolled to sideways.
  if (configured(document).get('wordWrap') === 'off') return new vscode.Position(line, 0);
  // (Half a character: what is divided and multiplied again may be a little less than it was.)
  const character = Math.floor((row - line) * document.lineAt(line).text.length + 0.5);
  return document.validatePosition(new vscode.Position(line, Math.max(character, 0)));
}

function configured(document: vscode.TextDocument): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration('editor', document);
}

/** Lines that VS Code leaves above what is revealed at the top, where such settings are on. */
function above(editor: vscode.TextEditor): number {
  const settings = configured(editor.document);
  const isSticky = settings.get<boolean>('stickyScroll.enabled') === true;
  const sticky = isSticky ? settings.get('stickyScroll.maxLineCount', 5) : 0;
  const lines = Math.max(settings.get('cursorSurroundingLines', 0), sticky);
  return Math.min(lines, viewOf(editor).rows / 2);
}
