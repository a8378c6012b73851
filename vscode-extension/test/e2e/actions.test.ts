// From a mismatch to none by keys alone: the light bulb's menu, its effect on both files, one undo.
import assert from 'node:assert/strict';
import { restored, settled, withExamplePair, type Workbench } from '../workbench';

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
});
