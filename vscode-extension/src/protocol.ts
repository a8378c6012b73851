// What Treelens's client and server say to each other beyond LSP. The server's half is in
// server/treelens_server; the names are the same there.
import {
  NotificationType,
  RequestType,
  type ExecuteCommandParams,
  type Location,
  type Position,
  type Range,
  type WorkspaceEdit,
} from 'vscode-languageclient/node';
import type { Choice, Operation, Picture } from './picture/picture';

/** The server computes lenses and such for what can be seen, not for forty thousand sentences. */
export interface VisibleParams {
  uri: string;
  ranges: Range[];
}

export const visibleNotification = new NotificationType<VisibleParams>('treelens/visible');

export interface PairStatus {
  gold: string;
  system: string;
  /** Ready to show, such as "F1 80.91". */
  score: string;
  /** Markdown. */
  detail: string;
  sentences: number;
  mismatches: number;
}

/** Two annotators' files and where it is settled who is right; empty where nowhere yet. */
export interface AdjudicationStatus {
  first: string;
  second: string;
  adjudicated: string;
  /** Ready to show, such as "anna/boris F1 91.20 · κ 0.87 · 14 open". */
  score: string;
  /** Markdown. */
  detail: string;
  /** Null while it is being counted. */
  open: number | null;
  settled: number;
}

export interface StatusParams {
  pairs: PairStatus[];
  adjudications: AdjudicationStatus[];
  /** What the server is busy with, or null. */
  busy: string | null;
}

export const statusNotification = new NotificationType<StatusParams>('treelens/status');

/** What has come of a check of the corpus. */
export const checkedNotification = new NotificationType<{ message: string }>('treelens/checked');

/** A check of the corpus would find something else now. */
export const corpusChangedNotification = new NotificationType<object>('treelens/corpusChanged');

/** What answers in another file to a place in one. */
export interface Answering extends Location {
  kind: 'same' | 'other label' | 'nearest';
  /** All that it stands for: a constituent, a word's line. */
  whole: Range;
  /** The bracket that closes a constituent. */
  closing?: Range;
}

export const answeringRequest = new RequestType<PlaceArgument, Answering[], void>(
  'treelens/answering',
);

/** Another file, and which of its places stand beside those here; both ascend. */
export interface Abreast {
  uri: string;
  stops: { here: Position; there: Position }[];
}

export const abreastRequest = new RequestType<{ uri: string; range: Range }, Abreast[], void>(
  'treelens/abreast',
);

export interface PictureParams extends Choice {
  textDocument: { uri: string };
  position: Position;
}

/** The sentence at a place, drawn; null where there is none. */
export const pictureRequest = new RequestType<PictureParams, Picture | null, void>(
  'treelens/picture',
);

export interface EditNodeParams {
  textDocument: { uri: string; version: number | null };
  range: Range;
  operation: Operation;
  argument?: string;
  target?: Range;
}

/** What is done to a node of a picture, as an edit of its text; or why it cannot be done. */
export const editNodeRequest = new RequestType<
  EditNodeParams,
  { edit: WorkspaceEdit } | { refused: string },
  void
>('treelens/editNode');

// --- the worklist -------------------------------------------------------------------------------

export interface PairNames {
  gold: string;
  system: string;
}

export type ReviewState = 'todo' | 'checked' | 'question' | 'changed';
export type WorklistShown = 'all' | 'todo' | 'question' | 'changed' | 'checked';
export type WorklistBy = 'nothing' | 'class' | 'labels' | 'kind' | 'state';
export type WorklistStep = 'worst' | 'next' | 'previous';

export interface WorklistFilter {
  /** Words, an ID, a label, a tag or a relation. */
  query: string;
  show: WorklistShown;
  /** Mismatches that a sentence has at least. */
  least: number;
  low?: number;
  high?: number;
}

export interface WorklistOptions {
  /** Without it, the pair that the file is in. */
  pair?: PairNames;
  uri?: string;
  /** Whose sentences have the states. */
  reviewed: 'gold' | 'system';
  order: 'score' | 'file';
  by: WorklistBy;
  filter: WorklistFilter;
}

export interface WorklistParams extends WorklistOptions {
  /** The key of a group: its sentences. */
  group?: string;
  /** Begin again what was cancelled. */
  again?: boolean;
  offset: number;
  limit: number;
}

export interface WorklistBunch {
  key: string;
  title: string;
  sentences: number;
  left: number;
  errors: number;
}

export interface WorklistEntry {
  group: number;
  uri: string;
  range: Range;
  /** Where to go: the first mismatch. */
  place: Position;
  sentence: number;
  name: string;
  words: string;
  score: string;
  errors: number;
  summary: string;
  state: ReviewState;
}

export interface Worklist {
  pair: PairNames | null;
  pairs: PairNames[];
  busy: string | null;
  reviewed: string;
  headline: string;
  total: number;
  checked: number;
  questions: number;
  changed: number;
  left: number;
  listed: number;
  incomplete: boolean;
  groups?: WorklistBunch[];
  entries?: WorklistEntry[];
  more?: number;
}

export const worklistRequest = new RequestType<WorklistParams, Worklist | null, void>(
  'treelens/worklist',
);

export const worklistStepRequest = new RequestType<
  WorklistOptions & { to: WorklistStep; group?: string; at?: PlaceArgument },
  WorklistEntry | null,
  void
>('treelens/worklistStep');

export const worklistGroupRequest = new RequestType<
  { pair?: PairNames; uri?: string; at: PlaceArgument },
  number | null,
  void
>('treelens/worklistGroup');

/** Markdown. */
export const worklistTooltipRequest = new RequestType<
  { pair?: PairNames; uri?: string; reviewed: 'gold' | 'system'; group: number },
  string | null,
  void
>('treelens/worklistTooltip');

export interface ReviewParams {
  pair?: PairNames;
  reviewed: 'gold' | 'system';
  at: PlaceArgument;
  /** Without it nothing is changed. */
  state?: ReviewState;
  note?: string;
}

/** What is said of a sentence, and the edit that says otherwise; or why there can be none. */
export interface Review {
  refused?: string;
  state?: ReviewState;
  note?: string;
  sentence?: number;
  edit?: WorkspaceEdit | null;
  /** Files that nobody looks at, and that had better be saved. */
  saves?: string[];
}

export const reviewRequest = new RequestType<ReviewParams, Review | null, void>('treelens/review');

/** Something of the worklist is another; what, has to be asked. */
export const worklistNotification = new NotificationType<object>('treelens/worklistChanged');

/** What can be renamed at a place, and how often it is used. */
export interface Renaming {
  name: string;
  kind: string;
  sentence: number;
  file: number;
  compared: number;
}

export const renamingRequest = new RequestType<PlaceArgument, Renaming | null, void>(
  'treelens/renaming',
);

/** Commands of the server: the language client registers them under these ids itself. */
export const serverCommand = {
  pair: 'treelens.pair',
  unpair: 'treelens.unpair',
  showCounterpart: 'treelens.showCounterpart',
  nextMismatch: 'treelens.nextMismatch',
  previousMismatch: 'treelens.previousMismatch',
  takeGold: 'treelens.takeGold',
  acceptSystem: 'treelens.acceptSystem',
  adjudicate: 'treelens.adjudicate',
  takeFirst: 'treelens.takeFirst',
  takeSecond: 'treelens.takeSecond',
  keepAdjudicated: 'treelens.keepAdjudicated',
  rename: 'treelens.rename',
  renumber: 'treelens.renumber',
} as const;

export type ServerCommand = (typeof serverCommand)[keyof typeof serverCommand];

export interface PlaceArgument {
  uri: string;
  position: Position;
}

export function commandParams(command: ServerCommand, argument: object): ExecuteCommandParams {
  return { command, arguments: [argument] };
}
