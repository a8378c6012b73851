// What is done to a node of the picture is done to the text it is written in, one undo step each.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { editNodeRequest } from '../protocol';
import type { Server } from '../server/server';
import type { Drawn } from './drawn';
import type { FromPage } from './messages';
import type { Place, PictureNode } from './picture';
import { asRange } from './text';

type EditMessage = Extract<FromPage, { type: 'edit' }>;

export class Edits {
  /** The text that was last changed from the picture. */
  last: vscode.Uri | undefined;

  constructor(
    private readonly server: Server,
    private readonly say: (text: string) => void,
  ) {}

  async edit(drawn: Drawn, node: PictureNode, message: EditMessage): Promise<void> {
    const target = drawn.picture.nodes.find(({ id }) => id === message.target);
    const [place, there] = placesOf(node, target);
    if (place === undefined || (message.target !== undefined && there === undefined)) {
      this.say('Both must be in the same file: these are in two.');
      return;
    }
    const version = drawn.versions.get(place.uri);
    if (isStale(place.uri, version)) {
      this.say('The text has just changed. Try again.');
      return;
    }
    const answer = await this.server.ask(editNodeRequest, {
      textDocument: { uri: place.uri, version: version ?? null, asOf: place.asOf },
      range: place.range,
      operation: message.operation,
      ...(message.argument === undefined ? {} : { argument: message.argument }),
      ...(there === undefined ? {} : { target: there.range }),
    });
    if (answer === undefined) return;
    if ('refused' in answer) {
      this.say(`Not done: ${answer.refused}.`);
      return;
    }
    const edit = await this.server.asWorkspaceEdit(answer.edit);
    if (edit === undefined || isStale(place.uri, version)) {
      this.say('The text has changed meanwhile: nothing was done. Try again.');
      return;
    }
    await this.apply(edit, place);
  }

  /** What the server offers at a node, by what it is called. */
  async actionTitles(place: Place): Promise<string[]> {
    const actions = await offered(place, 0);
    // What is done to the whole file is no action of one thing in a picture.
    return actions.filter((one) => !isOfSource(one)).map(({ title }) => title);
  }

  async act(place: Place, title: string): Promise<void> {
    const titles = (await offered(place, 0)).map((one) => one.title);
    // They are worked out up to the one that is wanted.
    const actions = await offered(place, titles.indexOf(title) + 1);
    const action = actions.find((one) => one.title === title);
    if (action === undefined) {
      this.say('The text has changed meanwhile: nothing was done.');
      return;
    }
    if (action instanceof vscode.CodeAction) {
      if (action.edit !== undefined) await this.apply(action.edit, place);
      await run(action.command);
    } else {
      await run(action);
    }
    this.last = vscode.Uri.parse(place.uri);
  }

  /** What may stand where the node's label does, the likeliest first. */
  async labels(place: Place): Promise<string[]> {
    const list = await vscode.commands.executeCommand<vscode.CompletionList | undefined>(
      'vscode.executeCompletionItemProvider',
      vscode.Uri.parse(place.uri),
      asRange(place.given).start,
    );
    const items = [...(list?.items ?? [])];
    const rank = (item: vscode.CompletionItem): string => item.sortText ?? textOf(item.label);
    items.sort((one, other) => (rank(one) < rank(other) ? -1 : 1));
    // (A label may be shown otherwise than it is written.)
    return [
      ...new Set(
        items.map(({ label, insertText }) =>
          typeof insertText === 'string' ? insertText : textOf(label),
        ),
      ),
    ];
  }

  private async apply(edit: vscode.WorkspaceEdit, place: Place): Promise<void> {
    const changed = edit.entries()[0]?.[0] ?? vscode.Uri.parse(place.uri);
    if (!(await vscode.workspace.applyEdit(edit))) {
      this.say(`${path.posix.basename(changed.path)} could not be changed.`);
      return;
    }
    this.last = changed;
  }
}

/** Where both are in one file, else where the one is. */
function placesOf(
  node: PictureNode,
  target: PictureNode | undefined,
): [Place | undefined, Place | undefined] {
  if (target === undefined) return [node.places[0], undefined];
  for (const place of node.places) {
    const there = target.places.find(({ uri }) => uri === place.uri);
    if (there !== undefined) return [place, there];
  }
  return [undefined, undefined];
}

/** Whether a text is another than the picture's; one that is not open cannot be. */
function isStale(uri: string, version: number | undefined): boolean {
  const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri);
  return document !== undefined && document.version !== version;
}

async function offered(
  place: Place,
  resolved: number,
): Promise<(vscode.CodeAction | vscode.Command)[]> {
  const actions = await vscode.commands.executeCommand<
    (vscode.CodeAction | vscode.Command)[] | undefined
  >(
    'vscode.executeCodeActionProvider',
    vscode.Uri.parse(place.uri),
    asRange(place.selection),
    undefined,
    resolved,
  );
  return (actions ?? []).filter((one) => (one as vscode.CodeAction).disabled === undefined);
}

async function run(command: vscode.Command | undefined): Promise<void> {
  if (command === undefined) return;
  const given: unknown[] = command.arguments ?? [];
  await vscode.commands.executeCommand(command.command, ...given);
}

function textOf(label: string | vscode.CompletionItemLabel): string {
  return typeof label === 'string' ? label : label.label;
}

function isOfSource(action: vscode.CodeAction | vscode.Command): boolean {
  const kind = action instanceof vscode.CodeAction ? action.kind : undefined;
  return kind !== undefined && vscode.CodeActionKind.Source.contains(kind);
}
