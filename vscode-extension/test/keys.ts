// A key for each command that tests give, which no user has: the palette looks through 1,500
// commands as it opens and once more for what is typed, a quarter of a second of a processor.
// That commands are in the palette is seen where all is done by keys, and told by the manifest.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { eventually } from './waiting';

/** VS Code's own, and those that it makes of views, by what the palette calls them. */
const own: Record<string, string> = {
  'Change Language Mode': 'workbench.action.editor.changeLanguageMode',
  'File: Compare Active File With...': 'workbench.files.action.compareFileWith',
  'File: Revert File': 'workbench.action.files.revert',
  'File: Save All': 'workbench.action.files.saveAll',
  'File: Save All Files': 'workbench.action.files.saveFiles',
  'Notifications: Clear All Notifications': 'notifications.clearAll',
  'Preferences: Color Theme': 'workbench.action.selectTheme',
  'Preferences: Toggle between Light/Dark Themes': 'workbench.action.toggleLightDarkThemes',
  'Refresh Explorer': 'workbench.files.action.refreshFilesExplorer',
  'Treelens: Focus on What Varies View': 'treelens.variations.focus',
  'Treelens: Focus on Worklist View': 'treelens.worklist.focus',
  'View: Close All Editors': 'workbench.action.closeAllEditors',
  'View: Close Editor': 'workbench.action.closeActiveEditor',
  'View: Close Other Editors in Group': 'workbench.action.closeOtherEditors',
  'View: Join All Editor Groups': 'workbench.action.joinAllGroups',
  'View: Single Column Editor Layout': 'workbench.action.editorLayoutSingle',
  'View: Show Explorer': 'workbench.view.explorer',
  'View: Two Columns Editor Layout': 'workbench.action.editorLayoutTwoColumns',
  'View: Two Rows Editor Layout': 'workbench.action.editorLayoutTwoRows',
};

/** Of F1 to F12; with Shift the tenth opens the menu of a row wherever the focus is on one. */
const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12];

interface Key {
  command: string;
  /** Of the function key, with which others held. */
  number: number;
  held: string[];
}

const keys = keysOf({ ...own, ...ofTheExtension() });

function ofTheExtension(): Record<string, string> {
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(path.join(__dirname, '..', name), 'utf8'));
  const { contributes } = read('package.json') as {
    contributes: { commands: { command: string; title: string }[] };
  };
  const texts = read('package.nls.json') as Record<string, string>;
  return Object.fromEntries(
    contributes.commands.map(({ command, title }) => [
      `Treelens: ${texts[title.replaceAll('%', '')]}`,
      command,
    ]),
  );
}

function keysOf(commands: Record<string, string>): Map<string, Key> {
  const all = ['ctrl', 'shift', 'alt', 'meta'];
  const free = Array.from({ length: 1 << all.length }, (_, set) =>
    all.filter((_name, at) => (set >> at) & 1),
  )
    // VS Code has none of its own with these held: it would take one for that until it has read ours.
    .filter((held) => held.length > 2 || (held.length === 2 && held.includes('meta')))
    .flatMap((held) => numbers.map((number) => ({ number, held })));
  return new Map(
    Object.entries(commands).map(([title, command], at) => {
      const key = free[at];
      if (key === undefined) throw new Error(`${free.length} keys are not enough`);
      return [title, { command, ...key }];
    }),
  );
}

/** Has the windows that a server opens from now on know them. */
export function writeKeys(home: string): void {
  const bindings = [...keys.values()].map(({ command, number, held }) => ({
    key: [...held, `f${number}`].join('+'),
    command,
  }));
  writeFileSync(path.join(home, 'data', 'User', 'keybindings.json'), JSON.stringify(bindings));
}

/** Gives a command, again until VS Code has taken the key for its own, as it says at once. */
export async function give(page: Page, title: string): Promise<void> {
  const key = keys.get(title);
  if (key === undefined) throw new Error(`no key for “${title}”`);
  await eventually(
    () => page.evaluate(isTaken, key),
    (taken) => taken,
  );
}

/** It runs in the page. */
function isTaken({ number, held }: Key): boolean {
  const event = new KeyboardEvent('keydown', {
    key: `F${number}`,
    code: `F${number}`,
    keyCode: 111 + number,
    ctrlKey: held.includes('ctrl'),
    shiftKey: held.includes('shift'),
    altKey: held.includes('alt'),
    metaKey: held.includes('meta'),
    bubbles: true,
    cancelable: true,
  });
  (document.activeElement ?? document.body).dispatchEvent(event);
  return event.defaultPrevented;
}
