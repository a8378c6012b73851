// How marks look: told apart in every theme, pale or gone where F1 and LAS do not count them, and in one
// sentence only on request.
import assert from 'node:assert/strict';
import { eventually, expectText, withExamplePair, type Workbench } from '../workbench';

const gold = 'marks.gold.mrg';
const system = 'marks.system.mrg';
const sentence = (np: string): string =>
  `(S (${np} (DT The) (NN dog)) (VP (VBD saw) (NP (NP (DT the) (NN cat)) (PP (IN in) (NP (NN rain))))))\n`;
const flat =
  '(S (NP-OBJ (DT The) (NN dog)) (VP (VBD saw) (X (NP (DT the) (NN cat)) (IN in)) (NP (NN rain))))\n';

const long = ['long.gold.mrg', 'long.system.mrg'] as const;
const short = (label: string): string => `(S (${label} (N we)) (V see))\n`;
const wide = ['wide.gold.mrg', 'wide.system.mrg'] as const;
/** Of more rows than a window has, with this label at its end. */
const rows = (label: string): string => `(S ${'(NP (N w)) '.repeat(600)}(${label} (V w)))\n`;

describe('marks', () => {
  let workbench: Workbench;

  withExamplePair(
    [gold, system],
    'marks',
    (opened) => {
      workbench = opened;
    },
    {
      files: {
        [gold]: sentence('NP-SBJ').repeat(2) + sentence('NP-SBJ'),
        [system]: flat.repeat(2) + sentence('NP-OBJ'),
        [long[0]]: short('NP').repeat(600),
        [long[1]]: short('PP').repeat(600),
        [wide[0]]: short('NP') + rows('VP'),
        [wide[1]]: short('NP') + rows('XP'),
      },
      settings: { 'editor.wordWrap': 'on' },
    },
  );

  /** How many boxes a file has, by how they are drawn. */
  const boxes = (file: string): Promise<Record<string, number>> =>
    workbench.editor(file).root.evaluate((element) => {
      const found: Record<string, number> = {};
      for (const box of element.querySelectorAll('[class*="TextEditorDecorationType"]')) {
        const { borderTopStyle: style, borderTopWidth: width } = getComputedStyle(box);
        if (style !== 'none') found[`${width} ${style}`] = (found[`${width} ${style}`] ?? 0) + 1;
      }
      return found;
    });

  /** How many rows have a note behind them of what the other file has. */
  const notes = (file: string): Promise<number> =>
    workbench.editor(file).root.evaluate((element) => {
      const hasNote = (span: Element): boolean =>
        getComputedStyle(span, '::after').content.includes('≠');
      const rows = [...element.querySelectorAll('.view-line')];
      return rows.filter((row) => [...row.querySelectorAll('span')].some(hasNote)).length;
    });

  for (const theme of ['High Contrast', 'High Contrast Light', 'Dark+', 'Light+']) {
    it(`tell missing, extra and crossing apart in ${theme}`, async () => {
      await workbench.command('Preferences: Color Theme');
      const names: Record<string, string> = {
        'High Contrast': 'Dark High Contrast',
        'High Contrast Light': 'Light High Contrast',
      };
      await workbench.pick(names[theme] ?? theme);
      await workbench.editor(system).focus();
      await eventually(
        () => boxes(gold),
        (found) => (found['1px dashed'] ?? 0) > 0,
      );
      await eventually(
        () => boxes(system),
        (found) => (found['2px solid'] ?? 0) > 0,
      );
    });
  }

  it('are in the sentence at the cursor only, and in its counterpart, on request', async () => {
    await workbench.editor(system).focus();
    await workbench.goToLine(2);
    const all = await workbench.editor(system).squiggles().count();
    assert.ok(all > 0, 'there are marks');
    await workbench.command('Treelens: Mark Only the Sentence at the Cursor');
    const marked = (file: string): Promise<number> => workbench.editor(file).squiggles().count();
    const one = await eventually(
      () => marked(system),
      (count) => count > 0 && count < all,
    );
    const inGold = await marked(gold);
    assert.ok(inGold > 0, 'the counterpart is marked too');
    await eventually(
      () => notes(system),
      (count) => count === 1,
    );
    await expectText(workbench.statusItem(), /marks: this sentence only/);
    await workbench.screenshot('marks only this sentence');
    await workbench.goToLine(1);
    await eventually(
      () => marked(system),
      (count) => count === one,
    );
    await workbench.goToLine(3);
    await eventually(
      () => marked(system),
      (count) => count < one,
    );
    await workbench.command('Treelens: Mark All Sentences');
    await eventually(
      () => marked(system),
      (count) => count === all,
    );
    assert.doesNotMatch(await workbench.statusItem().innerText(), /only/);
  });

  it('of what F1 and LAS do not count are turned off and on from the score in the status bar', async () => {
    await workbench.editor(system).focus();
    await workbench.goToLine(3);
    const third = (): Promise<string> =>
      workbench
        .editor(system)
        .lensTexts()
        .then((texts) => texts.find((text) => text.includes('100.00')) ?? '');
    await eventually(third, (text) => text.includes('1 not counted: function tag'));
    await workbench.statusItem().click();
    await workbench.pick('Hide differences that F1 and LAS do not count');
    await eventually(third, (text) => text.includes('no mismatch'));
    await expectText(workbench.statusItem(), /counted only/);
    await workbench.statusItem().click();
    await workbench.pick('Show differences that F1 and LAS do not count');
    await eventually(third, (text) => text.includes('1 not counted: function tag'));
    assert.doesNotMatch(await workbench.statusItem().innerText(), /counted only/);
  });

  it('are shown when they are gone to, however far into a sentence', async () => {
    await workbench.openPair(wide);
    await workbench.editor(wide[1]).focus();
    await workbench.page.keyboard.press('Control+Alt+.');
    await expectText(workbench.cursor(), /^Ln 2, .*selected/);
    await workbench.editor(wide[0]).line('(VP').waitFor();
    await workbench.editor(wide[1]).line('(XP').waitFor();
  });

  describe('of a long file', () => {
    before(() => workbench.openPair(long));

    it('are all of them in view, and what Problems counts does not change with scrolling', async () => {
      const total = workbench.page.locator('.statusbar-item[id="status.problems"]');
      // 100 sentences of each file are listed, and one line says how many are not.
      await expectText(total, /^\s*0\s*200\s*2\s*$/);
      const marked = (file: string): Promise<number> =>
        workbench.editor(file).root.evaluate((element) => {
          const parts = [...element.querySelectorAll('[class*="TextEditorDecorationType"]')];
          return parts.filter((one) => getComputedStyle(one).textDecorationStyle === 'wavy').length;
        });
      const without = (file: string): Promise<number> =>
        workbench.editor(file).root.evaluate((element) => {
          const rows = [...element.querySelectorAll('.view-line')].filter((row) =>
            row.textContent.startsWith('(S'),
          );
          const isNoted = (part: Element): boolean =>
            getComputedStyle(part, '::after').content.includes('≠');
          return rows.filter((row) => ![...row.querySelectorAll('span')].some(isNoted)).length;
        });
      for (const line of [590, 400]) {
        await workbench.editor(long[1]).focus();
        await workbench.goToLine(line);
        for (const file of long) {
          await eventually(
            () => marked(file),
            (count) => count > 5,
          );
          // Nor is anything else drawn there.
          const { root } = workbench.editor(file);
          assert.equal(await root.locator('.squiggly-hint').count(), 0);
          const struck = await root
            .locator('.squiggly-inline-deprecated')
            .evaluateAll((all) =>
              all.filter((one) => getComputedStyle(one).textDecorationLine.includes('through')),
            );
          assert.equal(struck.length, 0);
        }
        // What the other file has stands behind every line, the last one too.
        await eventually(
          () => without(long[1]),
          (count) => count === 0,
        );
        await workbench.screenshot(`marks of a long file ${String(line)}`);
        assert.match(await total.innerText(), /^\s*0\s*200\s*2\s*$/);
      }
    });

    it('are gone to, and drawn, in the column in use where a file is open in two', async () => {
      const { page } = workbench;
      const groups = page.locator('.editor-group-container');
      const inGroups = (count: number): Promise<number> =>
        eventually(
          () => groups.count(),
          (found) => found === count,
        );
      const lines = (group: number): Promise<string[]> =>
        groups.nth(group).locator('.line-numbers').allInnerTexts();
      await workbench.editor(long[1]).focus();
      await workbench.goToLine(590);
      await page.keyboard.press('Control+\\');
      await inGroups(3);
      await workbench.goToLine(20);
      await page.keyboard.press('Control+Alt+.');
      await expectText(workbench.cursor(), /^Ln 2[01], .*selected/);
      await groups.nth(2).and(page.locator('.active')).waitFor();
      assert.ok(!(await lines(1)).includes('20'));
      // However far apart they are, both say what differs.
      for (const group of [groups.nth(1), groups.nth(2)]) {
        const wavy = (): Promise<number> =>
          group.locator('.squiggly-warning, [class*="TextEditorDecorationType"]').evaluateAll(
            // (What Problems lists VS Code underlines itself.)
            (parts) =>
              parts.filter(
                (one) =>
                  one.matches('.squiggly-warning') ||
                  getComputedStyle(one).textDecorationStyle === 'wavy',
              ).length,
          );
        for (const count of [wavy, () => group.locator('.codelens-decoration').count()]) {
          await eventually(count, (found) => found > 5);
        }
      }
      // Gold's wheel takes along the column in use, and leaves the other place of the file alone.
      await eventually(
        async () => {
          await workbench.editor(long[0]).wheel(5);
          return lines(2);
        },
        (numbers) => !numbers.includes('20'),
      );
      assert.ok((await lines(1)).includes('590'));
      await workbench.goToLine(20);
      // Without gold there is room for the tree below the two.
      await workbench.editor(long[0]).focus();
      await workbench.command('View: Close Editor');
      await inGroups(2);
      await page.keyboard.press('Control+2');
      await groups.nth(1).and(page.locator('.active')).waitFor();
      await page.keyboard.press('Control+Alt+p');
      await page.locator('.tab', { hasText: /^Tree 2[01]$/ }).waitFor();
      await workbench.screenshot('marks in two columns');
      await eventually(
        () => lines(1),
        (numbers) => numbers.includes('20'),
      );
      assert.ok(!(await lines(0)).includes('20'));
    });
  });
});
