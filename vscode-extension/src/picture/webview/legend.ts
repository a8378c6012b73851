// What lines and signs mean: only those that the picture has, drawn with its own style sheet.

const meanings: [state: string, sign: string, meaning: string][] = [
  ['matched', '', 'alike in both'],
  ['missing', '−', 'gold only'],
  ['extra', '+', 'system only'],
  ['mislabelled', '≠', 'other label'],
  ['crossing', '×', 'crosses a bracket'],
  ['wrong-head', '↷', 'other head'],
];

export function showLegend(root: HTMLElement, states: ReadonlySet<string>): void {
  const shown = meanings.filter(([state]) => states.has(state));
  // One kind alone says nothing.
  root.replaceChildren(...(shown.length > 1 ? shown.map((meaning) => entry(...meaning)) : []));
}

function entry(state: string, sign: string, meaning: string): HTMLElement {
  const item = document.createElement('li');
  item.append(sample(state), `${sign} ${meaning}`.trim());
  return item;
}

function sample(state: string): SVGSVGElement {
  const namespace = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(namespace, 'svg');
  svg.setAttribute('class', 'picture sample');
  svg.setAttribute('viewBox', '0 0 28 12');
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(namespace, 'path');
  line.setAttribute('d', 'M1 6H27');
  line.setAttribute('class', `line ${state}`);
  svg.append(line);
  return svg;
}
