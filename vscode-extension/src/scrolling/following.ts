// Which of an editor's reports come of its having been scrolled from here. On a slow machine one may
// come a second late: whoever took it for the user's scrolling would scroll the user's editor away.
// Knows no editor and no clock, so that plain unit tests reach it.

/** How long whatever an editor reports, sent or arrived, may still come of that. */
export const restingMilliseconds = 400;
/** What was sent and not heard of: of more, an editor reports the last ones only. */
const mostSent = 8;
/** Rows; an editor shows a whole row at its top, or a part of one that is wrapped. */
const near = 1;

export interface Following {
  /** First rows that it was sent to and has not reported yet, in order. */
  sent: readonly number[];
  /** Until then all that it reports comes of that. */
  resting: number;
}

export function sentTo(row: number, now: number, before: Following | undefined): Following {
  const sent = [...(before?.sent ?? []), row].slice(-mostSent);
  return { sent, resting: now + restingMilliseconds };
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
  if (at >= 0) return { sent: before.sent.slice(at + 1), resting: now + restingMilliseconds };
  return now < before.resting ? before : undefined;
}
