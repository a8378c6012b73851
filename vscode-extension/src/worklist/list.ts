// The worklist as the server has it: what is asked for, how much of it has been loaded, and what is
// remembered of it from one day to the next.
import * as vscode from 'vscode';
import {
  worklistGroupRequest,
  worklistRequest,
  worklistStepRequest,
  worklistTooltipRequest,
  type PairNames,
  type PlaceArgument,
  type Worklist,
  type WorklistSection,
  type WorklistEntry,
  type WorklistOptions,
  type WorklistStep,
} from '../protocol';
import type { Server } from '../server/server';
import { isSame } from '../showDocument';
import { isTreebankLanguage } from '../treebanks';
import { everything } from './filter';

export const pageSize = 60;
const remembered = 'treelens.worklist';

/** All but which pair it is about. */
export type Arrangement = Omit<WorklistOptions, 'pair' | 'uri'>;

const first: Arrangement = {
  reviewed: 'system',
  order: 'score',
  by: 'nothing',
  filter: everything,
};

export class List {
  arrangement: Arrangement;
  /** The pair that is listed, until an editor of another file is used. */
  pair: PairNames | undefined;
  /** The file that was used when a pair was chosen by hand. */
  private beside: vscode.Uri | undefined;
  /** The group that was gone into: the next sentence is the next of it. */
  group: string | undefined;

  constructor(
    private readonly server: Server,
    private readonly memory: vscode.Memento,
  ) {
    this.arrangement = { ...first, ...memory.get<Partial<Arrangement>>(remembered) };
  }

  async arrange(changes: Partial<Arrangement>): Promise<void> {
    this.arrangement = { ...this.arrangement, ...changes };
    this.group = undefined;
    await this.memory.update(remembered, this.arrangement);
  }

  /** The summary with the first lines; of a group, those of that. `again`: also what was cancelled. */
  async page(limit: number, group?: string, again = false): Promise<Worklist | undefined> {
    const found = await this.server.ask(worklistRequest, {
      ...this.options(),
      ...(group === undefined ? {} : { group }),
      ...(again ? { again } : {}),
      offset: 0,
      limit,
    });
    if (found?.pair != null) this.pair = found.pair;
    return found ?? undefined;
  }

  async step(to: WorklistStep, at: PlaceArgument | undefined): Promise<WorklistEntry | undefined> {
    if (to === 'worst') this.group = undefined;
    const { group } = this;
    const params = {
      ...this.options(),
      to,
      ...(group === undefined ? {} : { group }),
      ...(at === undefined ? {} : { at }),
    };
    return (await this.server.ask(worklistStepRequest, params)) ?? undefined;
  }

  async groupAt(at: PlaceArgument): Promise<number | undefined> {
    return (await this.server.ask(worklistGroupRequest, { ...this.about(), at })) ?? undefined;
  }

  async tooltip(group: number): Promise<string | undefined> {
    const { reviewed } = this.arrangement;
    const params = { ...this.about(), reviewed, group };
    return (await this.server.ask(worklistTooltipRequest, params)) ?? undefined;
  }

  choose(pair: PairNames): void {
    this.pair = pair;
    this.beside = vscode.window.activeTextEditor?.document.uri;
  }

  options(): WorklistOptions {
    return { ...this.arrangement, ...this.about() };
  }

  /**
   * The pair that was listed, unless the editor that is used now is of none of its files and was not
   * used already when it was chosen.
   */
  about(): { pair?: PairNames; uri?: string } {
    const document = vscode.window.activeTextEditor?.document;
    const used = document !== undefined && isTreebankLanguage(document.languageId);
    const uri = used ? this.server.asUri(document.uri) : undefined;
    if (used && this.beside !== undefined && !isSame(this.beside, document.uri)) {
      this.beside = undefined;
    }
    const holds = uri === undefined || this.beside !== undefined;
    if (this.pair !== undefined && (holds || isIn(this.pair, document?.uri))) {
      return { pair: this.pair };
    }
    return uri === undefined ? {} : { uri };
  }
}

/** The server's spelling of a URI may escape other characters than VS Code's. */
export function isIn(pair: PairNames, uri: vscode.Uri | undefined): boolean {
  return [pair.gold, pair.system].some(
    (side) => vscode.Uri.parse(side).toString() === uri?.toString(),
  );
}

export type Node =
  | { kind: 'group'; id: string; section: WorklistSection }
  | { kind: 'entry'; id: string; entry: WorklistEntry; parent: Node | undefined }
  | { kind: 'more'; id: string; more: number; parent: Node | undefined };
