// What shapes and signs mean: only those that the picture has, drawn as it draws them.
import type { Picture } from '../picture';
import type { Drawing } from './drawing';

/** What the two sides are called. */
type Sides = Pick<Picture, 'gold' | 'system'>;

/** Kinds of marks: class, sign, meaning. */
export function meanings(
  { gold, system }: Sides,
  score: 'F1' | 'LAS',
): [kind: string, sign: string, meaning: string][] {
  return [
    ['missing', '−', `${gold} only`],
    ['extra', '+', `${system} only`],
    ['mislabelled', '≠', `${gold} ≠ ${system}`],
    ['crossing', '×', `crosses brackets of ${gold}`],
    ['otherwise', '≠', `not counted by ${score}`],
  ];
}

export function showLegend(root: HTMLElement, drawing: Drawing, sides: Sides): void {
  const score = drawing.hasArcs ? 'LAS' : 'F1';
  const entries = meanings(sides, score).flatMap(([kind, sign, meaning]) => {
    const signs = drawing.has(kind, '.label, .tag') ? [sample(kind, sign)] : [];
    // Words, and not their tags or labels, are underlined.
    if (drawing.has(kind, '.word')) signs.push(underlined(kind));
    return signs.length > 0 ? [entry(meaning, ...signs)] : [];
  });
  if (drawing.hasEnhanced) entries.push(entry('enhanced, below the words', drawn(enhancedArc)));
  root.replaceChildren(...entries);
}

const enhancedArc = '<path class="line" d="M4 3 V8 Q4 15 11 15 H17 Q24 15 24 8 V3" />';

function entry(meaning: string, ...signs: Element[]): HTMLElement {
  const item = document.createElement('li');
  item.append(...signs, meaning);
  return item;
}

function sample(kind: string, sign: string): Element {
  // Gold's side is above the words, system's below: the style sheet knows them by that.
  const side = kind === 'missing' || kind === 'mislabelled' ? 'upper' : 'lower';
  return drawn(
    `<g class="${side}"><g class="label ${kind}"><rect x="1.5" y="1.5" width="25" height="15" />
      <text x="14" y="9">${sign}</text></g></g>`,
  );
}

function underlined(kind: string): Element {
  return drawn(
    `<g class="word ${kind}"><text x="14" y="7">abc</text><path class="under" d="M2 15.5H26" /></g>`,
  );
}

function drawn(content: string): Element {
  const template = document.createElement('template');
  template.innerHTML = `<svg class="picture sample" viewBox="0 0 28 18" aria-hidden="true">${content}</svg>`;
  return template.content.firstElementChild ?? document.createElement('span');
}
