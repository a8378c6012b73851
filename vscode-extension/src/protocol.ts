// Written by `make protocol` from server/treelens_server/records.py: change it there.
import {
  NotificationType,
  RequestType,
  type ExecuteCommandParams,
  type Position,
  type Range,
  type WorkspaceEdit,
} from 'vscode-languageclient/node';
import type { Choice, Operation, Picture } from './picture/records';

export type Reviewed = 'gold' | 'system';

export type ReviewState = 'todo' | 'checked' | 'question' | 'changed';

export type WorklistOrder = 'score' | 'mismatches' | 'suspects' | 'worse' | 'file';

export type WorklistShown = 'all' | 'todo' | 'question' | 'changed' | 'checked';

export type WorklistBy = 'nothing' | 'class' | 'labels' | 'kind' | 'state';

export type WorklistStep = 'worst' | 'next' | 'previous';

export type VariationsBy = 'nothing' | 'kind' | 'structure' | 'file';

export type RenamingScope = 'sentence' | 'file' | 'compared' | 'workspace';

export interface PlaceArgument {
  uri: string;
  position: Position;
}

/** Something that varies: its kind and the keys of its words, as whole numbers are written; ``labels``: those that it had when it was looked at, as they are written down. */
export interface VariationArgument {
  kind: string;
  identity: string[];
  labels: string[];
}

/** The other places of what varies at one, to be annotated as it is there. */
export interface OthersArgument extends PlaceArgument {
  kind: string;
  identity: string[];
  /** Where it was offered, the states of the texts that it is about. */
  asOf: string;
}

/** What varies in the folder: the groups of a section, or where ``section`` is null, all. */
export interface VariationsParams {
  by: VariationsBy;
  section?: string;
  limit: number;
}

/** A place of a group; ``words``: what is annotated in brackets, in its context. */
export interface VariationSpot {
  uri: string;
  range: Range;
  label: string;
  deviant: boolean;
  words: string;
}

/** The same words in the same context, annotated in several ways; ``labels`` with counts. */
export interface Variation {
  kind: string;
  identity: string[];
  tier: string;
  title: string;
  labels: string;
  spots: VariationSpot[];
}

export interface VariationSection {
  title: string;
  variations: number;
}

/** files: how many were read; null where nothing was looked for yet. */
export interface Variations {
  files: number | null;
  total: number;
  tier: string;
  sections: VariationSection[];
  variations: Variation[];
  more: number;
}

/** Lenses and such are computed for what can be seen, not for forty thousand sentences. */
export interface VisibleParams {
  uri: string;
  ranges: Range[];
}

export interface FileParams {
  uri: string;
}

/** A packed file, by its own name or by ours for its text. */
export interface PackedParams {
  uri: string;
}

/** What a packed file holds, or why that cannot be shown. */
export interface Unpacked {
  text: string;
  refused?: string;
}

export interface PairStatus {
  gold: string;
  system: string;
  /** The system's, as short as tells it from others of the same gold. */
  name: string;
  /** Ready to show, such as "F1 80.91", or "F1 80.91, +0.31" once it has moved. */
  score: string;
  /** Markdown. */
  detail: string;
  sentences: number;
  mismatches: number;
  /** Why these are hardly two files to compare, and what to do; empty of most. */
  doubt: string;
  /** Whether the differences that no score counts are left out. */
  countedOnly: boolean;
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

/** Of which files it is asked what adjudications they are in. */
export interface ConfiguredParams {
  uris: string[];
}

/** What a configuration says; adjudicated may not be there yet, and is empty where none is named. */
export interface ConfiguredAdjudication {
  first: string;
  second: string;
  adjudicated: string;
}

export interface AdjudicationsParams {
  adjudications: AdjudicationStatus[];
}

export interface StatusParams {
  /** The gold files that this is about: those of which something has changed. */
  golds: string[];
  /** All that there are of these files; those of others are as they were. */
  pairs: PairStatus[];
  /** What the server is busy with, or null. */
  busy: string | null;
}

/** How far a file keeps to the guidelines that are checked. */
export interface GuidelinesStatus {
  uri: string;
  /** Ready to show, such as "UD 5 ✓" or "UD 2 of 5". */
  text: string;
  detail: string;
}

export interface GuidelinesParams {
  files: GuidelinesStatus[];
}

/** What has come of a check of the corpus. */
export interface CheckedParams {
  message: string;
}

/** What answers in another file to a place in one. */
export interface Answering {
  uri: string;
  range: Range;
  /** All that it stands for: a constituent, a word's line. */
  whole: Range;
  kind: 'same' | 'other label' | 'nearest';
  /** The bracket that closes a constituent. */
  closing?: Range;
}

export interface AbreastParams {
  uri: string;
  range: Range;
}

export interface AbreastStop {
  here: Position;
  there: Position;
}

/** Another file, and which of its places stand beside those here; both ascend. */
export interface Abreast {
  uri: string;
  stops: AbreastStop[];
}

export interface TextDocument {
  uri: string;
}

export interface VersionedDocument {
  uri: string;
  /** None of a file that is not open. */
  version?: number | null;
  /** The state of its text, as it was told; without one the version is looked at, and without either the text is meant as it is now. */
  asOf?: string;
}

export interface PictureParams extends Choice {
  textDocument: TextDocument;
  position: Position;
  /** Whether the picture is wanted in LaTeX, too. */
  latex: boolean;
}

/** ``other``: in another sentence of the folder, which is drawn below. */
export interface BesideParams extends PictureParams {
  other: PlaceArgument;
}

export interface EditNodeParams {
  textDocument: VersionedDocument;
  range: Range;
  operation: Operation;
  argument?: string;
  target?: Range;
}

export interface EditMade {
  edit: WorkspaceEdit;
}

export interface Refused {
  refused: string;
}

export interface PairNames {
  gold: string;
  system: string;
}

export interface WorklistFilter {
  /** Words, an ID, a label, a tag or a relation. */
  query: string;
  show: WorklistShown;
  /** Mismatches that a sentence has at least. */
  least: number;
  low?: number;
  high?: number;
  /** Only those that got worse since the version that the system file is held against. */
  worse?: boolean;
}

export interface WorklistOptions {
  /** Without it, the pair that the file is in. */
  pair?: PairNames;
  uri?: string;
  /** Whose sentences have the states. */
  reviewed: Reviewed;
  order: WorklistOrder;
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

export interface WorklistStepParams extends WorklistOptions {
  to: WorklistStep;
  group?: string;
  at?: PlaceArgument;
}

export interface WorklistGroupParams {
  pair?: PairNames;
  uri?: string;
  at: PlaceArgument;
}

export interface WorklistTooltipParams {
  pair?: PairNames;
  uri?: string;
  reviewed: Reviewed;
  group: number;
}

export interface WorklistSection {
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
  /** What the version is called that the system file is held against; empty without one. */
  since: string;
  total: number;
  checked: number;
  questions: number;
  changed: number;
  left: number;
  listed: number;
  incomplete: boolean;
  groups?: WorklistSection[];
  entries?: WorklistEntry[];
  offset?: number;
  more?: number;
}

export interface ReviewParams {
  pair?: PairNames;
  reviewed: Reviewed;
  at: PlaceArgument;
  /** Without it nothing is changed. */
  state?: ReviewState;
  note?: string;
}

/** The note on the node, or the word, at a place. */
export interface NodeNoteParams {
  at: PlaceArgument;
  /** What it is to say, empty to delete it; without it nothing is changed. */
  note?: string;
}

/** What is said of a sentence, and the edit that says otherwise; or why there can be none. */
export interface Review {
  refused?: string;
  state?: ReviewState;
  note?: string;
  /** Of a note on a node: what that is. */
  about?: string;
  sentence?: number;
  edit?: WorkspaceEdit | null;
}

/** What can be renamed at a place, and how often it is used. */
export interface Renaming {
  name: string;
  kind: string;
  sentence: number;
  file: number;
  compared: number;
}

export interface PairArgument {
  gold: string;
  system: string;
}

export interface KeepArgument extends PlaceArgument {
  /** Where it was offered, the state of the text. */
  asOf?: string;
}

export interface UnpairArgument {
  uri: string;
  /** Of one pair by hand the other file, where it is over as no tab shows either. */
  other?: string;
}

export interface AdjudicateArgument {
  first: string;
  second: string;
  adjudicated?: string;
}

/** What is new in a system file since another file, ``old``, or since a text that it was before; with neither, since it was opened. */
export interface SinceArgument {
  gold: string;
  system: string;
  /** What that is called, such as "the last commit"; empty to mark nothing as new any longer. */
  called: string;
  old?: string;
  text?: string;
}

/** What was said by hand and holds. The server says so whenever that is something else; a client says it to a server that follows another one, once its documents are open there. What is over by then stays so, and the server says what is left. */
export interface ByHand {
  pairs: PairArgument[];
  /** Files that are compared with nothing. */
  alone: string[];
  since: SinceArgument[];
  /** Files that belong together otherwise, such as those that are adjudicated. */
  together: Record<string, string[][]>;
}

export interface RenameArgument {
  uri: string;
  position: Position;
  newName: string;
  scope: RenamingScope;
}

/** For editors that know of commands only. */
export interface ReviewArgument {
  uri: string;
  position: Position;
  state: ReviewState;
  note?: string;
}

/** What an action that was offered would do. */
export interface ApplyArgument {
  uri: string;
  recipe: unknown[];
  /** The state of all that it follows from. */
  asOf: string;
}

export const visibleNotification = new NotificationType<VisibleParams>('treelens/visible');

export const unpackRequest = new RequestType<PackedParams, Unpacked, void>('treelens/unpack');

export const statusNotification = new NotificationType<StatusParams>('treelens/status');

/** The pairs that a file is in, also those of which there are no scores yet. */
export const pairsRequest = new RequestType<FileParams, PairNames[], void>('treelens/pairs');

export const adjudicationsNotification = new NotificationType<AdjudicationsParams>(
  'treelens/adjudications',
);

export const byHandNotification = new NotificationType<ByHand>('treelens/byHand');

export const configuredRequest = new RequestType<ConfiguredParams, ConfiguredAdjudication[], void>(
  'treelens/configured',
);

export const guidelinesNotification = new NotificationType<GuidelinesParams>('treelens/guidelines');

export const checkedNotification = new NotificationType<CheckedParams>('treelens/checked');

/** A check of the corpus would find something else now. */
export const corpusChangedNotification = new NotificationType<object>('treelens/corpusChanged');

export const answeringRequest = new RequestType<PlaceArgument, Answering[], void>(
  'treelens/answering',
);

export const abreastRequest = new RequestType<AbreastParams, Abreast[], void>('treelens/abreast');

/** The sentence at a place, drawn; null where there is none. */
export const pictureRequest = new RequestType<PictureParams, Picture | null, void>(
  'treelens/picture',
);

/** What is done to a node of a picture, as an edit of its text; or why it cannot be done. */
export const editNodeRequest = new RequestType<EditNodeParams, EditMade | Refused, void>(
  'treelens/editNode',
);

export const worklistRequest = new RequestType<WorklistParams, Worklist | null, void>(
  'treelens/worklist',
);

/** The entry to go to; null at the end of the list, or of the group. */
export const worklistStepRequest = new RequestType<WorklistStepParams, WorklistEntry | null, void>(
  'treelens/worklistStep',
);

/** The group that a place is in. */
export const worklistGroupRequest = new RequestType<WorklistGroupParams, number | null, void>(
  'treelens/worklistGroup',
);

/** Markdown. */
export const worklistTooltipRequest = new RequestType<WorklistTooltipParams, string | null, void>(
  'treelens/worklistTooltip',
);

export const noteRequest = new RequestType<NodeNoteParams, Review | null, void>('treelens/note');

export const reviewRequest = new RequestType<ReviewParams, Review | null, void>('treelens/review');

/** Something of the worklist is another; what, has to be asked. */
export const worklistNotification = new NotificationType<object>('treelens/worklistChanged');

export const variationsRequest = new RequestType<VariationsParams, Variations, void>(
  'treelens/variations',
);

export const besideRequest = new RequestType<BesideParams, Picture | null, void>(
  'treelens/pictureBeside',
);

/** A place that is annotated otherwise than what varies at one. */
export const elsewhereRequest = new RequestType<PlaceArgument, PlaceArgument | null, void>(
  'treelens/elsewhere',
);

/** Something else varies now; what, has to be asked. */
export const variationsChangedNotification = new NotificationType<object>(
  'treelens/variationsChanged',
);

export const renamingRequest = new RequestType<PlaceArgument, Renaming | null, void>(
  'treelens/renaming',
);

/** Commands of the server: the language client registers them under these ids itself. */
export const serverCommand = {
  pair: 'treelens.pair',
  unpair: 'treelens.unpair',
  since: 'treelens.since',
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
  consistency: 'treelens.consistency',
  nextVariation: 'treelens.nextVariation',
  previousVariation: 'treelens.previousVariation',
  otherPlace: 'treelens.otherPlace',
} as const;

export type ServerCommand = (typeof serverCommand)[keyof typeof serverCommand];

export function commandParams(command: ServerCommand, argument: object): ExecuteCommandParams {
  return { command, arguments: [argument] };
}
