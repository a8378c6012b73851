// What varies in the folder, in the side bar: groups, and under each its places. The server reads,
// compares and sorts; a part of the list is here. VS Code gives a view that was collapsed at first
// five rows when it is opened: until there is something to say, this one is not there at all.
import * as vscode from 'vscode';
import {
  variationsRequest,
  type Variation,
  type VariationSection,
  type Variations,
  type VariationsBy,
  type VariationSpot,
} from '../protocol';
import type { Server } from '../server/server';

const pageSize = 200;
const debounceMilliseconds = 150;
const remembered = 'treelens.variations.by';

export type Node =
  | { kind: 'section'; section: VariationSection }
  | { kind: 'variation'; variation: Variation }
  | { kind: 'spot'; spot: VariationSpot }
  | { kind: 'more'; more: number };

export class VariationsView implements vscode.Disposable, vscode.TreeDataProvider<Node> {
  private readonly view: vscode.TreeView<Node>;
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly subscriptions: vscode.Disposable;
  private timer: NodeJS.Timeout | undefined;
  private limit = pageSize;
  private by: VariationsBy;
  private isShown = false;

  constructor(
    private readonly server: Server,
    private readonly memory: vscode.Memento,
  ) {
    this.by = memory.get<VariationsBy>(remembered) ?? 'nothing';
    this.view = vscode.window.createTreeView('treelens.variations', {
      treeDataProvider: this,
      showCollapseAll: true,
    });
    this.subscriptions = vscode.Disposable.from(
      this.view,
      this.changed,
      server.onDidChangeVariations(() => this.soon()),
      this.view.onDidChangeVisibility(({ visible }) => {
        if (visible) this.soon();
      }),
    );
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscriptions.dispose();
  }

  /** Has the view be there, for as long as the window is. */
  async show(): Promise<void> {
    this.isShown = true;
    await vscode.commands.executeCommand('setContext', 'treelens.variationsShown', true);
  }

  showMore(): void {
    this.limit += 4 * pageSize;
    this.changed.fire(undefined);
  }

  async group(): Promise<void> {
    const choices: { label: string; by: VariationsBy }[] = [
      { label: 'The Sharpest First', by: 'nothing' },
      { label: 'By Kind', by: 'kind' },
      { label: 'By Labels', by: 'structure' },
      { label: 'By File', by: 'file' },
    ];
    const chosen = await vscode.window.showQuickPick(choices, { title: 'What Varies' });
    if (chosen === undefined) return;
    this.by = chosen.by;
    await this.memory.update(remembered, chosen.by);
    this.changed.fire(undefined);
  }

  // --- what the tree asks ----------------------------------------------------------------------

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case 'section':
        return sectionItem(node.section);
      case 'variation':
        return variationItem(node.variation);
      case 'spot':
        return spotItem(node.spot);
      case 'more':
        return moreItem(node.more);
    }
  }

  async getChildren(parent?: Node): Promise<Node[]> {
    if (parent?.kind === 'variation') {
      return parent.variation.spots.map((spot) => ({ kind: 'spot', spot }));
    }
    const section = parent?.kind === 'section' ? parent.section.title : undefined;
    const found = await this.ask(section);
    if (found === undefined) return [];
    if (section === undefined) this.summarise(found);
    const nodes: Node[] = [
      ...found.sections.map((one): Node => ({ kind: 'section', section: one })),
      ...found.variations.map((variation): Node => ({ kind: 'variation', variation })),
    ];
    return found.more === 0 ? nodes : [...nodes, { kind: 'more', more: found.more }];
  }

  private async ask(section?: string): Promise<Variations | undefined> {
    const { by, limit } = this;
    const which = section === undefined ? {} : { section };
    return this.server.ask(variationsRequest, { by, limit, ...which });
  }

  private summarise({ files, total, tier }: Variations): void {
    void vscode.commands.executeCommand('setContext', 'treelens.variationsKnown', files !== null);
    const groups = `${total.toLocaleString('en')} ${total === 1 ? 'group' : 'groups'}`;
    this.view.description = files === null ? '' : `${groups}, tier ${tier}`;
    // (No badge: the icon would add it up with the worklist's.)
    const read = files === 1 ? '1 file' : `${files?.toLocaleString('en')} files`;
    // (Where there is a message, not even an empty one, VS Code shows no words of welcome.)
    (this.view as { message: string | undefined }).message =
      files !== null && total === 0 ? `Nothing varies in ${read}.` : undefined;
  }

  private soon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      if (this.view.visible) this.changed.fire(undefined);
      else if (!this.isShown) void this.look();
    }, debounceMilliseconds);
  }

  private async look(): Promise<void> {
    const found = await this.server.ask(variationsRequest, { by: this.by, limit: 0 });
    if (found !== undefined && found.total > 0) await this.show();
  }
}

// --- lines of the list ---------------------------------------------------------------------------

const { Collapsed } = vscode.TreeItemCollapsibleState;

function sectionItem(section: VariationSection): vscode.TreeItem {
  const item = new vscode.TreeItem(section.title, Collapsed);
  item.id = `section|${section.title}`;
  item.description = section.variations.toLocaleString('en');
  return item;
}

function variationItem(variation: Variation): vscode.TreeItem {
  const { kind, title, labels, tier } = variation;
  const item = new vscode.TreeItem(title, Collapsed);
  item.description = labels;
  item.tooltip = `${title}\n${kind}, tier ${tier}\n${labels}`;
  item.contextValue = 'variation';
  item.iconPath = new vscode.ThemeIcon('compare-changes');
  item.accessibilityInformation = { label: `${title}: ${labels}` };
  return item;
}

function spotItem(spot: VariationSpot): vscode.TreeItem {
  const item = new vscode.TreeItem(spot.label);
  const file = vscode.Uri.parse(spot.uri).path.split('/').pop() ?? '';
  const where = `${file}:${spot.range.start.line + 1}`;
  item.description = `${where} · ${spot.words}`;
  item.tooltip = `${spot.words}\n${where}`;
  item.contextValue = 'spot';
  item.iconPath = new vscode.ThemeIcon(spot.deviant ? 'circle-filled' : 'circle-outline');
  item.command = { command: 'treelens.openVariation', title: 'Open', arguments: [{ spot }] };
  return item;
}

function moreItem(more: number): vscode.TreeItem {
  const item = new vscode.TreeItem(`${more.toLocaleString('en')} more…`);
  item.command = { command: 'treelens.showMoreVariations', title: 'Show More' };
  return item;
}
