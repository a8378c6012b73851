// What the server says of a picture, in plain data: the panel's two halves share it, so it knows
// neither the editor nor the page. The server's half is in server/treelens_server.

export const layouts = ['overlaid', 'beside', 'own'] as const;
export type Layout = (typeof layouts)[number];

/** A place in a text as LSP has it: lines from 0, characters in UTF-16. */
export interface Point {
  line: number;
  character: number;
}

export interface Stretch {
  start: Point;
  end: Point;
}

/** Where a node is written: the whole constituent or row, and what of it the cursor selects. */
export interface Place {
  uri: string;
  range: Stretch;
  selection: Stretch;
  /** What a new label, tag or relation replaces. */
  given: Stretch;
}

export interface PictureNode {
  id: string;
  kind: 'constituent' | 'word' | 'arc';
  side: 'gold' | 'system' | 'both';
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
  latex: string;
}

/** What a user chose about how sentences are drawn. */
export interface Choice {
  layout: Layout;
  partner?: string;
  /** Nodes that are drawn as a triangle. */
  folded: string[];
  /** Nothing is folded but those. */
  all: boolean;
}

export type Operation =
  'relabel' | 'delete' | 'raise' | 'lower' | 'wrap' | 'attach' | 'relation' | 'head';

/** The innermost node written round a point of a document; undefined where there is none. */
export function nodeAt(picture: Picture, uri: string, point: Point): string | undefined {
  let best: { id: string; range: Stretch } | undefined;
  for (const { id, kind, places } of picture.nodes) {
    for (const place of places) {
      // A word and its arc are written in the same row: the arc is where it is written itself.
      const range = kind === 'arc' ? place.selection : place.range;
      if (place.uri !== uri || !holds(range, point)) continue;
      if (best === undefined || isInside(range, best.range)) best = { id, range };
    }
  }
  return best?.id;
}

/** A point that two nodes share is the later one's: its bracket opens there. */
function holds({ start, end }: Stretch, point: Point): boolean {
  return compare(start, point) <= 0 && compare(point, end) < 0;
}

function isInside(inner: Stretch, outer: Stretch): boolean {
  const [start, end] = [compare(outer.start, inner.start), compare(inner.end, outer.end)];
  return start <= 0 && end <= 0 && (start < 0 || end < 0);
}

function compare(one: Point, other: Point): number {
  return one.line - other.line || one.character - other.character;
}
