// What somebody types to filter the worklist. Knows no editor, so that plain unit tests reach it.
import type { WorklistFilter, WorklistShown } from '../protocol';

export const everything: WorklistFilter = { query: '', show: 'all', least: 0 };

const shown: readonly WorklistShown[] = ['all', 'todo', 'question', 'changed', 'checked'];

/** `errors:2 score:0-80 is:question is:worse NP`: mismatches at least, scores from to, state, what got
 * worse; the rest is text. */
export function parseFilter(text: string): WorklistFilter {
  const filter: WorklistFilter = { ...everything };
  const rest: string[] = [];
  for (const word of text.split(/\s+/)) {
    if (!takes(filter, word)) rest.push(word);
  }
  filter.query = rest.join(' ').trim();
  return filter;
}

function takes(filter: WorklistFilter, word: string): boolean {
  const errors = /^errors:(\d{1,6})$/i.exec(word);
  if (errors?.[1] !== undefined) {
    filter.least = Number(errors[1]);
    return true;
  }
  const state = /^is:(\w+)$/i.exec(word)?.[1]?.toLowerCase();
  if (state === 'worse') {
    filter.worse = true;
    return true;
  }
  const show = shown.find((one) => one === state);
  if (show !== undefined) {
    filter.show = show;
    return true;
  }
  const score = /^score:(\d+(?:\.\d+)?)?-(\d+(?:\.\d+)?)?$/i.exec(word);
  if (score === null) return false;
  if (score[1] !== undefined) filter.low = Number(score[1]);
  if (score[2] !== undefined) filter.high = Number(score[2]);
  return true;
}

/** What to say of a word that looks like a filter and is none; empty where there is no such word. */
export function doubtOf(text: string): string {
  const { query } = parseFilter(text);
  const word = query.split(' ').find((one) => /^(?:is|errors|score):/i.test(one));
  return word === undefined ? '' : `“${word}” is no filter: it is looked for as a word`;
}

/** The filter as it would be typed; empty for everything. */
export function writeFilter(filter: WorklistFilter): string {
  const { query, show, least, low, high, worse } = filter;
  const parts: string[] = [];
  if (show !== 'all') parts.push(`is:${show}`);
  if (worse === true) parts.push('is:worse');
  if (least > 0) parts.push(`errors:${least}`);
  if (low !== undefined || high !== undefined) parts.push(`score:${low ?? ''}-${high ?? ''}`);
  if (query !== '') parts.push(query);
  return parts.join(' ');
}
