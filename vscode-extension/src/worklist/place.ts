/** A place in a text, counted as VS Code does. */
export interface Place {
  line: number;
  character: number;
}

export interface Change {
  range: { start: Place; end: Place };
  text: string;
}

/** Where a place is after a change: what is put in there comes before it. */
export function moved(place: Place, { range: { start, end }, text }: Change): Place {
  if (isBefore(place, end)) return isBefore(start, place) ? start : place;
  const lines = text.split(/\r\n|\r|\n/);
  const line = place.line - end.line + start.line + lines.length - 1;
  if (place.line > end.line) return { line, character: place.character };
  const before = (lines.length === 1 ? start.character : 0) + (lines.at(-1)?.length ?? 0);
  return { line, character: before + place.character - end.character };
}

function isBefore(one: Place, other: Place): boolean {
  return one.line < other.line || (one.line === other.line && one.character < other.character);
}
