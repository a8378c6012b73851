// The live score of the pair that the active editor belongs to.
import * as vscode from 'vscode';
import type {
  AdjudicationStatus,
  GuidelinesStatus,
  PairNames,
  PairStatus,
  StatusParams,
} from '../protocol';
import { isOn } from '../settings';
import { isSame } from '../showDocument';
import { isTreebankLanguage } from '../treebanks';
import { PairTable } from './table';
import { Unpaired, type AskPairs } from './unpaired';

/** What became of the server; undefined while it runs as it should. */
export type ServerTrouble = 'starting' | 'no server' | 'stopped' | undefined;

export class StatusBar implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  private readonly subscription: vscode.Disposable;
  private readonly pairs = new PairTable((uri) => vscode.Uri.parse(uri).toString());
  private busy: string | null = null;
  private adjudications: readonly AdjudicationStatus[] = [];
  private guidelines: readonly GuidelinesStatus[] = [];
  private trouble: ServerTrouble = 'starting';
  private unpaired: Unpaired | undefined;
  /** Whether the file that is shown belongs to another one. */
  isPaired = false;

  constructor() {
    this.item = vscode.window.createStatusBarItem(
      'treelens.score',
      vscode.StatusBarAlignment.Left,
      // Left of the problem counts' neighbours, where the eye is while typing.
      10,
    );
    this.item.name = 'Treelens Score';
    this.subscription = vscode.Disposable.from(
      this.item,
      vscode.window.onDidChangeActiveTextEditor(() => this.draw()),
      vscode.window.onDidChangeVisibleTextEditors(() => this.draw()),
      vscode.workspace.onDidOpenTextDocument(() => this.draw()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        const shown = ['treelens.strict', 'treelens.onlyThisSentence'];
        if (shown.some((one) => event.affectsConfiguration(one))) this.draw();
      }),
    );
    this.draw();
  }

  dispose(): void {
    this.subscription.dispose();
  }

  /** How a server is asked what it has not said. */
  asks(ask: AskPairs): void {
    this.unpaired = new Unpaired(ask, () => this.draw());
  }

  update(status: StatusParams): void {
    this.pairs.take(status);
    this.unpaired?.again();
    this.busy = status.busy;
    this.trouble = undefined;
    this.draw();
  }

  updateAdjudications(adjudications: readonly AdjudicationStatus[]): void {
    this.adjudications = adjudications;
    this.draw();
  }

  /** How far the open files keep to the guidelines that are checked. */
  updateGuidelines(files: readonly GuidelinesStatus[]): void {
    this.guidelines = files;
    this.draw();
  }

  setTrouble(trouble: ServerTrouble): void {
    this.trouble = trouble;
    if (trouble !== undefined) {
      this.pairs.clear();
      this.busy = null;
      this.adjudications = [];
      this.guidelines = [];
      this.unpaired?.forget();
    }
    this.draw();
  }

  /**
   * The pair of the active editor; if the file is in several, that with what was committed of it,
   * else the first whose other file is seen.
   */
  pairOf(editor: vscode.TextEditor | undefined): PairStatus | undefined {
    if (editor === undefined) return undefined;
    const committed = this.committedOf(editor);
    if (committed !== undefined) return committed;
    const pairs = this.pairsOf(editor.document.uri);
    const seen = vscode.window.visibleTextEditors
      .map(({ document }) => document.uri)
      .filter((uri) => !isSame(uri, editor.document.uri));
    return pairs.find((pair) => seen.some((uri) => isIn(pair, uri))) ?? pairs[0];
  }

  /** All pairs that a file is in. */
  pairsOf(uri: vscode.Uri): PairStatus[] {
    return this.pairs.of(uri.toString());
  }

  pairNamed(names: PairNames | undefined): PairStatus | undefined {
    if (names === undefined) return undefined;
    return this.pairs.from(names.gold).find(({ system }) => system === names.system);
  }

  /** What a pair is to be told from: the others with the same gold, and itself. */
  rivalsOf(pair: PairStatus | AdjudicationStatus): readonly PairStatus[] {
    return 'gold' in pair ? this.pairs.from(pair.gold) : [];
  }

  /** The adjudication that a file is in. */
  adjudicationOf(uri: vscode.Uri | undefined): AdjudicationStatus | undefined {
    if (uri === undefined) return undefined;
    return this.adjudications.find(({ first, second, adjudicated }) =>
      [first, second, adjudicated].some((one) => one !== '' && isSame(vscode.Uri.parse(one), uri)),
    );
  }

  /** Whether it is settled there who of two annotators is right. */
  isAdjudicated(editor: vscode.TextEditor | undefined): boolean {
    if (editor === undefined || this.committedOf(editor) !== undefined) return false;
    const name = this.adjudicationOf(editor.document.uri)?.adjudicated ?? '';
    return name !== '' && isSame(vscode.Uri.parse(name), editor.document.uri);
  }

  /** What a file is compared with that was committed of it: nothing else is heard meanwhile. */
  private committedOf(editor: vscode.TextEditor): PairStatus | undefined {
    return this.pairsOf(editor.document.uri).find(
      ({ gold }) => vscode.Uri.parse(gold).scheme === 'git',
    );
  }

  private draw(): void {
    const editor = shownEditor();
    const committed = editor && this.committedOf(editor);
    const pair = committed ?? this.adjudicationOf(editor?.document.uri) ?? this.pairOf(editor);
    this.isPaired = pair !== undefined;
    void vscode.commands.executeCommand('setContext', 'treelens.paired', this.isPaired);
    const adjudicated = this.isAdjudicated(editor);
    void vscode.commands.executeCommand('setContext', 'treelens.adjudicated', adjudicated);
    if (editor === undefined) {
      this.item.hide();
      return;
    }
    this.describe(pair, editor.document.uri);
    this.addGuidelines(editor.document.uri);
    // (Signs are drawn: they would be read as their names.)
    const label = this.item.text.replaceAll(/\$\([^)]*\)\s*/g, '');
    this.item.accessibilityInformation = { label: `Treelens: ${label}`, role: 'button' };
    this.item.show();
  }

  private describe(pair: PairStatus | AdjudicationStatus | undefined, uri: vscode.Uri): void {
    const { busy } = this;
    this.item.backgroundColor = undefined;
    this.item.command = 'treelens.showMenu';
    if (pair !== undefined) this.unpaired?.forget();
    if (this.trouble !== undefined) {
      this.describeTrouble(this.trouble);
    } else if (pair !== undefined) {
      // Whoever sees fewer differences than there are is to know it.
      const fewer = 'countedOnly' in pair ? pair.countedOnly : !isOn('strict');
      const one = isOn('onlyThisSentence', false);
      const only =
        (fewer ? ` · ${vscode.l10n.t('counted only')}` : '') +
        (one ? ` · ${vscode.l10n.t('marks: this sentence only')}` : '');
      const rivals = this.rivalsOf(pair);
      const name = rivals.length > 1 && 'name' in pair ? `${pair.name}: ` : '';
      this.item.text = `$(${busy === null ? 'list-tree' : 'loading~spin'}) ${name}${pair.score}${only}`;
      const others = rivals.filter((one) => one !== pair);
      this.item.tooltip = tooltip([pair, ...others], busy);
    } else if (busy !== null) {
      this.item.text = `$(loading~spin) ${busy}`;
      this.item.tooltip = 'Treelens';
    } else if (this.unpaired?.has(uri.toString()) !== true) {
      // (It has just started, or the pair is not scored yet.)
      this.item.text = '$(loading~spin) Treelens';
      this.item.tooltip = 'Treelens';
    } else {
      this.item.text = `$(list-tree) ${vscode.l10n.t('Not paired')}`;
      this.item.tooltip = vscode.l10n.t('Treelens: choose a file to compare with');
      this.item.command = 'treelens.compareWith';
    }
  }

  private addGuidelines(uri: vscode.Uri): void {
    const found = this.guidelines.find((one) => isSame(vscode.Uri.parse(one.uri), uri));
    if (found === undefined) return;
    this.item.text += ` · ${found.text}`;
    const { tooltip } = this.item;
    const before = tooltip instanceof vscode.MarkdownString ? tooltip.value : (tooltip ?? '');
    this.item.tooltip = new vscode.MarkdownString(`${before}\n\n${found.detail}`, true);
  }

  private describeTrouble(trouble: NonNullable<ServerTrouble>): void {
    if (trouble === 'starting') {
      this.item.text = '$(loading~spin) Treelens';
      this.item.tooltip = vscode.l10n.t('Treelens is starting');
      return;
    }
    this.item.text = '$(warning) Treelens';
    this.item.tooltip =
      trouble === 'no server'
        ? vscode.l10n.t('The Treelens server is not set up: click to do that')
        : vscode.l10n.t('The Treelens server has stopped: click to start it again');
    this.item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
    this.item.command = 'treelens.restartServer';
  }
}

/** The active treebank editor; or, with the focus elsewhere (a panel, a note), any that is seen. */
export function shownEditor(): vscode.TextEditor | undefined {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  return [activeTextEditor, ...visibleTextEditors].find(
    (editor) => editor !== undefined && isTreebankLanguage(editor.document.languageId),
  );
}

/** The server's spelling of a URI may escape other characters than VS Code's. */
function isIn({ gold, system }: PairStatus, uri: vscode.Uri): boolean {
  return [gold, system].some((side) => isSame(vscode.Uri.parse(side), uri));
}

/** All systems of one gold file, the one that the bar speaks of first. */
function tooltip(
  pairs: (PairStatus | AdjudicationStatus)[],
  busy: string | null,
): vscode.MarkdownString {
  const details = pairs.map(({ detail }) => detail).join('\n\n---\n\n');
  const text = busy === null ? details : `${details}\n\n$(loading~spin) ${busy}`;
  return new vscode.MarkdownString(text, true);
}
