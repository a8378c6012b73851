// What the panel's menus offer.
import type { Format } from '../messages';
import type { PictureNode } from '../picture';
import type { Keys } from './keys';
import type { Groups } from './menu';

/** Actions of the server's that have a key here too, by how their titles start. */
const keysOfActions = [
  ['Delete ', 'Del'],
  ['Raise ', 'Alt+↑'],
  ['Lower ', 'Alt+↓'],
] as const;

/** What the panel itself can do with a node. */
export function nodeEntries(node: PictureNode, hasArcs: boolean, keys: Keys): Groups {
  const entry = (label: string, hint: string, key = hint): Groups[0][0] => ({
    label,
    key: hint,
    run: () => keys[key]?.(),
  });
  return [
    [
      entry('Go to Text', 'Enter'),
      ...(node.foldable ? [entry(node.folded ? 'Unfold' : 'Fold', 'Space', ' ')] : []),
    ],
    [
      entry('Relabel…', 'F2'),
      ...(hasArcs ? [] : [entry('Wrap in…', 'W', 'w')]),
      entry(hasArcs ? 'Choose Its Head…' : 'Choose Its Parent…', 'M', 'm'),
      ...(node.kind === 'enhanced' ? [entry('Delete', 'Del', 'Delete')] : []),
    ],
  ];
}

/** What the server offers for a node, the most of it by the server's own words. */
export function actionEntries(titles: string[], act: (title: string) => void): Groups {
  const offered = titles.filter((title) => !title.startsWith('Wrap '));
  const entries = offered.map((title) => {
    const key = keysOfActions.find(([start]) => title.startsWith(start))?.[1];
    const run = (): void => act(title);
    return { label: title, run, ...(key === undefined ? {} : { key }) };
  });
  return [entries];
}

export function copyEntries(copy: (format: Format) => void, saveAs: () => void): Groups {
  const entry = (label: string, format: Format): Groups[0][0] => ({
    label,
    run: () => copy(format),
  });
  return [
    [entry('Copy as SVG', 'svg'), entry('Copy as PNG', 'png'), entry('Copy as LaTeX', 'tex')],
    [{ label: 'Save Picture As…', run: saveAs }],
  ];
}
