// What the server says of a picture, in plain data: the panel's two halves share it, so it knows
// neither the editor nor the page.
import type { PictureLayout, Picture, Point, Stretch } from './records';

export const layouts: readonly PictureLayout[] = ['overlaid', 'beside', 'own'];
export type * from './records';

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
