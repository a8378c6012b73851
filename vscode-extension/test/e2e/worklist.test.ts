// A day's work by keys alone: the worst sentence first, mended, ticked off, on to the next; a
// question with a note; filters and groups; and all of it is still there the next morning.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { corpus } from '../corpus';
import { appears, eventually, expectText, Workbench } from '../workbench';

const size = 5000;
const gold = 'corpus.gold.mrg';
const system = 'corpus.system.mrg';
const config = '[[pairs]]\ngold = "*.gold.*"\nsystem = "*.system.*"\n';

const goldTable = 'hens.gold.conllu';
const systemTable = 'hens.system.conllu';
const table = (head: number): string =>
  [1, 2, 3]
    .map(
      (number) =>
        `# sent_id = hens-${number}\n1\tHens\then\tNOUN\t_\t_\t2\tnsubj\t_\t_\n` +
        `2\tscratch\tscratch\tVERB\t_\t_\t0\troot\t_\t_\n` +
        `3\toften\toften\tADV\t_\t_\t${number === 2 ? head : 2}\tadvmod\t_\t_\n\n`,
    )
    .join('');

const rows = (workbench: Workbench): Locator =>
  workbench.page.locator('.customview-tree .monaco-list-row');

/** The lines of the list from top to bottom. */
async function texts(workbench: Workbench): Promise<string[]> {
  const found = await rows(workbench).evaluateAll((elements) =>
    elements.map((element) => ({
      top: element.getBoundingClientRect().top,
      text: [...element.querySelectorAll('.label-name, .label-description')]
        .map((part) => part.textContent)
        .join(' ')
        .replaceAll('\u00a0', ' '),
    })),
  );
  return found.sort((a, b) => a.top - b.top).map(({ text }) => text);
}

const scores = (lines: string[]): number[] => lines.map((line) => Number.parseFloat(line));

/** `2 missing · 1 label` are three. */
const errors = (line: string): number =>
  [...line.matchAll(/(\d+) (?:missing|extra|crossing|label|tag|words)/g)].reduce(
    (sum, [, number]) => sum + Number(number),
    0,
  );

const status = (workbench: Workbench): Locator =>
  workbench.page.locator('.statusbar-item[id="treelens.treelens.treelens.worklist"]');

const cursorLine = async (workbench: Workbench): Promise<number> =>
  Number(/Ln (\d+)/.exec(await workbench.cursor().innerText())?.[1]);

/** Until the cursor is on another line than before; which one. */
async function moved(workbench: Workbench, before: number): Promise<number> {
  return eventually(
    () => cursorLine(workbench),
    (line) => line > 0 && line !== before,
  );
}

async function showWorklist(workbench: Workbench): Promise<void> {
  // A young window may not have the view yet: asked again, as anybody would.
  const isShown = async (): Promise<boolean> => {
    await workbench.command('Treelens: Focus on Worklist View');
    return appears(rows(workbench).first(), 10_000);
  };
  await eventually(isShown, (shown) => shown);
}

describe('the worklist', () => {
  let workbench: Workbench;

  before(async () => {
    const { gold: goldText, system: systemText } = corpus(size);
    workbench = await Workbench.shared({
      files: {
        'treelens.toml': config,
        [gold]: goldText,
        [system]: systemText,
        [goldTable]: table(2),
        [systemTable]: table(1),
        'alone.conllu': table(2),
      },
    });
  });

  describe('of tables', () => {
    afterEach(async function () {
      await workbench.screenshot(`worklist tables ${this.currentTest?.title ?? ''}`);
    });

    it('says what to do while there is nothing to list', async () => {
      // The extension's view is there: so are its commands.
      await workbench.page.locator('.activitybar [aria-label*="Treelens"]').first().waitFor();
      await workbench.command('Treelens: Focus on Worklist View');
      await workbench.page.getByText('Open a treebank file').waitFor();
    });

    it('writes states as comments; one undo takes them back', async () => {
      const { page } = workbench;
      await workbench.command('View: Show Explorer');
      await workbench.openFile(systemTable);
      await expectText(status(workbench), /0 of 3 checked/);
      await workbench.command('Treelens: Focus on Worklist View');
      await eventually(
        () => texts(workbench),
        (found) => found.length === 3 && (found[0] ?? '').includes('hens-2'),
      );
      await workbench.editor(systemTable).focus();
      await page.keyboard.press('Control+Alt+Home');
      await eventually(
        () => cursorLine(workbench),
        (line) => line === 9,
      );
      await page.keyboard.press('Control+Alt+Enter');
      await workbench.editor(systemTable).line('# treelens_review = checked').first().waitFor();
      await expectText(status(workbench), /1 of 3 checked/);
      await workbench.screenshot('worklist comment');
      await page.keyboard.press('Control+z');
      await workbench
        .editor(systemTable)
        .line('# treelens_review = checked')
        .first()
        .waitFor({ state: 'detached' });
      await expectText(status(workbench), /0 of 3 checked/);
    });

    it('speaks of no other pair than that of the file in front, unless one is chosen', async () => {
      await workbench.command('View: Show Explorer');
      await workbench.openFile('treelens.toml');
      await status(workbench).waitFor({ state: 'hidden' });
      await workbench.openFile('alone.conllu');
      await expectText(workbench.statusItem(), /Not paired/);
      await workbench.command('Treelens: Focus on Worklist View');
      await workbench.page.getByText('This file is not compared').waitFor();
      assert.equal(await status(workbench).isVisible(), false);
      await workbench.command('Treelens: Choose Pair for Worklist…');
      await workbench.pick(systemTable);
      await expectText(status(workbench), /0 of 3 checked/);
    });
  });

  describe('of trees', () => {
    let review: string;

    before(async () => {
      await workbench.command('View: Show Explorer');
      await workbench.openPair([gold, system]);
      review = path.join(workbench.folder, `${system}.review`);
      await expectText(status(workbench), /0 of 5,000 checked/);
    });

    afterEach(async function () {
      await workbench.screenshot(`worklist ${this.currentTest?.title ?? ''}`);
    });

    let first = 0;
    let second = 0;

    it('lists the worst sentences first', async () => {
      await showWorklist(workbench);
      const lines = await eventually(
        () => texts(workbench),
        (found) => found.length > 10,
      );
      const values = scores(lines);
      assert.deepEqual(
        values,
        [...values].sort((a, b) => a - b),
      );
      assert.ok((values[0] ?? 100) < 70, 'the first one is bad');
    });

    it('goes to the worst one, has it mended and ticked off, and goes to the next', async () => {
      const { page } = workbench;
      await workbench.editor(system).focus();
      await page.keyboard.press('Control+Alt+Home');
      first = await eventually(
        () => cursorLine(workbench),
        (line) => line > 1,
      );
      await rows(workbench).and(page.locator('.selected')).first().waitFor();
      await workbench.screenshot('worklist worst');
      await page.keyboard.press('Control+Alt+g');
      await eventually(
        async () => (await texts(workbench))[0],
        (line) => line !== undefined && !line.includes(` ${first} `),
      );
      await page.keyboard.press('Control+Alt+Enter');
      second = await moved(workbench, first);
      await expectText(status(workbench), /1 of 5,000 checked/);
      const written = await eventually(
        () => Promise.resolve(existsSync(review) ? readFileSync(review, 'utf8') : ''),
        (text) => text.includes('checked\t'),
      );
      const sentence = readFileSync(path.join(workbench.folder, gold), 'utf8').split('\n')[
        first - 1
      ];
      const words = [...(sentence ?? '').matchAll(/ ([^\s()]+)\)/g)].map(([, word]) => word);
      assert.ok(written.includes(`\t${words.join(' ')}\t`), written);
      assert.equal(await page.locator('.tab').count(), 2, 'nothing else has opened');
    });

    it('asks a question with a note, which stands above the sentence', async () => {
      const { page } = workbench;
      await page.keyboard.press('Control+Alt+q');
      await workbench.answer('attached to the noun?');
      await eventually(
        () => workbench.editor(system).lensTexts(),
        (found) => found.some((text) => text.includes('? attached to the noun?')),
      );
      assert.match(readFileSync(review, 'utf8'), /question\t.*\tattached to the noun\?\n/);
    });

    it('goes on with the next one and back', async () => {
      const { page } = workbench;
      await page.keyboard.press('Control+Alt+PageDown');
      const third = await moved(workbench, second);
      await page.keyboard.press('Control+Alt+PageDown');
      await moved(workbench, third);
      await page.keyboard.press('Control+Alt+PageUp');
      await eventually(
        () => cursorLine(workbench),
        (line) => line === third,
      );
    });

    it('says of a checked sentence that it has changed since', async () => {
      const { page } = workbench;
      const before = await cursorLine(workbench);
      await page.keyboard.press('Control+Alt+Enter');
      await moved(workbench, before);
      await expectText(status(workbench), /2 of 5,000 checked/);
      await page.keyboard.press('Control+g');
      await page.keyboard.type(String(first));
      await page.keyboard.press('Enter');
      await eventually(
        () => cursorLine(workbench),
        (line) => line === first,
      );
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.type('X');
      await expectText(status(workbench), /1 of 5,000 checked/);
      await eventually(
        () => workbench.editor(system).lensTexts(),
        (found) => found.some((text) => text.includes('changed since it was checked')),
      );
      await workbench.screenshot('worklist changed');
      await page.keyboard.press('Control+z');
      await expectText(status(workbench), /2 of 5,000 checked/);
    });

    it('groups by label pair and by error class', async () => {
      for (const [choice, expected] of [
        ['By label pair', /NP→ADJP.*sentences/],
        ['By error class', /Different Label.*sentences/],
      ] as const) {
        await workbench.command('Treelens: Sort and Group Worklist…');
        await workbench.pick(choice);
        await eventually(
          () => texts(workbench),
          (found) => found.some((text) => expected.test(text)) && !/^\d/.test(found[0] ?? '0'),
        );
        await workbench.screenshot(`worklist ${choice}`);
      }
      await rows(workbench).first().click();
      await eventually(
        () => texts(workbench),
        (found) => found.some((text) => /^\d+\.\d\d/.test(text)),
      );
      await workbench.screenshot('worklist group open');
      await workbench.command('Treelens: Sort and Group Worklist…');
      await workbench.pick('No groups');
      await eventually(
        () => texts(workbench),
        (found) => /^\d+\.\d\d/.test(found[0] ?? ''),
      );
    });

    it('filters while it is typed', async () => {
      const { page } = workbench;
      await workbench.command('Treelens: Filter Worklist…');
      const input = page.locator('.quick-input-widget input[type="text"]').first();
      await input.waitFor();
      await input.fill('is:question');
      await eventually(
        () => texts(workbench),
        (found) => found.length === 1,
      );
      await workbench.screenshot('worklist filter');
      await input.fill('errors:2 מורה');
      await eventually(
        () => texts(workbench),
        (found) => found.length > 1 && found.every((text) => errors(text) >= 2),
      );
      await input.fill('nothing like this');
      await page.getByText('No sentence is like that.').waitFor();
      await page.keyboard.press('Escape');
      await eventually(
        () => texts(workbench),
        (found) => found.length > 10,
      );
    });

    it('takes a state back, from the list', async () => {
      const { page } = workbench;
      await workbench.command('Treelens: Sort and Group Worklist…');
      await workbench.pick('By review state');
      const group = rows(workbench).filter({ hasText: 'In Question' });
      await group.click();
      const question = rows(workbench)
        .filter({ hasText: /^\d+\.\d\d/ })
        .first();
      // A click opens it, and selects it for what is done in the list.
      await question.click();
      await workbench.editor(system).root.locator('.monaco-editor.focused').waitFor();
      await eventually(
        () => cursorLine(workbench),
        (line) => line === second,
      );
      await workbench.command('Treelens: Focus on Worklist View');
      await page.locator('.customview-tree .monaco-list:focus').waitFor();
      await page.keyboard.press('Control+Alt+Backspace');
      await group.waitFor({ state: 'detached' });
      await eventually(
        () => Promise.resolve(readFileSync(review, 'utf8')),
        (text) => !text.includes('question\t'),
      );
    });

    // VS Code keeps it for the folder.
    after(async () => {
      await workbench.command('Treelens: Sort and Group Worklist…');
      await workbench.pick('No groups');
    });

    it('is as readable in the dark', async () => {
      await workbench.darken();
      await rows(workbench).first().waitFor();
    });
  });
});
