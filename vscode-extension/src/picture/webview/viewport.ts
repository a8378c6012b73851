// How a drawing lies behind its window: pure arithmetic of moving and magnifying.

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point, Size {}

/** A point of the drawing is shown at `point * scale + (x, y)` of the window. */
export interface View extends Point {
  scale: number;
}

const least = 0.05;
const most = 4;
/** Small drawings are not blown up; large ones are not opened too small to read. */
const largestFit = 1.25;
const smallestOpened = 0.6;
const readable = 0.9;
const margin = 16;
/** So much of a drawing stays in the window, wherever it is pushed. */
const grip = 48;

export function zoomed(view: View, factor: number, about: Point): View {
  const scale = clamp(view.scale * factor, least, most);
  const gain = scale / view.scale;
  return {
    x: about.x - (about.x - view.x) * gain,
    y: about.y - (about.y - view.y) * gain,
    scale,
  };
}

/** All of the drawing, in the middle. */
export function fitted(drawing: Size, window: Size): View {
  return centred(drawing, window, clamp(fit(drawing, window), least, largestFit));
}

/**
 * How a sentence is shown first: whole if it can be read then, else with what is to be looked at in
 * the middle, or from where reading starts. (The corners of a deep tree are empty.)
 */
export function opened(drawing: Size, window: Size, mirrored: boolean, at?: Box): View {
  if (fit(drawing, window) >= smallestOpened) return fitted(drawing, window);
  const view = centred(drawing, window, readable);
  const [wide, high] = [drawing.width * readable, drawing.height * readable];
  if (wide > window.width - 2 * margin) {
    const start = mirrored ? window.width - margin - wide : margin;
    view.x = at === undefined ? start : middled(at.x + at.width / 2, wide, window.width);
  }
  if (high > window.height - 2 * margin) {
    view.y = at === undefined ? margin : middled(at.y + at.height / 2, high, window.height);
  }
  return view;
}

/** Moved just so far that a box of the drawing is in the window. */
export function brought(view: View, box: Box, window: Size): View {
  const { scale } = view;
  return {
    x: along(view.x, box.x * scale, box.width * scale, window.width),
    y: along(view.y, box.y * scale, box.height * scale, window.height),
    scale,
  };
}

/** Moved back if hardly anything of the drawing would be in the window. */
export function kept(view: View, drawing: Size, window: Size): View {
  return {
    x: clamp(view.x, grip - drawing.width * view.scale, window.width - grip),
    y: clamp(view.y, grip - drawing.height * view.scale, window.height - grip),
    scale: view.scale,
  };
}

function along(offset: number, start: number, length: number, room: number): number {
  const low = margin - start;
  const high = room - margin - length - start;
  // What is too long for the window shows its start.
  return high < low ? low : clamp(offset, low, high);
}

/** A place of a drawing in the middle of the window, without room beside the drawing. */
function middled(place: number, length: number, room: number): number {
  return clamp(room / 2 - place * readable, room - margin - length, margin);
}

function centred(drawing: Size, window: Size, scale: number): View {
  return {
    x: (window.width - drawing.width * scale) / 2,
    y: (window.height - drawing.height * scale) / 2,
    scale,
  };
}

function fit(drawing: Size, window: Size): number {
  return Math.min(
    (window.width - 2 * margin) / drawing.width,
    (window.height - 2 * margin) / drawing.height,
  );
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}
