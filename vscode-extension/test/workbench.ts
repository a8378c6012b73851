// A real VS Code in a headless Chromium, and the words for what a user sees and does there; longer
// than other files are, as a list of words is.
import assert from 'node:assert/strict';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { writeSettings } from '../scripts/code-server.mjs';
import { results, tellOf } from './evidence';
import { give } from './keys';
import { enter, extensionRoot, leave, root, signal, type Stage } from './stage';
import { appears, eventually, patience } from './waiting';

export { extensionRoot, root };
export { appears, eventually, expectText, patience } from './waiting';

/** How a window is looked at. */
interface Seeing {
  size?: { width: number; height: number } | undefined;
  /** As for users who have not asked for less of it: a third of a processor while anything opens,
   * closes or fades. */
  moves?: boolean | undefined;
}

/** What a window is over. */
interface Refilled extends Seeing {
  files: Files;
  settings?: Record<string, unknown>;
}

/** File name to text; or a folder to copy. */
type Files = Record<string, string | Uint8Array> | string;

export interface WorkbenchOptions extends Refilled {
  prepare?: (page: Page) => Promise<void>;
}

/** What may be another in each suite; files are put beside the examples. */
interface OverExamples {
  files?: Record<string, string>;
  settings?: Record<string, unknown>;
}

/** The server under test: this checkout's own. */
export const serverCommand =
  process.env.TREELENS_SERVER ?? path.join(root, '.venv', 'bin', 'treelens');

/** Where a failing test has happened. */
let current: Workbench | undefined;
/** The window that is shared, until another is opened. */
let common: Workbench | undefined;

/** What failed first in which file: in which hook, if in one. */
let failed: ReadonlyMap<string, { hook: string; why: string }> = new Map();

before(function () {
  failed = this.failed as typeof failed;
});

// What a failure leaves of its window is nothing to go on with: each of the file's other tests would
// wait for minutes, and each of those of the next files that share the window.
beforeEach(function () {
  if (failed.has(this.currentTest?.file ?? '')) this.skip();
});

after(() => common?.remove());

afterEach(async function () {
  const test = this.currentTest;
  if (test?.state === 'failed') await current?.hasFailed(test.fullTitle(), test.err?.stack);
});

export class Workbench {
  private constructor(
    readonly page: Page,
    readonly folder: string,
    private readonly stage: Stage,
    /** What its folder was filled with. */
    private files: Files,
    private readonly failedBefore = failed.size,
  ) {}

  /** What VS Code knows as its user's folders. */
  get home(): string {
    return this.stage.server.home;
  }

  /** What the user's settings are from now on, over our own few. */
  set(settings: Record<string, unknown>): void {
    writeSettings(this.home, settings);
  }

  static async open(options: WorkbenchOptions): Promise<Workbench> {
    await common?.close();
    // The real path: VS Code compares URIs by their letters.
    const temporary = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'treelens-workspace-')));
    const folder = path.join(temporary, 'treebank');
    mkdirSync(folder);
    fill(folder, options.files);
    const stage = await enter(overOurs(options.settings ?? {}));
    const { page, server } = stage;
    const workbench = new Workbench(page, folder, stage, options.files);
    current = workbench;
    try {
      await workbench.isSeen(options);
      page.setDefaultTimeout(patience);
      await options.prepare?.(page);
      await page.goto(server.url(folder));
      await page.locator('.monaco-workbench').waitFor();
    } catch (error) {
      await workbench.hasFailed('opening', String(error));
      await workbench.close();
      throw error;
    }
    return workbench;
  }

  async close(): Promise<void> {
    if (this === common) common = undefined;
    // (A test that fails is told of at once; of a hook nothing else is heard in time.)
    for (const { hook, why } of [...failed.values()].slice(this.failedBefore)) {
      if (hook !== '') await this.hasFailed(hook, why);
    }
    await leave(this.stage);
    this.remove();
  }

  remove(): void {
    rmSync(path.dirname(this.folder), { recursive: true, force: true });
  }

  /** The one window of all who need none of their own: another takes ten seconds of a processor. */
  static async shared(options: Refilled): Promise<Workbench> {
    const window = await Workbench.unspoilt();
    await window?.refill(options);
    common = window ?? (await Workbench.open(options));
    current = common;
    return common;
  }

  /** The shared window over the examples, with nothing unsaved. */
  static async overExamples({ files = {}, settings = {} }: OverExamples): Promise<Workbench> {
    const examples = path.join(root, 'examples');
    const window = await Workbench.unspoilt();
    const workbench =
      window?.files === examples ? window : await Workbench.shared({ files: examples });
    current = workbench;
    workbench.set(overOurs(settings));
    fill(workbench.folder, files);
    await workbench.saveAll();
    return workbench;
  }

  /** The shared window, unless something has failed since it was opened. */
  private static async unspoilt(): Promise<Workbench | undefined> {
    if (common !== undefined && failed.size > common.failedBefore) await common.close();
    return common;
  }

  /** Has other files in its folder, of which nothing is open, and a server that knows of no others. */
  private async refill({ files, settings = {}, moves, size }: Refilled): Promise<void> {
    await this.saveAll();
    for (const command of [
      'View: Close All Editors',
      'View: Single Column Editor Layout',
      'Notifications: Clear All Notifications',
    ]) {
      await this.command(command);
    }
    for (const name of readdirSync(this.folder)) {
      rmSync(path.join(this.folder, name), { recursive: true, force: true, maxRetries: 5 });
    }
    fill(this.folder, files);
    this.files = files;
    this.set(overOurs(settings));
    await this.isSeen({ moves, size });
    await this.command('Treelens: Restart Server');
    await this.command('Refresh Explorer');
  }

  private async isSeen({
    moves = false,
    size = { width: 1600, height: 900 },
  }: Seeing): Promise<void> {
    await this.page.setViewportSize(size);
    await this.page.emulateMedia({ reducedMotion: moves ? 'no-preference' : 'reduce' });
  }

  /** (What was typed and deleted again would have to be saved before it is closed.) */
  private async saveAll(): Promise<void> {
    const changed = this.page.locator('.tab.dirty');
    if ((await changed.count()) > 0) await this.command('File: Save All');
    await changed.first().waitFor({ state: 'detached' });
  }

  /** As a fault of its own would, or a machine that is out of memory; whether there was one. */
  killServer(): boolean {
    return signal(this.stage.server, 'pkill', 'treelens server', '-KILL');
  }

  /** Says what can be known of why. */
  hasFailed(test: string, why = ''): Promise<void> {
    return tellOf(this.stage, test, why);
  }

  /** The editor that shows a file, in whichever column it is. */
  editor(file: string): Editor {
    return new Editor(this.page, file);
  }

  statusItem(): Locator {
    return this.page.locator('.statusbar-item[id="treelens.treelens.treelens.score"]');
  }

  /** By what the palette calls it. */
  command(title: string): Promise<void> {
    return give(this.page, title);
  }

  /**
   * The menu of actions at the cursor, with this one in it. The key is pressed until it is there:
   * while a window is young, what it asks for by itself may take the menu away again.
   */
  async actions(title: string | RegExp): Promise<Locator> {
    const menu = this.page.locator('.action-widget');
    const isShown = async (): Promise<boolean> => {
      await this.page.keyboard.press('Control+.');
      return appears(menu.getByText(title, { exact: true }).first(), 5000);
    };
    await eventually(isShown, (shown) => shown);
    return menu;
  }

  /** Takes an action at the cursor, again where the menu is gone before it can be clicked. */
  async act(title: RegExp): Promise<void> {
    const isTaken = async (): Promise<boolean> => {
      const menu = await this.actions(title);
      const click = menu.getByText(title).first().click({ timeout: 5000 });
      return click.then(
        () => true,
        () => false,
      );
    };
    await eventually(isTaken, (taken) => taken);
  }

  /** Types into the open quick pick, again should it have been opening still, and takes a row. */
  async pick(row: string, typed = row): Promise<void> {
    const input = this.page.locator('.quick-input-widget input[type="text"]').first();
    const isTaken = async (): Promise<boolean> => {
      await input.fill(typed);
      return takes(this.rowOf(row));
    };
    await eventually(isTaken, (taken) => taken);
  }

  /** Types into the open input, again should it have been opening still, and says so. */
  async answer(text: string): Promise<void> {
    const input = this.page.locator('.quick-input-widget input[type="text"]').first();
    await eventually(
      async () => {
        await input.fill(text);
        return input.inputValue();
      },
      (value) => value === text,
    );
    await input.press('Enter');
  }

  private rowOf(text: string): Locator {
    return this.page
      .locator('.quick-input-list .monaco-list-row')
      .filter({ hasText: text })
      .first();
  }

  /** To stay, and with the focus. */
  async openFile(name: string): Promise<void> {
    const row = this.page.getByRole('treeitem', { name }).first();
    const kept = tab(this.page, name, '.active:not(:has(.italic))');
    const isOpen = async (): Promise<boolean> => {
      if (!(await appears(row, 10_000))) {
        // Another view has come back in front, or VS Code has not heard of a file.
        await this.command('Refresh Explorer');
        return false;
      }
      await row.dispatchEvent('dblclick');
      return (await appears(kept, 5000)) && this.editor(name).takesFocus();
    };
    await eventually(isOpen, (open) => open);
  }

  /** Two files that belong together, side by side, with scores, and nothing else. */
  async openPair(files: readonly [string, string]): Promise<void> {
    await this.command('View: Close All Editors');
    await this.openFile(files[0]);
    await this.command('Treelens: Open Pair Side by Side');
    for (const file of files) await this.editor(file).lenses().first().waitFor();
  }

  /** Loads the window anew, once VS Code has kept which of these are open: in a browser it does so
   * every few seconds, while it has nothing else to do, and has no time for it when it is left. */
  async reload(open: readonly string[]): Promise<void> {
    await eventually(
      () => this.page.evaluate(keptLayout),
      (kept) => open.every((name) => kept.includes(name)),
    );
    await this.page.reload();
    await this.page.locator('.monaco-workbench').waitFor();
  }

  /** In VS Code's dark theme; what another test has left may be that. */
  async darken(): Promise<void> {
    const dark = this.page.locator('.monaco-workbench.vs-dark');
    if (!(await dark.isVisible())) {
      await this.command('Preferences: Toggle between Light/Dark Themes');
    }
    await dark.waitFor();
  }

  async goToLine(line: number): Promise<void> {
    await summon(this.page, 'Control+g');
    const input = this.page.locator('.quick-input-widget input[type="text"]').first();
    // (What is typed while the input opens may be lost, and the cursor may be there already.)
    const isOpen = async (): Promise<boolean> => {
      await input.fill(`:${line}`, { timeout: 1000 }).catch(() => undefined);
      await input.press('Enter', { timeout: 1000 }).catch(() => undefined);
      return input.isVisible();
    };
    await eventually(isOpen, (open) => !open);
    await this.cursor()
      .filter({ hasText: `Ln ${line},` })
      .waitFor();
  }

  /** Such as "Ln 2, Col 17", or with a selection "Ln 2, Col 17 (3 selected)". */
  cursor(): Locator {
    return this.page.locator('.statusbar-item[id="status.editor.selection"]');
  }

  /** For whoever wants to look: a picture costs as much as many a step. */
  async screenshot(name: string): Promise<void> {
    if (process.env.SCREENSHOTS === undefined) return;
    mkdirSync(results, { recursive: true });
    await this.page.screenshot({ path: path.join(results, `${name}.png`) });
  }
}

/** Around the tests of a suite: two files side by side in the window over the examples, and pictures. */
export function withExamplePair(
  pair: readonly [string, string],
  name: string,
  use: (workbench: Workbench) => void,
  more: OverExamples = {},
): void {
  let workbench: Workbench;
  before(async () => {
    workbench = await Workbench.overExamples(more);
    use(workbench);
    await workbench.openPair(pair);
  });
  afterEach(async function () {
    await workbench.screenshot(`${name} ${this.currentTest?.title ?? ''}`);
  });
}

/** Settings over the few that all tests have. */
export function overOurs(settings: Record<string, unknown>): Record<string, unknown> {
  return { 'treelens.server.path': serverCommand, 'editor.hover.delay': 100, ...settings };
}

/** What VS Code would open its editors from, were it loaded now; it runs in the page. */
async function keptLayout(): Promise<string> {
  const asked = <T>(request: IDBRequest): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result as T);
      request.onerror = () => reject(new Error(String(request.error)));
    });
  let kept = '';
  for (const { name = '' } of await indexedDB.databases()) {
    if (!name.startsWith('vscode-web-state-db-')) continue;
    const database = await asked<IDBDatabase>(indexedDB.open(name));
    const items = database.transaction('ItemTable').objectStore('ItemTable');
    const key = 'memento/workbench.parts.editor';
    kept += (await asked<string | undefined>(items.get(key))) ?? '';
    database.close();
  }
  return kept;
}

function fill(folder: string, files: Files): void {
  if (typeof files === 'string') {
    cpSync(files, folder, { recursive: true });
    return;
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
}

export class Editor {
  readonly root: Locator;

  constructor(
    private readonly page: Page,
    private readonly file: string,
  ) {
    // Not the file as it was committed, unless that is meant: its name has the revision behind it.
    const others = file.includes(' (') ? '' : `:not([aria-label*="${file} ("])`;
    this.root = page.locator(`.editor-instance[aria-label*="${file}"]${others}`);
  }

  lenses(): Locator {
    // VS Code keeps places for lenses that it has not resolved, and hides those out of view.
    return this.root.locator('.codelens-decoration').filter({ hasText: /\S/, visible: true });
  }

  /** From top to bottom; the page has them in the order of their creation. */
  async lensTexts(): Promise<string[]> {
    const lenses = await this.lenses().evaluateAll((elements) =>
      elements.map((element) => ({
        top: element.getBoundingClientRect().top,
        text: (element as HTMLElement).innerText,
      })),
    );
    return lenses.sort((a, b) => a.top - b.top).map(({ text }) => text);
  }

  /** The number of the first line that can be seen whole, from 1. */
  async firstLine(): Promise<number> {
    return this.root.evaluate((element) => {
      const top = element.querySelector('.overflow-guard')?.getBoundingClientRect().top ?? 0;
      const numbers = [...element.querySelectorAll('.line-numbers')]
        .filter((one) => one.getBoundingClientRect().top >= top - 1)
        .map((one) => Number(one.textContent));
      return Math.min(...numbers.filter((one) => one > 0));
    });
  }

  /** Turns the mouse wheel over this editor, some fifty pixels a notch; up if negative. */
  async wheel(notches: number): Promise<void> {
    const box = await this.root.boundingBox();
    assert.ok(box, 'what is scrolled can be seen');
    await this.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    for (let notch = 0; notch < Math.abs(notches); notch++) {
      await this.page.mouse.wheel(0, 120 * Math.sign(notches));
    }
  }

  /** What is said behind the rows that are in view. */
  notes(): Promise<string[]> {
    return this.root.evaluate((root) =>
      [...root.querySelectorAll('.view-line span')]
        .map((one) => getComputedStyle(one, '::after').content)
        .filter((content) => content.includes('≠'))
        .map((content) =>
          content
            .replaceAll(/["\u200b\u2060]/g, '')
            .replaceAll('\u00a0', ' ')
            .trim(),
        ),
    );
  }

  squiggles(): Locator {
    return this.root.locator('.squiggly-error, .squiggly-warning, .squiggly-info, .squiggly-hint');
  }

  line(text: string | RegExp): Locator {
    return this.root.locator('.view-line').filter({ hasText: text });
  }

  /** Rests the mouse near the start of something until its explanation is there. */
  async hover(target: Locator): Promise<Locator> {
    const hover = this.page.locator('.monaco-hover:not(.hidden)').first();
    const isExplained = async (): Promise<boolean> => {
      await this.leave();
      const box = await target.boundingBox();
      if (box === null) return false;
      await this.page.mouse.move(box.x + 3, box.y + Math.min(4, box.height / 2));
      return appears(hover, 5000);
    };
    await eventually(isExplained, (explained) => explained);
    return hover;
  }

  /** A hover that stays would catch the next click. */
  async leave(): Promise<void> {
    await this.page.mouse.move(5, 5);
    await this.page.keyboard.press('Escape');
    await this.page.locator('.monaco-hover:not(.hidden)').first().waitFor({ state: 'hidden' });
  }

  /** By its tab: a click into the text may hit a lens or a hover. */
  async focus(): Promise<void> {
    await this.leave();
    const isFocused = async (): Promise<boolean> => {
      await tab(this.page, this.file).dispatchEvent('mousedown');
      return this.takesFocus();
    };
    await eventually(isFocused, (focused) => focused);
  }

  /** Whether what is typed comes here, in time. */
  takesFocus(): Promise<boolean> {
    return appears(this.root.locator('.monaco-editor.focused').first(), 3000);
  }

  /** Puts the cursor behind the first occurrence of a text, by the editor's own search. */
  async cursorAfter(text: string): Promise<void> {
    const { keyboard } = this.page;
    const find = this.root.locator('.find-widget.visible');
    const input = find.locator('textarea[aria-label="Find"]');
    const isSearching = async (): Promise<boolean> => {
      await this.focus();
      await keyboard.press('Control+Home');
      await keyboard.press('Control+f');
      return appears(input.and(this.page.locator(':focus')), 3000);
    };
    await eventually(isSearching, (searching) => searching);
    await input.fill(text);
    // (In a narrow column it is not shown.)
    await find.locator('.matchesCount', { hasText: '1 of' }).waitFor({ state: 'attached' });
    await keyboard.press('Escape');
    if (!(await this.takesFocus())) await this.focus();
    await keyboard.press('ArrowRight');
  }
}

/**
 * Where events are given to tabs and rows themselves, no mouse is moved there: they move while files
 * come, toolbars appear and marks are counted, and what was a tab's middle is its button to close.
 */
function tab(page: Page, file: string, state = ''): Locator {
  return page.locator(`.tab${state}`).filter({ has: page.getByText(file, { exact: true }) });
}

/**
 * Whether a row of a list appears and is clicked. A list keeps its rows when it closes, as it does
 * when an editor takes the focus: nobody would hear of a click on one of those.
 */
async function takes(row: Locator): Promise<boolean> {
  if (!(await appears(row, 5000))) return false;
  return row.evaluate((element) => {
    const isSeen = element.checkVisibility();
    if (isSeen) element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
    return isSeen;
  });
}

/** Opens an input. While the focus moves between a panel and the window around it, a key comes to
 * nobody: it is pressed again, as anybody would. */
export async function summon(
  page: Page,
  key: string,
  widget = '.quick-input-widget',
): Promise<void> {
  const input = page.locator(widget).locator('input:focus');
  await eventually(
    async () => {
      await page.keyboard.press(key);
      await input.waitFor({ timeout: 3000 }).catch(() => undefined);
      return input.isVisible();
    },
    (shown) => shown,
  );
}

export interface Seen {
  score: string;
  /** The text above each sentence that is in view, by file. */
  lenses: Record<string, string[]>;
  /** How many marks are in view, by file. */
  marks: Record<string, number>;
}

/** What is shown once it has stopped changing; given what was shown before, once all of it has changed. */
export async function settled(workbench: Workbench, files: string[], before?: Seen): Promise<Seen> {
  const isNew = (seen: Seen): boolean =>
    seen.score !== before?.score &&
    files.every(
      (file) =>
        seen.marks[file] !== before?.marks[file] &&
        JSON.stringify(seen.lenses[file]) !== JSON.stringify(before?.lenses[file]),
    );
  let last = '';
  let since = 0;
  return eventually(
    () => look(workbench, files),
    (seen) => {
      const text = JSON.stringify(seen);
      if (text !== last) since = Date.now();
      last = text;
      return isNew(seen) && Date.now() - since > 500;
    },
  );
}

export async function restored(workbench: Workbench, expected: Seen): Promise<void> {
  const seen = await eventually(
    () => look(workbench, Object.keys(expected.lenses)),
    (now) => JSON.stringify(now) === JSON.stringify(expected),
  );
  assert.deepEqual(seen, expected);
}

async function look(workbench: Workbench, files: string[]): Promise<Seen> {
  const seen: Seen = { score: await workbench.statusItem().innerText(), lenses: {}, marks: {} };
  for (const file of files) {
    const editor = workbench.editor(file);
    seen.lenses[file] = await editor.lensTexts();
    seen.marks[file] = await editor.squiggles().count();
  }
  return seen;
}
