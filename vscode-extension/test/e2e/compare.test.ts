import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expectText, Workbench } from '../workbench';

const gold = '(S (NP (DT the) (NN kettle)) (VP (VBZ sings)))\n';
const files = {
  'a.mrg': '(S (NP (DT the) (NN kettle)) (VP (VBZ sings)))\n(S (NP (PRP it)) (VP (VBZ stops)))\n',
  'b.mrg': '(S (NP (DT the) (NN kettle)) (VP (VBZ sings)))\n(S (NP (PRP it)) (VX (VBZ stops)))\n',
  'notes.txt': 'nothing to see\n',
  'c.gold.mrg.gz': gzipSync(gold),
  'c.system.mrg': gold.replace('NP', 'XP'),
};

describe('Compare with…', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await Workbench.open({ files });
  });

  after(() => workbench.close());

  it('pairs two files that nothing else pairs, side by side', async () => {
    await workbench.openFile('a.mrg');
    await expectText(workbench.statusItem(), /Not paired/);
    await workbench.command('Treelens: Compare with…');
    const rows = workbench.page.locator('.quick-input-list .monaco-list-row');
    await rows.filter({ hasText: 'b.mrg' }).waitFor();
    assert.equal(await rows.filter({ hasText: 'notes.txt' }).count(), 0);
    await workbench.screenshot('compare choose');
    await workbench.pick('b.mrg');
    await workbench.pick('a.mrg');
    await workbench.editor('b.mrg').squiggles().first().waitFor();
    await workbench.editor('a.mrg').squiggles().first().waitFor();
    await expectText(workbench.statusItem(), /F1 \d/);
    assert.equal(await workbench.page.locator('.editor-group-container').count(), 2);
    await workbench.screenshot('compare paired');
  });

  it('lets go of the pair on Unpair', async () => {
    await workbench.command('Treelens: Unpair');
    await expectText(workbench.statusItem(), /Not paired/);
    await workbench.editor('a.mrg').squiggles().first().waitFor({ state: 'detached' });
  });

  it('shows what a packed file holds, compared with its partner, for nobody to change', async () => {
    const { page } = workbench;
    const name = 'c.gold.mrg.gz';
    await workbench.openFile(name);
    const editor = workbench.editor(name);
    await expectText(editor.lenses(), /F1 \d+.*1 label/);
    await editor.squiggles().first().waitFor();
    await expectText(workbench.statusItem(), /F1 \d/);
    await workbench.screenshot('compare packed');
    await editor.focus();
    await page.keyboard.type('x');
    await page.getByText('unpack it to change it').first().waitFor();
    await workbench.screenshot('compare packed refused');
    assert.equal(await editor.line('(NP (DT the)').count(), 1);
    // A program has written it anew: it is shown anew.
    writeFileSync(path.join(workbench.folder, name), gzipSync(gold.repeat(3)));
    await editor.line('kettle').nth(2).waitFor();
  });
});
