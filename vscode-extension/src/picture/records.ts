// Written by `make protocol` from server/treelens_server/records.py: change it there.

/** A place in a text as LSP has it: lines from 0, characters in UTF-16. */
export interface Point {
  line: number;
  character: number;
}

export interface Stretch {
  start: Point;
  end: Point;
}

export type PictureLayout = 'overlaid' | 'beside' | 'own';

export type Operation =
  'relabel' | 'delete' | 'raise' | 'lower' | 'wrap' | 'attach' | 'relation' | 'head';

export type NodeKind = 'constituent' | 'word' | 'arc' | 'enhanced';

export type NodeSide = 'gold' | 'system' | 'both';

/** Where a node is written: the whole constituent or row, and what of it the cursor selects. */
export interface Place {
  uri: string;
  range: Stretch;
  selection: Stretch;
  /** What a new label, tag or relation replaces. */
  given: Stretch;
  /** The state of the text that was drawn, open or not. */
  asOf: string;
}

export interface PictureNode {
  id: string;
  kind: NodeKind;
  side: NodeSide;
  label: string;
  /** matched, missing, wrong-head, … */
  state: string;
  description: string;
  parent: string | null;
  first: string | null;
  /** The neighbours to the right and to the left, as drawn. */
  next: string | null;
  previous: string | null;
  foldable: boolean;
  folded: boolean;
  /** The asked document's place comes first. */
  places: Place[];
}

export interface Partner {
  uri: string;
  name: string;
  active: boolean;
}

export interface Picture {
  /** Of the document that was asked about. */
  version: number | null;
  /** From 0. */
  sentence: number;
  title: string;
  svg: string;
  /** Why a sentence is not drawn; null where it is. */
  message: string | null;
  mirrored: boolean;
  nodes: PictureNode[];
  at: string | null;
  partners: Partner[];
  /** The same in LaTeX, where it was asked for. */
  latex: string | null;
  /** What gold is called: that, an annotator's name, a revision. */
  gold: string;
  system: string;
}

/** What a user chose about how sentences are drawn. */
export interface Choice {
  layout: PictureLayout;
  partner?: string;
  /** Nodes that are drawn as a triangle. */
  folded: string[];
  /** Nothing is folded but those. */
  all: boolean;
}
