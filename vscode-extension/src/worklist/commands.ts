// What is done in the worklist and to its sentences, by key, by button and from the palette.
import * as vscode from 'vscode';
import { makeAndSave } from '../beside';
import {
  noteRequest,
  reviewRequest,
  type PlaceArgument,
  type Review,
  type ReviewState,
  type WorklistBy,
  type WorklistEntry,
  type WorklistOrder,
  type WorklistStep,
} from '../protocol';
import type { Server } from '../server/server';
import { showDocument } from '../showDocument';
import { isTreebankLanguage } from '../treebanks';
import { Turns } from '../turns';
import { doubtOf, everything, parseFilter, writeFilter } from './filter';
import type { List, Node } from './list';
import { moved } from './place';
import type { WorklistView } from './view';

/** From a line's button its node; from a key in the list, what is selected there; else the cursor. */
type Target = Node | 'list' | undefined;

/** Milliseconds in which something that is said may be written, before what is said next is. */
const patience = 10_000;

export class WorklistCommands {
  private readonly turns = new Turns(patience);

  constructor(
    private readonly server: Server,
    private readonly list: List,
    private readonly view: WorklistView,
  ) {}

  register(): vscode.Disposable[] {
    const register = (id: string, action: (target?: Target) => unknown): vscode.Disposable =>
      vscode.commands.registerCommand(`treelens.${id}`, action);
    return [
      register('worstSentence', () => this.go('worst')),
      register('nextInWorklist', () => this.go('next')),
      register('previousInWorklist', () => this.go('previous')),
      register('openWorklistEntry', (target) => {
        this.list.group = groupOf(target);
        return this.openEntry(entryOf(target));
      }),
      register('showMoreOfWorklist', (target) => {
        if (typeof target === 'object') this.view.showMore(target);
      }),
      register('markChecked', (target) => this.mark(target, 'checked')),
      register('markCheckedAndNext', (target) => this.checkAndNext(target)),
      register('markQuestion', (target) => this.question(target)),
      register('noteHere', () => this.noteHere()),
      register('markTodo', (target) => this.mark(target, 'todo', '')),
      register('arrangeWorklist', () => this.arrange()),
      register('filterWorklist', () => this.filter()),
      register('clearWorklistFilter', () => this.change({ filter: everything })),
      register('showOnlyTodo', () => this.show('todo')),
      register('showAllSentences', () => this.show('all')),
      register('reviewOtherFile', () => this.swap()),
      register('chooseWorklistPair', () => this.choosePair()),
    ];
  }

  // --- going through the list ------------------------------------------------------------------

  private async go(to: WorklistStep, from = this.cursor()): Promise<void> {
    if (!this.isReady()) return;
    const entry = await this.list.step(to, from);
    if (entry !== undefined) {
      await this.openEntry(entry);
      return;
    }
    const where = {
      worst: 'Nothing is left to do',
      next: 'This is the last',
      previous: 'This is the first',
    };
    const filtered = writeFilter(this.list.arrangement.filter) !== '';
    const rest = filtered ? ' (the list is filtered)' : '';
    const of = this.list.group === undefined ? 'the worklist' : `“${this.list.group}”`;
    const text = to === 'worst' ? where.worst : `${where[to]} sentence of ${of} to do`;
    vscode.window.setStatusBarMessage(`$(info) ${text}${rest}`, 5000);
  }

  private async openEntry(entry: WorklistEntry | undefined): Promise<void> {
    if (entry === undefined) return;
    const place = new vscode.Position(entry.place.line, entry.place.character);
    await showDocument({
      uri: vscode.Uri.parse(entry.uri),
      selection: new vscode.Range(place, place),
      takeFocus: true,
    });
    this.view.follow();
  }

  // --- what is said of a sentence --------------------------------------------------------------

  private async mark(target: Target, state: ReviewState, note?: string): Promise<boolean> {
    const at = this.placeOf(target);
    if (at === undefined) {
      void vscode.window.showInformationMessage(
        'Put the cursor into a sentence of a treebank, or choose one in the worklist.',
      );
      return false;
    }
    return this.review(at, state, note);
  }

  private async checkAndNext(target: Target): Promise<void> {
    const before = this.placeOf(target);
    if (!(await this.mark(target, 'checked'))) return;
    // What was written above the sentence has moved the cursor with it.
    await this.go('next', target === undefined ? this.cursor() : before);
  }

  private async question(target: Target): Promise<void> {
    const at = this.placeOf(target);
    if (at === undefined) {
      await this.mark(target, 'question');
      return;
    }
    const known = await this.server.ask(reviewRequest, { ...this.about(), at });
    const note = await vscode.window.showInputBox({
      title:
        known?.sentence === undefined ? 'Question' : `Question about Sentence ${known.sentence}`,
      prompt: 'A note for whoever looks at it next; may be empty',
      value: known?.note ?? '',
    });
    if (note !== undefined) await this.review(at, 'question', note);
  }

  /** On the node, or the word, at the cursor; an empty one is deleted. */
  private async noteHere(): Promise<void> {
    const at = this.cursor();
    if (at === undefined) return;
    const known = await this.server.ask(noteRequest, { at });
    if (known?.about === undefined) {
      void vscode.window.showWarningMessage(known?.refused ?? 'The server does not answer.');
      return;
    }
    const note = await vscode.window.showInputBox({
      title: `Note on ${known.about}`,
      prompt: 'Seen here, in the files that are compared, and in the worklist; empty to delete it',
      value: known.note ?? '',
    });
    if (note === undefined) return;
    await this.write(at, (now) => this.server.ask(noteRequest, { at: now, note }));
  }

  private async review(at: PlaceArgument, state: ReviewState, note?: string): Promise<boolean> {
    const about = { ...this.about(), state, ...(note === undefined ? {} : { note }) };
    return this.write(at, (now) => this.server.ask(reviewRequest, { ...about, at: now }));
  }

  /** Writes what is said of a place: an edit is only asked for when the one before is made, as it
   * is counted in the text that there is then. */
  private async write(
    { uri, position }: PlaceArgument,
    ask: (at: PlaceArgument) => Promise<Review | undefined | null>,
  ): Promise<boolean> {
    const following = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (this.server.asUri(document.uri) === uri)
        position = contentChanges.reduce(moved, position);
    });
    try {
      return await this.turns.take(async () => this.make(await ask({ uri, position })));
    } finally {
      following.dispose();
    }
  }

  private async make(found: Review | undefined | null): Promise<boolean> {
    if (found == null) return false;
    if (found.refused !== undefined) {
      void vscode.window.showWarningMessage(found.refused);
      return false;
    }
    if (found.edit == null) return true;
    return applyReview(this.server, found);
  }

  private about(): { pair?: { gold: string; system: string }; reviewed: 'gold' | 'system' } {
    const { pair } = this.list.about();
    return { ...(pair === undefined ? {} : { pair }), reviewed: this.list.arrangement.reviewed };
  }

  private placeOf(target: Target): PlaceArgument | undefined {
    const entry = target === 'list' ? this.view.selection : entryOf(target);
    if (entry !== undefined) return { uri: entry.uri, position: entry.place };
    return this.cursor();
  }

  private cursor(): PlaceArgument | undefined {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined || !isTreebankLanguage(editor.document.languageId)) return undefined;
    const { line, character } = editor.selection.active;
    return { uri: this.server.asUri(editor.document.uri), position: { line, character } };
  }

  private isReady(): boolean {
    if (this.view.last?.pair != null) return true;
    void vscode.commands.executeCommand('treelens.worklist.focus');
    return false;
  }

  // --- how the list is arranged ----------------------------------------------------------------

  private async change(changes: Partial<List['arrangement']>): Promise<void> {
    await this.list.arrange(changes);
    this.view.restart();
  }

  private async show(show: 'all' | 'todo'): Promise<void> {
    await this.change({ filter: { ...this.list.arrangement.filter, show } });
  }

  private async swap(): Promise<void> {
    const { reviewed } = this.list.arrangement;
    await this.change({ reviewed: reviewed === 'gold' ? 'system' : 'gold' });
    const name = vscode.Uri.parse(this.list.pair?.[this.list.arrangement.reviewed] ?? '').path;
    vscode.window.setStatusBarMessage(`$(info) ${name.split('/').pop() ?? ''} is reviewed`, 5000);
  }

  private async arrange(): Promise<void> {
    const { order, by } = this.list.arrangement;
    const picked = await vscode.window.showQuickPick(arrangements(order, by), {
      placeHolder: 'Sort and group the worklist',
    });
    if (picked?.changes === undefined) return;
    if (picked.changes.order === 'worse' && this.view.last?.since === '') {
      const chosen = await vscode.commands.executeCommand<boolean>(
        'treelens.markNewSince',
        this.list.pair,
      );
      if (!chosen) return;
    }
    await this.change(picked.changes);
  }

  private async choosePair(): Promise<void> {
    const pairs = this.view.last?.pairs ?? [];
    if (pairs.length === 0) {
      await vscode.commands.executeCommand('treelens.compareWith');
      return;
    }
    const name = (uri: string): string => vscode.workspace.asRelativePath(vscode.Uri.parse(uri));
    const picked = await vscode.window.showQuickPick(
      pairs.map((pair) => ({
        label: name(pair.system),
        description: `with ${name(pair.gold)}`,
        pair,
      })),
      { placeHolder: 'The pair whose sentences are listed' },
    );
    if (picked === undefined) return;
    this.list.choose(picked.pair);
    this.view.restart();
  }

  /** The list follows what is typed; Escape brings back what was. */
  private async filter(): Promise<void> {
    const before = this.list.arrangement.filter;
    const box = vscode.window.createInputBox();
    box.title = 'Filter Worklist';
    box.value = writeFilter(before);
    box.placeholder = 'Words, ID, label, tag or relation';
    box.prompt =
      'Also: errors:2 (at least), score:0-80, is:todo, is:question, is:changed, is:checked, is:worse';
    let timer: NodeJS.Timeout | undefined;
    box.onDidChangeValue((value) => {
      const message = doubtOf(value);
      const { Info: severity } = vscode.InputBoxValidationSeverity;
      box.validationMessage = message === '' ? undefined : { message, severity };
      clearTimeout(timer);
      timer = setTimeout(() => void this.change({ filter: parseFilter(value) }), 200);
    });
    const accepted = await new Promise<boolean>((resolve) => {
      box.onDidAccept(() => resolve(true));
      box.onDidHide(() => resolve(false));
      box.show();
    });
    clearTimeout(timer);
    const filter = accepted ? parseFilter(box.value) : before;
    box.dispose();
    await this.change({ filter });
  }
}

interface Choice extends vscode.QuickPickItem {
  changes?: Partial<List['arrangement']>;
}

function arrangements(order: WorklistOrder, by: WorklistBy): Choice[] {
  const mark = (chosen: boolean): string => (chosen ? '$(check) ' : '$(blank) ');
  const separator = (label: string): Choice => ({
    label,
    kind: vscode.QuickPickItemKind.Separator,
  });
  const group = (label: string, description: string, value: WorklistBy): Choice => ({
    label: `${mark(by === value)}${label}`,
    description,
    changes: { by: value },
  });
  return [
    separator('sort'),
    { label: `${mark(order === 'score')}Worst first`, changes: { order: 'score' } },
    {
      label: `${mark(order === 'mismatches')}Most mismatches first`,
      changes: { order: 'mismatches' },
    },
    {
      label: `${mark(order === 'suspects')}Suspects first`,
      description: 'what several systems agree on against gold',
      changes: { order: 'suspects' },
    },
    {
      label: `${mark(order === 'worse')}Got worse first`,
      description: 'since an earlier version of the file, or against another system',
      changes: { order: 'worse' },
    },
    { label: `${mark(order === 'file')}In the file’s order`, changes: { order: 'file' } },
    separator('group'),
    group('No groups', 'one list', 'nothing'),
    group('By error class', 'PP Attachment, Coordination, …', 'class'),
    group('By label pair', 'NP→ADJP, nsubj→obj, …', 'labels'),
    group('By kind of mismatch', 'missing, extra, labels, heads, …', 'kind'),
    group('By review state', 'in question, changed, to do, checked', 'state'),
  ];
}

function groupOf(target: Target): string | undefined {
  if (typeof target !== 'object' || target.kind !== 'entry') return undefined;
  return target.parent?.kind === 'group' ? target.parent.section.key : undefined;
}

function entryOf(target: Target): WorklistEntry | undefined {
  return typeof target === 'object' && target.kind === 'entry' ? target.entry : undefined;
}

/** Writes what is said of a sentence. */
async function applyReview(server: Server, { edit }: Review): Promise<boolean> {
  const made = edit == null ? undefined : await server.asWorkspaceEdit(edit);
  if (!made || !(await makeAndSave(made, () => vscode.workspace.applyEdit(made)))) {
    void vscode.window.showErrorMessage(
      'The state could not be written: the file may be read-only, or have changed. Try again.',
    );
    return false;
  }
  return true;
}
