// From a mismatch to none by keys alone: the light bulb's menu, its effect on both files, one undo.
import assert from 'node:assert/strict';
import { eventually, restored, settled, withExamplePair, type Workbench } from '../workbench';

const gold = 'garden.gold.mrg';
const system = 'garden.system.mrg';

describe('actions at a mismatch', () => {
  let workbench: Workbench;

  withExamplePair([gold, system], 'actions', (opened) => {
    workbench = opened;
  });

  it('takes the label of gold from the menu; one undo takes it back', async () => {
    const { page } = workbench;
    const before = await settled(workbench, [gold, system]);
    await workbench.editor(system).cursorAfter('( (S (PP');
    await workbench.actions('Take gold’s label SBAR-TMP');
    await workbench.screenshot('actions menu');
    await page.keyboard.press('Enter');
    await workbench.editor(system).line('(SBAR-TMP (IN Before)').first().waitFor();
    const after = await settled(workbench, [gold, system], before);
    for (const file of [gold, system]) {
      assert.ok((after.marks[file] ?? 0) < (before.marks[file] ?? 0), `marks in ${file}`);
    }
    await workbench.screenshot('actions label taken');
    await page.keyboard.press('Control+z');
    await restored(workbench, before);
  });

  it('takes all of a sentence by key; one undo takes it back', async () => {
    const { page } = workbench;
    await workbench.editor(system).cursorAfter('(NNS butterflies)');
    const before = await settled(workbench, [gold, system]);
    await page.keyboard.press('Control+Alt+g');
    await workbench.editor(system).line('(NP (NNS Bees))').first().waitFor();
    await settled(workbench, [gold, system], before);
    await page.keyboard.press('Control+z');
    await restored(workbench, before);
  });

  it('notes by key what is asked of a node, in both files, and takes it back', async () => {
    const { page } = workbench;
    const input = page.locator('.quick-input-widget input[type="text"]').first();
    const hover = page.locator('.monaco-editor .monaco-hover:not(.hidden)').first();
    const said = async (file: string, what: RegExp): Promise<void> => {
      await workbench.editor(file).focus();
      await eventually(
        async () => {
          await page.keyboard.press('Escape');
          await page.keyboard.press('Control+k');
          await page.keyboard.press('Control+i');
          await hover.waitFor();
          return hover.innerText();
        },
        (text) => what.test(text.replaceAll('\u00a0', ' ')),
      );
      await page.keyboard.press('Escape');
    };
    await workbench.editor(gold).cursorAfter('(SBAR-TMP');
    await workbench.editor(system).cursorAfter('( (S (PP');
    await page.keyboard.press('Control+Alt+Shift+q');
    await input.waitFor();
    await page.keyboard.type('not a clause?');
    await page.keyboard.press('Enter');
    await said(system, /note on PP .*: not a clause\?/);
    await workbench.screenshot('actions note');
    await said(gold, /garden\.system\.mrg: note on PP .*: not a clause\?/);
    await workbench.editor(system).focus();
    await page.keyboard.press('Control+Alt+Shift+q');
    await input.waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Enter');
    await said(gold, /^(?!.*not a clause)/s);
  });
});
