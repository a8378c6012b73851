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

export interface StatusParams {
  pairs: PairStatus[];
  /** What the server is busy with, or null. */
  busy: string | null;
}

export const statusNotification = new NotificationType<StatusParams>('treelens/status');

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

/** Commands of the server: the language client registers them under these ids itself. */
export const serverCommand = {
  pair: 'treelens.pair',
  unpair: 'treelens.unpair',
  showCounterpart: 'treelens.showCounterpart',
  nextMismatch: 'treelens.nextMismatch',
  previousMismatch: 'treelens.previousMismatch',
  takeGold: 'treelens.takeGold',
  acceptSystem: 'treelens.acceptSystem',
} as const;

export type ServerCommand = (typeof serverCommand)[keyof typeof serverCommand];

export interface PlaceArgument {
  uri: string;
  position: Position;
}

export function commandParams(command: ServerCommand, argument: object): ExecuteCommandParams {
  return { command, arguments: [argument] };
}
