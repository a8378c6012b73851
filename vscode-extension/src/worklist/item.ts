// How a line of the worklist looks.
import * as vscode from 'vscode';
import type { ReviewState, WorklistSection, WorklistEntry } from '../protocol';
import type { Node } from './list';
import { described } from './line';

const icons: Record<ReviewState, vscode.ThemeIcon> = {
  todo: new vscode.ThemeIcon('circle-outline', new vscode.ThemeColor('descriptionForeground')),
  checked: new vscode.ThemeIcon('pass-filled', new vscode.ThemeColor('charts.green')),
  question: new vscode.ThemeIcon('question', new vscode.ThemeColor('charts.yellow')),
  changed: new vscode.ThemeIcon('history', new vscode.ThemeColor('charts.orange')),
};

const inWords: Record<ReviewState, string> = {
  todo: 'to do',
  checked: 'checked',
  question: 'in question',
  changed: 'changed since it was checked',
};

export function itemOf(node: Node): vscode.TreeItem {
  switch (node.kind) {
    case 'group':
      return groupItem(node.section, node.id);
    case 'entry':
      return entryItem(node.entry, node);
    case 'more':
      return moreItem(node);
  }
}

function moreItem(node: Node & { kind: 'more' }): vscode.TreeItem {
  const item = new vscode.TreeItem(`Show more (${count(node.more)} left)`);
  item.id = node.id;
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.command = { command: 'treelens.showMoreOfWorklist', title: 'Show More', arguments: [node] };
  return item;
}

function groupItem(section: WorklistSection, id: string): vscode.TreeItem {
  const item = new vscode.TreeItem(section.title, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = id;
  item.contextValue = 'group';
  const sentences = `${count(section.sentences)} ${section.sentences === 1 ? 'sentence' : 'sentences'}`;
  const errors = section.errors > section.sentences ? `${count(section.errors)} in ` : '';
  const left = section.left < section.sentences ? ` · ${count(section.left)} left` : '';
  item.description = `${errors}${sentences}${left}`;
  return item;
}

function entryItem(entry: WorklistEntry, node: Node): vscode.TreeItem {
  const name = entry.name === '' ? `${entry.sentence}` : entry.name;
  const item = new vscode.TreeItem(entry.score);
  item.id = node.id;
  item.iconPath = icons[entry.state];
  item.description = described(name, entry);
  item.contextValue = `entry.${entry.state}`;
  item.command = { command: 'treelens.openWorklistEntry', title: 'Open', arguments: [node] };
  item.accessibilityInformation = {
    label:
      `Sentence ${name}, score ${entry.score}, ${entry.summary || 'no mismatch'}, ` +
      `${inWords[entry.state]}: ${entry.words}`,
  };
  return item;
}

export function count(value: number): string {
  return value.toLocaleString('en');
}
