// An annotator's hour at five thousand sentences, without a mouse: open, find the worst, mend it by
// actions and by typing, tick it off, rename everywhere, take all back, adjudicate, draw a figure.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { corpus } from '../corpus';
import { appears } from '../waiting';
import { eventually, expectText, Workbench, summon } from '../workbench';

const gold = 'corpus.gold.mrg';
const system = 'corpus.system.mrg';
const texts = corpus(5000);
const config = `[[pairs]]
gold = "*.gold.mrg"
system = "*.system.mrg"

[[adjudication]]
first = "*.noa.conllu"
second = "*.tom.conllu"
adjudicated = "*.agreed.conllu"
`;

/** Rows of ID, form, tag, head and relation. */
function table(id: string, rows: [string, string, number, string][]): string {
  const lines = rows.map(([form, tag, head, relation], at) =>
    [at + 1, form, '_', tag, '_', '_', head, relation, '_', '_'].join('\t'),
  );
  return [`# sent_id = ${id}`, ...lines, '', ''].join('\n');
}

const noa =
  table('gan-1', [
    ['הגנן', 'NOUN', 2, 'nsubj'],
    ['ראה', 'VERB', 0, 'root'],
    ['𝑘𝑖𝑝𝑜𝑑', 'NOUN', 2, 'obj'],
    ['בגן', 'NOUN', 2, 'obl'],
  ]) +
  table('gan-2', [
    ['היא', 'PRON', 2, 'nsubj'],
    ['שמחה', 'VERB', 0, 'root'],
  ]);
const tom = noa.replace('בגן\t_\tNOUN\t_\t_\t2\tobl', 'בגן\t_\tNOUN\t_\t_\t3\tnmod');

/** A person at the keyboard: nothing here touches the mouse. */
class Keys {
  constructor(private readonly page: Page) {}

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.insertText(text);
  }

  /** Answers the input that is open, once the row that is meant is the chosen one. */
  async answer(text: string, row?: string): Promise<void> {
    const widget = this.page.locator('.quick-input-widget');
    await widget.locator('input:focus').waitFor();
    await this.press('Control+a');
    await this.type(text);
    if (row !== undefined) {
      await widget.locator('.monaco-list-row.focused').filter({ hasText: row }).waitFor();
    }
    await this.press('Enter');
  }

  async command(title: string): Promise<void> {
    await summon(this.page, 'F1');
    await this.answer(`>${title}`, title);
  }

  async open(file: string): Promise<void> {
    await summon(this.page, 'Control+p');
    await this.answer(file, file);
    await this.page.locator('.tab.active').filter({ hasText: file }).first().waitFor();
  }

  /** Puts the cursor at the start of a text, by the editor's own search. */
  async find(text: string): Promise<void> {
    await this.press('Control+Home');
    await this.search(text, /^1 of/);
    // (A key may come before VS Code has noticed where the focus is.)
    const isClosed = async (): Promise<boolean> => {
      await this.press('Escape');
      return appears(this.page.locator('.find-widget.visible'), 3000, 'detached');
    };
    await eventually(isClosed, (closed) => closed);
    await this.press('ArrowLeft');
  }

  async search(text: string, found: RegExp): Promise<void> {
    const widget = this.page.locator('.find-widget.visible');
    await this.press('Control+f');
    await widget.locator('textarea:focus').waitFor();
    await this.press('Control+a');
    await this.type(text);
    await widget.locator('.matchesCount').filter({ hasText: found }).waitFor();
  }
}

describe('an hour of correction, by keys alone', () => {
  let workbench: Workbench;
  let page: Page;
  let keys: Keys;
  let started: string;

  const score = (): Promise<string> => workbench.statusItem().innerText();
  const changed = (from: string): Promise<string> => eventually(score, (now) => now !== from);
  const worklist = () => page.locator('.statusbar-item[id="treelens.treelens.treelens.worklist"]');
  const onDisk = (file: string): string => readFileSync(path.join(workbench.folder, file), 'utf8');

  /** The numbers above the line of the cursor. */
  async function lens(): Promise<string> {
    return page.evaluate(() => {
      const focused = document.querySelector('.editor-instance .monaco-editor.focused');
      const top = focused?.querySelector('.cursor')?.getBoundingClientRect().top ?? 0;
      const lenses = [...(focused?.querySelectorAll<HTMLElement>('.codelens-decoration') ?? [])]
        .map((element) => ({ text: element.innerText, y: element.getBoundingClientRect().top }))
        .filter(({ text, y }) => text !== '' && y <= top)
        .sort((a, b) => b.y - a.y);
      return lenses[0]?.text.replaceAll('\u00a0', ' ') ?? '';
    });
  }

  before(async () => {
    workbench = await Workbench.shared({
      files: {
        'treelens.toml': config,
        [gold]: texts.gold,
        [system]: texts.system,
        'garden.noa.conllu': noa,
        'garden.tom.conllu': tom,
        'garden.agreed.conllu': noa,
      },
      moves: true,
      settings: { 'files.simpleDialog.enable': true },
    });
    ({ page } = workbench);
    keys = new Keys(page);
  });

  afterEach(async function () {
    await workbench.screenshot(`hour ${this.currentTest?.title ?? ''}`);
  });

  it('opens a corpus, gold beside system', async () => {
    await keys.open(system);
    await expectText(workbench.statusItem(), /F1 97\.51/);
    await keys.command('Treelens: Open Pair Side by Side');
    await workbench.editor(gold).lenses().first().waitFor();
    await expectText(worklist(), /0 of 5,000 checked/);
    started = await score();
    await keys.open(system);
  });

  it('finds the worst sentence, and mends it by an action and by typing', async () => {
    await keys.press('Control+Alt+Home');
    await expectText(workbench.cursor(), /Ln (?!1,)/);
    const worst = await eventually(lens, (text) => /mismatch|missing|extra|label/.test(text));
    assert.doesNotMatch(worst, /F1 100/);
    await workbench.editor(gold).lenses().first().waitFor();
    await workbench.actions(/^Take gold’s/);
    await workbench.screenshot('hour action');
    await keys.press('Enter');
    const better = await eventually(lens, (text) => text.includes('F1') && text !== worst);
    assert.doesNotMatch(better, /F1 100/);
    await keys.press('Control+Alt+g');
    await eventually(lens, (text) => /F1 100\.00.*no mismatch/.test(text));
    // A slip of the fingers, seen at once and taken back by typing.
    await keys.press('Home', 'ArrowRight');
    await keys.type('X');
    await eventually(lens, (text) => text.includes('1 label'));
    await keys.press('Backspace');
    await eventually(lens, (text) => /F1 100\.00.*no mismatch/.test(text));
  });

  it('ticks it off and goes to the next', async () => {
    const before = await workbench.cursor().innerText();
    await keys.press('Control+Alt+Enter');
    await expectText(worklist(), /1 of 5,000 checked/);
    await eventually(
      () => workbench.cursor().innerText(),
      (now) => now !== before,
    );
    assert.match(onDisk(`${system}.review`), /^checked\t/m);
  });

  it('mends what is beyond the first plane, and what runs from the right', async () => {
    for (const wrong of ['(ADJP (DT the) (JJ 𝑦𝑒𝑙𝑙𝑜𝑤)', '(ADJP (DT ה) (JJ']) {
      await keys.find(wrong);
      const before = await eventually(lens, (text) => text.includes('label'));
      await keys.press('ArrowRight', 'Control+Delete');
      await keys.type('NP');
      await eventually(lens, (text) => text.includes('F1') && text !== before);
    }
    await workbench.screenshot('hour right to left');
  });

  it('renames a label in the whole corpus', async () => {
    const before = await score();
    await keys.find('(ADJP');
    await keys.press('ArrowRight');
    await summon(page, 'F2', '.rename-box');
    await keys.press('Control+a');
    await keys.type('NP');
    await keys.press('Enter');
    await changed(before);
    await keys.press('Control+Home');
    await expectText(workbench.statusItem(), /F1 9[89]\./);
    await keys.search('(ADJP', /No results/);
    await keys.press('Escape');
  });

  it('takes everything back, and not a byte is lost', async () => {
    const dirty = page.locator('.tab.active.dirty');
    await eventually(
      async () => {
        await keys.press('Control+z');
        return dirty.count();
      },
      (count) => count === 0,
    );
    await eventually(score, (now) => now === started);
    await keys.press('Control+s');
    // (A file that is being written is there in part.)
    const isWhole = (): Promise<boolean> => Promise.resolve(onDisk(system) === texts.system);
    await eventually(isWhole, (whole) => whole);
    assert.equal(onDisk(gold), texts.gold);
  });

  it('adjudicates a disagreement of two annotators', async () => {
    await keys.open('garden.agreed.conllu');
    await expectText(workbench.statusItem(), /2 open/);
    await keys.press('Control+Home', 'Control+Alt+.');
    await expectText(workbench.cursor(), /Ln 5/);
    await workbench.screenshot('hour disagreement');
    await keys.press('Control+Alt+2');
    await expectText(workbench.statusItem(), /1 open/);
    await keys.press('Control+Alt+.');
    await expectText(workbench.cursor(), /\d selected/);
    await keys.press('Control+Alt+2');
    await workbench.editor('garden.agreed.conllu').line('nmod').first().waitFor();
    await expectText(workbench.statusItem(), /0 open/);
    const lenses = workbench.editor('garden.agreed.conllu').lenses();
    await expectText(lenses, /noa and tom agree/);
    await eventually(
      async () => (await lenses.allInnerTexts()).join(),
      (text) => !text.includes('open'),
    );
    await keys.press('Control+s');
    await eventually(
      () => Promise.resolve(onDisk('garden.agreed.conllu')),
      (text) => text === tom,
    );
  });

  it('draws a figure and saves it', async () => {
    await keys.open(system);
    await keys.press('Control+Alt+Home');
    const at = await eventually(
      () => workbench.cursor().innerText(),
      (text) => /Ln (?!1,)/.test(text),
    );
    await keys.press('Control+Alt+p');
    const picture = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await picture.locator('svg.picture').first().waitFor();
    // The panel has taken room, and what it draws is in view yet.
    const [, row = ''] = /Ln (\d+),/.exec(at) ?? [];
    await workbench.editor(system).root.locator('.line-numbers').getByText(row).waitFor();
    await workbench.screenshot('hour figure');
    await keys.press('Control+Alt+p');
    await picture.locator(':focus').first().waitFor();
    for (const [name, start] of [
      ['figure.svg', '<svg'],
      ['figure.tex', '%'],
    ] as const) {
      const file = path.join(workbench.folder, name);
      await keys.command('Treelens: Save Picture As…');
      // The dialog writes its own proposal a moment after it is there.
      const input = page.locator('.quick-input-widget input[type="text"]').first();
      await eventually(
        () => input.inputValue(),
        (value) => value.includes('corpus.system.'),
      );
      await keys.answer(file);
      await eventually(
        () => Promise.resolve(existsSync(file) ? readFileSync(file, 'utf8') : ''),
        (text) => text.startsWith(start),
      );
    }
    assert.match(readFileSync(path.join(workbench.folder, 'figure.svg'), 'utf8'), /≠.ADJP</);
  });
});
