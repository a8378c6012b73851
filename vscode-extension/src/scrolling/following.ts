// Which of an editor's reports come of its having been scrolled from here. On a slow machine one may
// come a second late: whoever took it for the user's scrolling would scroll the user's editor away.
// Knows no editor and no clock, so that plain unit tests reach it.

/** How long whatever an editor reports, sent or arrived, may still come of that. */
export const restingMilliseconds = 400;
/**
 * Scrolls that come of a move of the cursor: its own, and those of lines that are pushed down by
 * the numbers of sentences that have come into view.
 */
const cursorScrollsMilliseconds = 1500;
/** The same of a follower that has been where it was sent to: numbers may come seconds later. */
const pushedMilliseconds = 5000;
/** What was sent and not heard of: of more, an editor reports the last ones only. */
const mostSent = 8;
/** Rows; an editor shows a whole row at its top, or a part of one that is wrapped. */
const near = 1;

export interface Following {
  /** First rows that it was sent to and has not reported yet, in order. */
  sent: readonly number[];
  /** Until then all that it reports may come of that. */
  resting: number;
  /** The first row that it has come to, of those that it was sent to. */
  came?: number;
  /** Whether it has been there and is elsewhere now: once it has rested, that was its own
   * scrolling, as of somebody who takes the wheel of the other file at once. */
  astray: boolean;
}

export function sentTo(row: number, now: number, before: Following | undefined): Following {
  const sent = [...(before?.sent ?? []), row].slice(-mostSent);
  return { sent, resting: now + restingMilliseconds, astray: false };
}

/** What it still follows after it has reported a first row; undefined: it is scrolled by itself. */
export function reported(
  top: number,
  now: number,
  before: Following | undefined,
): Following | undefined {
  if (before === undefined) return undefined;
  const at = before.sent.map((row) => Math.abs(row - top) < near).lastIndexOf(true);
  // (What it was sent to before that it will not report any more.)
  const sent = before.sent.slice(at + 1);
  if (at >= 0) return { sent, resting: now + restingMilliseconds, came: top, astray: false };
  if (now >= before.resting) return undefined;
  const { came } = before;
  return { ...before, astray: came !== undefined && Math.abs(came - top) >= near };
}

/** Whether a scroll of the editor that has the focus comes of a move of its cursor. */
export function isByCursor(sinceCursor: number): boolean {
  return sinceCursor < cursorScrollsMilliseconds;
}

/** Whether a scroll may come of numbers that are there since. */
export function isPushed(sinceCursor: number): boolean {
  return sinceCursor < pushedMilliseconds;
}

/**
 * Whether an editor that has scrolled by itself leads the others. `sinceCursor`: milliseconds since
 * the cursor has moved; who writes turns no wheel of another file, and it is numbers that push it.
 */
export function leads(isActive: boolean, sinceCursor: number, as?: 'has been there'): boolean {
  return isActive || !(as === undefined ? isByCursor : isPushed)(sinceCursor);
}
