// The tree panel as a user sees it: shown, walked through and changed by keys and by mouse, copied
// and saved; trees and arcs, from the right, in high contrast, and of two hundred words. One walk
// through one window, and so longer than other files are.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { appears, eventually, expectText, root, Workbench } from '../workbench';

const gold = 'garden.gold.mrg';
const system = 'garden.system.mrg';
const clauses = 50;
/** A sentence of ten words, the last of them in the lower half of a window, and what stands around it. */
const tall = [15, 10, 50]
  .map((words) =>
    Array.from({ length: words }, (_, at) =>
      [at + 1, `w${words}-${at}`, '_', 'X', '_', '_', at, 'root', '_', '_'].join('\t'),
    ),
  )
  .map((rows) => `${rows.join('\n')}\n\n`)
  .join('');
const graph = [
  '1\tAnna\t_\tPROPN\t_\t_\t2\tnsubj\t2:nsubj|4:nsubj:xsubj\t_',
  '2\teats\t_\tVERB\t_\t_\t0\troot\t0:root\t_',
  '3\tand\t_\tCCONJ\t_\t_\t4\tcc\t4:cc\t_',
  '4\tdrinks\t_\tVERB\t_\t_\t2\tconj\t2:conj:and\t_',
  '\n',
].join('\n');

describe('the tree panel', () => {
  let workbench: Workbench;
  let page: Page;
  let panel: Panel;

  before(async () => {
    workbench = await Workbench.open({
      files: path.join(root, 'examples'),
      settings: { 'treelens.startWith': [gold, system], 'files.simpleDialog.enable': true },
      size: { width: 1600, height: 1000 },
      prepare: (opened) => opened.context().grantPermissions(['clipboard-read', 'clipboard-write']),
    });
    ({ page } = workbench);
    panel = new Panel(page);
    writeFileSync(path.join(workbench.folder, 'long.gold.mrg'), longTree('VP'));
    writeFileSync(path.join(workbench.folder, 'long.system.mrg'), longTree('SQ'));
    for (const side of ['gold', 'system']) {
      writeFileSync(path.join(workbench.folder, `tall.${side}.conllu`), tall);
    }
    writeFileSync(path.join(workbench.folder, 'graph.conllu'), graph);
    const noted = graph.replace('0:root\t_', '0:root\tGloss=eats');
    writeFileSync(path.join(workbench.folder, 'noted.gold.conllu'), noted);
    writeFileSync(path.join(workbench.folder, 'noted.system.conllu'), graph);
    await workbench.editor(system).lenses().first().waitFor();
  });

  after(() => workbench.close());

  afterEach(async function () {
    await workbench.screenshot(`picture ${this.currentTest?.title ?? ''}`);
  });

  it('opens by key below both texts, and leaves the focus in the text', async () => {
    await workbench.editor(system).cursorAfter('(VBD watered');
    await page.keyboard.press('Control+Alt+p');
    await expectText(panel.title, /^Sentence 2 · F1 92\.31/);
    await panel.node('missing').getByText('NP').waitFor();
    await page.locator('.editor-group-container.active .tab.active', { hasText: system }).waitFor();
    assert.equal(await page.locator('.editor-group-container').count(), 3);
    await panel.expectCurrent(/VBD ?watered/);
  });

  it('follows the cursor, within a sentence and into the next', async () => {
    await workbench.editor(system).cursorAfter('(JJ yellow');
    await panel.expectCurrent(/yellow/);
    await expectText(panel.title, /^Sentence 2/);
    await page.keyboard.press('ArrowDown');
    await expectText(panel.title, /^Sentence 3/);
    await page.keyboard.press('ArrowUp');
    await expectText(panel.title, /^Sentence 2/);
    await panel.expectCurrent(/yellow/);
  });

  it('goes on from where it was walked to, whenever what was asked for before is drawn', async () => {
    await panel.recordDrawings();
    await panel.goIntoByKey();
    await eventually(
      () => panel.drawAgain(),
      (drawn) => drawn,
    );
    await page.keyboard.press('ArrowUp');
    await panel.expectCurrent(/^NP$/);
    assert.ok(await panel.drawAgain());
    await expectText(panel.said, /NP over “the yellow petals”/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await panel.expectCurrent(/yellow/);
  });

  it('is walked through by arrows, the text selected along, and left into the text', async () => {
    await panel.goIntoByKey();
    await page.keyboard.press('ArrowUp');
    await panel.expectCurrent(/^NP$/);
    await expectText(panel.said, /NP over “the yellow petals”/);
    await page.keyboard.press('ArrowUp');
    await panel.expectCurrent(/^PP$/);
    await page.keyboard.press('ArrowLeft');
    await expectText(panel.said, /NP over “the roses”/);
    await page.keyboard.press('ArrowUp');
    await panel.expectCurrent(/−\sNP/);
    await expectText(panel.said, /system has no such bracket/);
    await page.keyboard.press('ArrowDown');
    await workbench.screenshot('picture walked');
    await page.keyboard.press('Enter');
    await page.locator('.editor-group-container.active .tab.active', { hasText: system }).waitFor();
    await expectText(workbench.cursor(), /^Ln 2, Col \d+ \(2 selected\)/);
  });

  it('folds and unfolds by key and by handle', async () => {
    await panel.goInto();
    await panel.click('PP');
    await page.keyboard.press('Space');
    await panel.svg.getByText('with the yellow').waitFor();
    await workbench.screenshot('picture folded');
    await panel.frame.locator('.handle.folded').click();
    await panel.svg.getByText('petals', { exact: true }).waitFor();
    await panel.expectCurrent(/^PP$/);
  });

  it('renames with what the corpus offers; the text changes, and undo from the panel', async () => {
    await panel.click('NP-SBJ');
    await page.keyboard.press('F2');
    await panel.field.waitFor();
    assert.equal(await panel.field.inputValue(), 'NP-SBJ');
    await panel.frame.locator('.field li').first().waitFor();
    await workbench.screenshot('picture rename');
    await panel.field.fill('XP');
    await page.keyboard.press('Enter');
    await workbench.editor(system).line('(XP (DT The)').first().waitFor();
    await panel.svg.getByText('NP-SBJ ≠ XP', { exact: true }).waitFor();
    await panel.expectCurrent(/NP-SBJ ≠ XP$/);
    await panel.undo(workbench.editor(system).line('(NP-SBJ (DT The)'));
    await panel.svg.getByText('NP-SBJ', { exact: true }).waitFor();
  });

  it('wraps, deletes and raises, each one undo step', async () => {
    await panel.click('PP');
    await page.keyboard.press('w');
    await panel.field.fill('XP');
    await page.keyboard.press('Enter');
    await workbench.editor(system).line('(XP (PP').first().waitFor();
    await panel.undo(workbench.editor(system).line('(NNS roses)) (PP'));
    await panel.clickSettled('PP');
    await page.keyboard.press('Delete');
    await workbench.editor(system).line('(NNS roses)) (IN').first().waitFor();
    await panel.undo(workbench.editor(system).line('(NNS roses)) (PP'));
    // What is next is from where things stand then.
    await panel.labelled('PP').waitFor();
  });

  it('offers what the server can do in a menu by key', async () => {
    await panel.node('missing').click();
    await panel.expectCurrent(/−\sNP/);
    await page.keyboard.press('Shift+F10');
    const menu = panel.frame.getByRole('menu');
    await menu.getByText(/gold/).first().waitFor();
    await workbench.screenshot('picture menu');
    await page.keyboard.press('Escape');
    await panel.focused.waitFor();
  });

  it('hangs a node elsewhere when it is dragged there', async () => {
    await workbench.editor(system).cursorAfter('(VBD watered');
    // (What it follows to may have it drawn elsewhere.)
    await panel.expectCurrent(/VBD ?watered/);
    await panel.goInto();
    const place = await panel.middle('NP');
    await panel.drag('PP', 'NP');
    await workbench.editor(system).line('(NNS roses) (PP').first().waitFor();
    await eventually(
      () => panel.middle('NP'),
      (now) => String(now) !== String(place),
    );
    await panel.undo(workbench.editor(system).line('(NNS roses)) (PP'));
    await eventually(
      () => panel.middle('NP'),
      (now) => String(now) === String(place),
    );
    await panel.drag('PP', 'NP-SBJ');
    await expectText(panel.said, /^Not done: /);
  });

  it('takes the cursor to what is clicked', async () => {
    await panel.svg.getByText('roses', { exact: true }).click();
    await page.keyboard.press('Enter');
    await expectText(workbench.cursor(), /^Ln 2, Col \d+ \(5 selected\)/);
    // Before somebody goes back: the cursor is said to be there a moment before the focus is.
    await eventually(
      () => workbench.editor(system).takesFocus(),
      (taken) => taken,
    );
  });

  it('copies as SVG, PNG and LaTeX, and saves by the name’s ending', async () => {
    await panel.goInto();
    await panel.copy('SVG');
    const svg = await clipboardText(page, /^<svg/);
    assert.match(svg, /<title>Sentence 2 /);
    assert.match(svg, />petals</);
    assert.doesNotMatch(svg, /class=|var\(| style=|handle|data-/);
    await panel.copy('LaTeX');
    assert.match(await clipboardText(page, /\\begin\{forest\}/), /petals/);
    await panel.copy('PNG');
    const size = await eventually(
      () => clipboardImage(page),
      (image) => image !== undefined,
    );
    const [, width = '', height = ''] = /width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
    assert.deepEqual(size, { width: 2 * Number(width), height: 2 * Number(height) });
    await panel.copy('SVG');
    await workbench.editor(system).focus();
    await workbench.command('Treelens: Copy Tree as PNG');
    await expectText(panel.said, /^Copied as PNG/);
    for (const ending of ['svg', 'png', 'tex']) {
      await panel.goInto();
      await workbench.command('Treelens: Save Picture As…');
      const file = path.join(workbench.folder, `figure.${ending}`);
      const input = page.locator('.quick-input-widget input[type="text"]').first();
      // The dialog writes its own proposal a moment after it is there.
      await eventually(
        () => input.inputValue(),
        (value) => /garden\.system\.2\.\w+$/.test(value),
      );
      await input.fill(file);
      await page.keyboard.press('Enter');
      await expectText(panel.said, new RegExp(`Saved as figure\\.${ending}`));
      const start = readFileSync(file).subarray(0, 8).toString('latin1');
      const expected = { svg: /^<svg/, png: /^\x89PNG/, tex: /^%/ }[ending] ?? /$^/;
      assert.match(start, expected);
    }
  });

  it('draws both trees whole, and a file’s own', async () => {
    await panel.goInto();
    await page.keyboard.press('2');
    await panel.svg.getByText(gold).waitFor();
    await workbench.screenshot('picture beside');
    await page.keyboard.press('3');
    await panel.node('missing').waitFor({ state: 'detached' });
    await page.keyboard.press('1');
    await panel.node('missing').waitFor();
  });

  it('draws arcs for tables', async () => {
    await workbench.openFile('ferry.system.conllu');
    await workbench.editor('ferry.system.conllu').cursorAfter('1\tOld');
    await expectText(panel.title, /LAS 57\.14 .* · ferry-3$/);
    await panel.node('extra').getByText('amod').waitFor();
    await panel.expectCurrent(/ADJ ?Old/);
  });

  it('says what a line below a word means, also where that is all there is', async () => {
    await workbench.openFile('noted.system.conllu');
    await workbench.editor('noted.system.conllu').cursorAfter('eats');
    await expectText(panel.legend, /not counted by LAS/);
    assert.equal(await panel.legend.locator('.word.otherwise .under').count(), 1);
    assert.equal(await panel.legend.locator('.label').count(), 0);
  });

  it('hangs an enhanced dependency elsewhere when it is dragged there', async () => {
    const file = 'graph.conllu';
    await workbench.openFile(file);
    await workbench.editor(file).cursorAfter('eats');
    await panel.labelled('nsubj:xsubj').waitFor();
    await expectText(panel.legend, /enhanced, below the words/);
    await panel.goInto();
    // (An arc is its word's.)
    await panel.drag('nsubj:xsubj', 'cc');
    await workbench.editor(file).line('|3:nsubj:xsubj').first().waitFor();
    await panel.undo(workbench.editor(file).line('|4:nsubj:xsubj'));
  });

  it('mirrors what is written from the right', async () => {
    await workbench.openFile('hebrew.system.mrg');
    await workbench.editor('hebrew.system.mrg').cursorAfter('(NN החתול');
    await expectText(panel.title, /^Sentence 2/);
    const first = await panel.svg.getByText('החתול').boundingBox();
    const last = await panel.svg.getByText('השכן').boundingBox();
    assert.ok((first?.x ?? 0) > (last?.x ?? Infinity), 'the first word is at the right');
    await panel.goIntoByKey();
    await panel.click('NP-SBJ');
    await page.keyboard.press('ArrowLeft');
    await panel.expectCurrent(/VP/);
  });

  it('shows two hundred words: readable, whole by key, moved and magnified', async () => {
    await workbench.openFile('long.system.mrg');
    await workbench.editor('long.system.mrg').cursorAfter('(NN word3)');
    await expectText(panel.title, /^Sentence 1/);
    await panel.goInto();
    await workbench.screenshot('picture long');
    await panel.unfold.click();
    await panel.svg.getByText(`word${String(4 * clauses - 1)}`, { exact: true }).waitFor();
    await panel.stage.focus();
    await page.keyboard.press('0');
    const scale = await panel.scale();
    assert.ok(scale < 60, `all of it at ${scale}%`);
    await page.keyboard.press('+');
    assert.ok((await panel.scale()) > scale);
    const drawn = await panel.svg.elementHandle();
    await panel.stage.hover();
    await page.mouse.wheel(0, 200);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -300);
    await page.keyboard.up('Control');
    await eventually(
      () => panel.scale(),
      (now) => now > scale * 1.3,
    );
    // The same element: nothing was drawn anew.
    assert.equal(await drawn.evaluate((element) => element.isConnected), true);
  });

  it('leaves the numbers in view above a sentence that takes more rows than there are', async () => {
    const files = ['long.gold.mrg', 'long.system.mrg'] as const;
    await workbench.openPair(files);
    await workbench.editor(files[0]).focus();
    await page.keyboard.press('Control+Home');
    await workbench.command('Treelens: Show Tree');
    await expectText(panel.title, /^Sentence 1/);
    for (const file of files) {
      await eventually(
        () => workbench.editor(file).lensTexts(),
        ([first = '']) => first.includes('F1'),
      );
    }
    await workbench.command('View: Close All Editors');
  });

  it('leaves the whole of a sentence in view as it opens below it', async () => {
    await workbench.openPair(['tall.gold.conllu', 'tall.system.conllu']);
    const editor = workbench.editor('tall.system.conllu');
    const last = editor.root.locator('.line-numbers', { hasText: /^40$/ });
    await last.waitFor();
    await editor.cursorAfter('w10-0');
    await workbench.command('Treelens: Show Tree');
    await expectText(panel.title, /^Sentence 2/);
    await last.waitFor({ state: 'detached' });
    for (const word of [0, 9]) await editor.line(`w10-${word}`).waitFor();
    await workbench.command('View: Close All Editors');
  });

  it('lets whoever goes elsewhere as soon as it is drawn be there', async () => {
    await workbench.openPair([gold, system]);
    await workbench.editor(system).focus();
    await page.keyboard.press('Control+Home');
    await workbench.command('Treelens: Show Tree');
    await expectText(panel.title, /^Sentence 1 /);
    await page.keyboard.press('Control+End');
    await expectText(panel.title, /^Sentence 30/);
    await workbench.editor(system).root.locator('.line-numbers', { hasText: '30' }).waitFor();
    assert.ok((await workbench.editor(system).firstLine()) > 10, 'the last line is in view');
  });

  it('is as clear in high contrast and in the dark', async () => {
    await workbench.editor(system).cursorAfter('(JJ yellow');
    await expectText(panel.title, /^Sentence 2/);
    for (const theme of ['Dark High Contrast', 'Light High Contrast', 'Dark Modern']) {
      await workbench.command('Preferences: Color Theme');
      await workbench.pick(theme, theme);
      await panel.node('missing').waitFor();
      await workbench.screenshot(`picture ${theme}`);
    }
  });

  it('is there again when the window is loaded anew, and so is what was said of a sentence', async () => {
    const checked = page.locator('.statusbar-item[id="treelens.treelens.treelens.worklist"]');
    await workbench.editor(system).focus();
    await workbench.command('Treelens: Mark Checked');
    await expectText(checked, /1 of \d+ checked/);
    await workbench.reload([gold, system, 'treelens.picture']);
    await expectText(panel.title, /^Sentence \d/);
    await expectText(checked, /1 of \d+ checked/);
    const entry = page.locator('.customview-tree .monaco-list-row').first();
    // A young window may not have the view yet: asked again, as anybody would.
    const isListed = async (): Promise<boolean> => {
      await workbench.command('Treelens: Focus on Worklist View');
      return appears(entry, 10_000);
    };
    await eventually(isListed, (listed) => listed);
    // The view's title says the same, unseen while it is the only view.
    await expectText(page.locator('.tree-explorer-viewlet-tree-view .message'), /1 of \d+ checked/);
    // (Where the cursor was is VS Code's to remember, which it does not at once.)
    await workbench.editor(system).cursorAfter('(JJ yellow');
    await panel.expectCurrent(/yellow/);
  });
});

class Panel {
  readonly frame: FrameLocator;
  readonly svg: Locator;
  readonly stage: Locator;
  readonly title: Locator;
  readonly said: Locator;
  readonly legend: Locator;
  readonly current: Locator;
  readonly focused: Locator;
  readonly field: Locator;
  readonly unfold: Locator;

  constructor(private readonly page: Page) {
    this.frame = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    this.svg = this.frame.locator('#sheet svg');
    this.stage = this.frame.locator('#stage');
    this.title = this.frame.locator('h1');
    this.said = this.frame.locator('#said');
    this.legend = this.frame.locator('#legend');
    this.current = this.frame.locator('#sheet g.at');
    this.focused = this.frame.locator('#stage:focus');
    this.field = this.frame.locator('.field input');
    this.unfold = this.frame.getByRole('button', { name: 'Unfold All' });
  }

  node(kind: string): Locator {
    return this.frame.locator(`#sheet g.label.${kind}`).first();
  }

  async goInto(): Promise<void> {
    const isInside = async (): Promise<boolean> => {
      await this.stage.focus();
      return appears(this.focused, 3000);
    };
    await eventually(isInside, (inside) => inside);
  }

  /** By key, which comes to nobody while the focus moves between text and panel. */
  async goIntoByKey(): Promise<void> {
    const isInside = async (): Promise<boolean> => {
      await this.page.keyboard.press('Control+Alt+p');
      return appears(this.focused, 3000);
    };
    await eventually(isInside, (inside) => inside);
  }

  /** From now on what the page is told to draw can be told again. */
  async recordDrawings(): Promise<void> {
    await this.stage.evaluate(({ ownerDocument: { defaultView: view } }) => {
      view?.addEventListener('message', ({ data }: MessageEvent<{ type?: string }>) => {
        if (data.type === 'show') Object.assign(view, { drawn: data });
      });
    });
  }

  /** Has the page told once more what it was last told to draw, if it was: as if it came late. */
  drawAgain(): Promise<boolean> {
    return this.stage.evaluate(({ ownerDocument: { defaultView: view } }) => {
      const { drawn: data } = view as unknown as { drawn?: unknown };
      if (data !== undefined) view?.dispatchEvent(new MessageEvent('message', { data }));
      return data !== undefined;
    });
  }

  /** By its label. */
  async click(label: string): Promise<void> {
    await this.labelled(label).click();
    await this.expectCurrent(new RegExp(label));
  }

  /** After a change: once the drawing is of the text as it is now. */
  async clickSettled(label: string): Promise<void> {
    await this.labelled(label).waitFor();
    await this.click(label);
  }

  /** What the current node shows, by its text: the blanks in a label keep it on one line. */
  async expectCurrent(pattern: RegExp): Promise<void> {
    await eventually(
      async () => (await this.current.allTextContents()).join('|').replaceAll('\u00a0', ' '),
      (text) => pattern.test(text),
    );
  }

  /** Until a line is back, and so is the focus, which has been in the text meanwhile. */
  async undo(line: Locator): Promise<void> {
    await this.focused.waitFor();
    await this.page.keyboard.press('Control+z');
    await line.first().waitFor();
    await this.focused.waitFor();
  }

  async drag(label: string, to: string): Promise<void> {
    // (Once the pointer is captured, no locator finds itself under it any more.)
    const [from, there] = [await this.middle(label), await this.middle(to)];
    await this.page.mouse.move(...from);
    await this.page.mouse.down();
    await this.page.mouse.move(...there, { steps: 5 });
    await this.frame.locator('.target').waitFor();
    await this.page.mouse.up();
  }

  async copy(format: string): Promise<void> {
    await this.frame.getByRole('button', { name: 'Copy or Save the Picture' }).click();
    await this.frame.getByRole('menuitem', { name: `Copy as ${format}` }).click();
    await expectText(this.said, new RegExp(`^Copied as ${format}`));
  }

  async scale(): Promise<number> {
    return Number.parseInt(await this.frame.locator('.scale').innerText(), 10);
  }

  /** Of a label, in the window; nothing has a place while it is drawn anew. */
  async middle(label: string): Promise<[number, number]> {
    const box = await eventually(
      () => this.labelled(label).boundingBox(),
      (found) => found !== null,
    );
    assert.ok(box, `${label} can be seen`);
    return [box.x + box.width / 2, box.y + box.height / 2];
  }

  labelled(label: string): Locator {
    return this.frame.locator('#sheet g.label').getByText(label, { exact: true }).first();
  }
}

async function clipboardText(page: Page, pattern: RegExp): Promise<string> {
  return eventually(
    () => page.evaluate(() => navigator.clipboard.readText()),
    (text) => pattern.test(text),
  );
}

async function clipboardImage(page: Page): Promise<{ width: number; height: number } | undefined> {
  return page.evaluate(async () => {
    const items = await navigator.clipboard.read();
    const item = items.find(({ types }) => types.includes('image/png'));
    if (item === undefined) return undefined;
    const { width, height } = await createImageBitmap(await item.getType('image/png'));
    return { width, height };
  });
}

/** Clauses of four words in each other. */
function longTree(label: string): string {
  const words = Array.from({ length: clauses }, (_, at) => {
    const [a, b, c, d] = [4 * at, 4 * at + 1, 4 * at + 2, 4 * at + 3];
    const inner = at % 7 === 3 ? label : 'VP';
    return `(S (NP (DT word${a}) (NN word${b})) (${inner} (VBD word${c}) (NP (NN word${d}))))`;
  });
  return `(S ${words.join(' ')})\n`;
}
