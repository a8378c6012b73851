// The worklist in the side bar: groups, sentences, what is left of them. The server sorts, filters
// and counts; a page of it is here.
import * as vscode from 'vscode';
import type { Worklist, WorklistEntry } from '../protocol';
import { shownEditor, type ServerTrouble } from '../pairs/statusBar';
import type { Server } from '../server/server';
import { isTreebankLanguage } from '../treebanks';
import { unlessOvertaken } from '../turns';
import { writeFilter } from './filter';
import { count, itemOf } from './item';
import { pageSize, type List, type Node } from './list';

const debounceMilliseconds = 150;
const context = 'treelens.worklistShows';

/** Why there is nothing to see, if so: the words for each are in package.json. */
type Shows =
  NonNullable<ServerTrouble> | 'no file' | 'no pair' | 'counting' | 'nothing' | 'done' | 'list';

export class WorklistView implements vscode.Disposable, vscode.TreeDataProvider<Node> {
  private readonly view: vscode.TreeView<Node>;
  private readonly status: vscode.StatusBarItem;
  private readonly changed = new vscode.EventEmitter<Node | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly subscriptions: vscode.Disposable;
  private timer: NodeJS.Timeout | undefined;
  private followTimer: NodeJS.Timeout | undefined;
  /** How many lines are shown, by the group's id; the list itself is ''. */
  private readonly limits = new Map<string, number>();
  /** The nodes that are shown, by group of sentences: to find the one of the cursor. */
  private readonly shown = new Map<string, Node[]>();
  private again = false;
  /** Something has changed while the list was not seen: what VS Code has of it is old. */
  private stale = false;
  last: Worklist | undefined;

  constructor(
    private readonly server: Server,
    private readonly list: List,
  ) {
    this.view = vscode.window.createTreeView('treelens.worklist', {
      treeDataProvider: this,
      showCollapseAll: true,
    });
    this.status = vscode.window.createStatusBarItem(
      'treelens.worklist',
      vscode.StatusBarAlignment.Left,
      9,
    );
    this.status.name = 'Treelens Worklist';
    this.status.command = 'treelens.worklist.focus';
    this.show('starting');
    this.subscriptions = vscode.Disposable.from(
      this.view,
      this.status,
      this.changed,
      server.onDidChange(() => this.soon()),
      server.onDidChangeWorklist(() => this.soon()),
      this.view.onDidChangeVisibility(({ visible }) => {
        if (visible && this.stale) this.refresh();
        else if (visible) this.follow();
      }),
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        if (editor !== undefined && isTreebankLanguage(editor.document.languageId)) this.soon();
        this.showStatus();
      }),
      vscode.window.onDidChangeVisibleTextEditors(() => this.showStatus()),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor === vscode.window.activeTextEditor) this.follow();
      }),
    );
  }

  dispose(): void {
    clearTimeout(this.timer);
    clearTimeout(this.followTimer);
    this.subscriptions.dispose();
  }

  /** What is selected in the list. */
  get selection(): WorklistEntry | undefined {
    const [node] = this.view.selection;
    return node?.kind === 'entry' ? node.entry : undefined;
  }

  /** From the top: another order, another filter, another pair. */
  restart(): void {
    this.limits.clear();
    this.shown.clear();
    this.again = true;
    this.soon();
  }

  showMore(node: Node): void {
    if (node.kind !== 'more') return;
    const key = node.parent?.id ?? '';
    this.limits.set(key, this.limitOf(node.parent) + 4 * pageSize);
    this.renew(node.parent);
  }

  // --- what the tree asks ----------------------------------------------------------------------

  getTreeItem(node: Node): vscode.TreeItem {
    return itemOf(node);
  }

  getParent(node: Node): Node | undefined {
    return node.kind === 'group' ? undefined : node.parent;
  }

  async getChildren(parent?: Node): Promise<Node[]> {
    if (parent?.kind === 'group') return this.lines(parent);
    const found = await this.ask(this.limitOf(undefined));
    const prefix = found?.pair === null ? '' : `${found?.pair?.gold}|${found?.pair?.system}`;
    if (found?.groups !== undefined) {
      return found.groups.map((section) => ({
        kind: 'group',
        id: `${prefix}|${section.key}`,
        section,
      }));
    }
    return this.nodes(found, prefix, undefined);
  }

  async resolveTreeItem(item: vscode.TreeItem, node: Node): Promise<vscode.TreeItem> {
    if (node.kind !== 'entry') return item;
    const text = await this.list.tooltip(node.entry.group);
    if (text !== undefined) item.tooltip = new vscode.MarkdownString(text);
    return item;
  }

  private async lines(parent: Node & { kind: 'group' }): Promise<Node[]> {
    const found = await this.list.page(this.limitOf(parent), parent.section.key);
    return this.nodes(found, parent.id, parent);
  }

  private nodes(found: Worklist | undefined, prefix: string, parent: Node | undefined): Node[] {
    const nodes: Node[] = (found?.entries ?? []).map((entry) => ({
      kind: 'entry',
      id: `${prefix}|${entry.group}`,
      entry,
      parent,
    }));
    this.shown.set(parent?.id ?? '', nodes);
    this.follow();
    const more = found?.more ?? 0;
    if (more === 0) return nodes;
    return [...nodes, { kind: 'more', id: `${prefix}|more`, more, parent }];
  }

  private limitOf(parent: Node | undefined): number {
    return this.limits.get(parent?.id ?? '') ?? pageSize;
  }

  // --- keeping up ------------------------------------------------------------------------------

  private soon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      if (this.view.visible) {
        this.refresh();
        return;
      }
      // A list that is not seen costs no more than its summary.
      this.stale = true;
      void this.ask(1);
    }, debounceMilliseconds);
  }

  private refresh(): void {
    this.stale = false;
    this.renew(undefined);
  }

  /** VS Code forgets the nodes there, and cannot select them any more: it asks for others. */
  private renew(parent: Node | undefined): void {
    if (parent === undefined) this.shown.clear();
    else this.shown.delete(parent.id);
    this.changed.fire(parent);
  }

  private async ask(limit: number): Promise<Worklist | undefined> {
    const { again } = this;
    this.again = false;
    const found = await this.list.page(limit, undefined, again);
    this.last = found;
    this.summarise(found);
    return found;
  }

  private summarise(found: Worklist | undefined): void {
    this.show(this.shows(found));
    if (found?.pair == null) {
      this.view.description = '';
      this.say(undefined);
      this.view.badge = undefined;
      this.showStatus();
      return;
    }
    const { checked, total, left, listed, questions, changed, busy } = found;
    const progress = `${count(checked)} of ${count(total)} checked`;
    const name = vscode.Uri.parse(found.reviewed).path.split('/').pop() ?? '';
    this.view.description = name;
    this.view.badge =
      left === 0 ? undefined : { value: left, tooltip: `${count(left)} sentences to do` };
    const filter = writeFilter(this.list.arrangement.filter);
    const { order, filter: chosen } = this.list.arrangement;
    const ofChanges = order === 'worse' || chosen.worse === true;
    const lines = [
      progress,
      ofChanges && found.since === '' ? 'Choose a version: “Mark What Is New Since…”' : '',
      ofChanges && found.since !== '' ? `Since ${found.since}` : '',
      filter === '' ? '' : `Filter: ${filter} (${count(listed)} of ${count(total)})`,
      busy === null ? (found.incomplete ? 'Incomplete: sorting was cancelled' : '') : `${busy}…`,
    ];
    const text = lines.filter((line) => line !== '').join(' · ');
    this.say(listed === 0 ? undefined : text);
    this.status.text = `$(checklist) ${progress}`;
    const more = [
      questions === 0 ? '' : `${count(questions)} in question`,
      changed === 0 ? '' : `${count(changed)} changed since they were checked`,
    ].filter((text) => text !== '');
    this.status.tooltip = [`Worklist of ${name}: ${progress}`, ...more].join(', ');
    this.status.accessibilityInformation = { label: this.status.tooltip, role: 'button' };
    this.showStatus();
  }

  /** Beside the score, of which there is none where no treebank is seen. */
  private showStatus(): void {
    if (this.last?.pair != null && shownEditor() !== undefined) this.status.show();
    else this.status.hide();
  }

  /** Above the list. Where there is one, not even an empty one, VS Code shows no words of welcome. */
  private say(message: string | undefined): void {
    (this.view as { message: string | undefined }).message = message;
  }

  private shows(found: Worklist | undefined): Shows {
    if (this.server.trouble !== undefined) return this.server.trouble;
    if (found?.pair == null) {
      if (found?.busy != null) return 'counting';
      const isOpen = vscode.window.visibleTextEditors.some(({ document }) =>
        isTreebankLanguage(document.languageId),
      );
      return isOpen ? 'no pair' : 'no file';
    }
    if (found.listed > 0) return 'list';
    const { filter } = this.list.arrangement;
    const onlyTodo = writeFilter({ ...filter, show: 'all' }) === '' && filter.show === 'todo';
    return onlyTodo ? 'done' : 'nothing';
  }

  private show(shows: Shows): void {
    void vscode.commands.executeCommand('setContext', context, shows);
    const { filter } = this.list.arrangement;
    const set = (key: string, value: boolean): void => {
      void vscode.commands.executeCommand('setContext', key, value);
    };
    set('treelens.worklistFiltered', writeFilter(filter) !== '');
    set('treelens.worklistOnlyTodo', filter.show === 'todo');
  }

  /** Selects the sentence of the cursor where it is shown; never takes the focus. */
  follow(): void {
    this.followTimer ??= setTimeout(() => {
      this.followTimer = undefined;
      void this.reveal();
    }, debounceMilliseconds);
  }

  private async reveal(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined || !this.isBeside(editor)) return;
    if (!isTreebankLanguage(editor.document.languageId)) return;
    const { line, character } = editor.selection.active;
    const uri = this.server.asUri(editor.document.uri);
    const group = await this.list.groupAt({ uri, position: { line, character } });
    if (group === undefined || this.selection?.group === group) return;
    const nodes = [...this.shown.values()].flat();
    const node = nodes.find((one) => one.kind === 'entry' && one.entry.group === group);
    // (A view that was left meanwhile would come back.)
    if (node === undefined || !this.isBeside(editor)) return;
    // (The list may be another one by the time that it is to be selected there.)
    unlessOvertaken(this.view.reveal(node, { select: true, focus: false }));
  }

  /** Whether it is seen, and the cursor is in this editor. */
  private isBeside(editor: vscode.TextEditor): boolean {
    return this.view.visible && vscode.window.activeTextEditor === editor;
  }
}
