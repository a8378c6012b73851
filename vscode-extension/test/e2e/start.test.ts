// The first five minutes: what somebody sees who has never seen Treelens, and where things go wrong.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { appears, eventually, expectText, Workbench } from '../workbench';

const gold = '(S (NP (N we)) (VP (V see) (NP (D the) (N sea))))\n';
const system = '(S (NP (N we)) (VP (V see) (D the) (N sea)))\n';

describe('the first five minutes', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await Workbench.open({ files: { 'notes.txt': 'Nothing yet.\n' } });
  });

  after(() => workbench.close());

  // (A click on its tab may show all walkthroughs that there are, and of ours the steps as they were.)
  const getStarted = (): Promise<void> => workbench.command('Treelens: Get Started');

  it('lead through a walkthrough, with an example', async () => {
    const { page } = workbench;
    await getStarted();
    const steps = page.locator('.getting-started-step');
    await steps.filter({ hasText: 'Open a pair' }).waitFor();
    assert.equal(await steps.count(), 7);
    await workbench.screenshot('walkthrough server');
    for (const [title, picture] of [
      ['Read the marks', 'marks'],
      ['See the tree', 'tree'],
      ['Work through the list', 'worklist'],
      ['Open a pair', 'pair'],
    ] as const) {
      await steps.filter({ hasText: title }).locator('.step-title').click();
      await steps.filter({ hasText: title }).and(page.locator('.expanded')).waitFor();
      await workbench.screenshot(`walkthrough ${picture}`);
    }
    const press = async (title: string, name: string): Promise<void> => {
      const step = steps.filter({ hasText: title });
      await step.locator('.step-title').click();
      await step.getByRole('button', { name }).click();
    };
    await press('Read the marks', 'Next Mismatch');
    const notification = page.locator('.notifications-toasts');
    await expectText(notification, /No treebank file is in view/);
    await notification.getByRole('button', { name: 'Open Example' }).click();
    await workbench.editor('garden.gold.mrg').root.waitFor();
    await workbench.editor('garden.system.mrg').root.waitFor();
    await expectText(workbench.statusItem(), /F1 90\.45/);
    await workbench.screenshot('walkthrough example');
    // Beside the walkthrough, which has the focus.
    const editor = workbench.editor('garden.system.mrg');
    await editor.lenses().first().waitFor();
    await workbench.editor('garden.gold.mrg').focus();
    await getStarted();
    await press('Read the marks', 'Next Mismatch');
    await editor.root.locator('.selected-text').first().waitFor();
  });

  it('tick off what was done, also by keys and in the menu of actions', async () => {
    const { page } = workbench;
    const editor = workbench.editor('garden.system.mrg');
    await editor.lenses().first().waitFor();
    await editor.focus();
    await page.keyboard.press('Control+Alt+.');
    await workbench.cursor().filter({ hasText: 'selected' }).waitFor();
    await workbench.act(/^Take gold/);
    await page.locator('.action-widget').first().waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+Alt+p');
    await page.locator('.tab').filter({ hasText: /^Tree/ }).waitFor();
    await editor.focus();
    const before = await workbench.cursor().innerText();
    await page.keyboard.press('Control+Alt+Home');
    // What shows the worst sentence comes with an answer, and would come before the walkthrough.
    await eventually(
      () => workbench.cursor().innerText(),
      (now) => now !== before,
    );
    await getStarted();
    const done = page.locator('.getting-started-step .codicon.complete');
    // (All but that on the command line.)
    await eventually(
      () => done.count(),
      (count) => count === 6,
    );
    await workbench.screenshot('walkthrough done');
  });

  describe('a corpus of which nothing is open', () => {
    before(async () => {
      // The walkthrough that was asked for may be there before it has the focus, and then take it.
      const did = (command: string, sign: Locator, state?: 'detached'): Promise<boolean> =>
        eventually(
          async () => {
            await workbench.editor('garden.system.mrg').focus();
            await workbench.command(command);
            return appears(sign.first(), 5000, state);
          },
          (done) => done,
        );
      await did('File: Revert File', workbench.page.locator('.tab.dirty'), 'detached');
      // The example is no part of it.
      await did('Treelens: Unpair', workbench.statusItem().filter({ hasText: 'Not paired' }));
      await workbench.command('View: Close All Editors');
      const folder = path.join(workbench.folder, 'corpus');
      mkdirSync(folder);
      for (let at = 10; at < 40; at++) {
        writeFileSync(path.join(folder, `${at}.gold.mrg`), gold.repeat(200));
        const other = at % 10 === 0 ? system + gold.repeat(199) : gold.repeat(200);
        writeFileSync(path.join(folder, `${at}.system.mrg`), other);
      }
    });

    it('is not told of in Problems once a file of it is closed', async () => {
      const { page } = workbench;
      const total = page.locator('.statusbar-item[id="status.problems"] a');
      const says = async (words: RegExp): Promise<void> => {
        const label = (): Promise<string | null> => total.getAttribute('aria-label');
        await eventually(label, (found) => words.test(found ?? ''));
      };
      await page.getByRole('treeitem', { name: 'corpus' }).click();
      await workbench.openFile('10.system.mrg');
      await says(/Warnings: [1-9]/);
      await workbench.command('View: Close All Editors');
      await says(/No Problems/);
    });

    it('is checked by a command, and Problems lists what is wrong', async () => {
      const { page } = workbench;
      // The extension's view is there: so are its commands.
      await page.locator('.activitybar [aria-label*="Treelens"]').first().waitFor();
      await workbench.command('Treelens: Check Whole Corpus');
      const notification = page.locator('.notifications-toasts');
      await expectText(notification, /30 pairs checked: 3 sentences with mismatches/);
      await workbench.screenshot('corpus checked');
      await notification.getByText('Show Problems', { exact: true }).click();
      const problems = page.locator('.markers-panel');
      await expectText(problems, /20\.system\.mrg/);
      await expectText(problems, /gold has NP over “the sea”, missing here/);
      await workbench.screenshot('corpus problems');
    });
  });
});

describe('in a folder that nobody has declared to be trusted', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await Workbench.open({
      files: {
        'x.gold.mrg': gold,
        'x.system.mrg': system,
        '.vscode/settings.json': '{ "treelens.server.path": "/nowhere/of/the/folder" }',
      },
      settings: {
        'security.workspace.trust.enabled': true,
        'security.workspace.trust.startupPrompt': 'never',
      },
    });
  });

  after(() => workbench.close());

  it("starts the user's server and none of the folder's", async () => {
    const { page } = workbench;
    await workbench.openFile('x.gold.mrg');
    await page.getByText('Restricted Mode').first().waitFor();
    await expectText(workbench.statusItem(), /F1 85\.71/);
    await workbench.screenshot('restricted mode');
    assert.equal(await page.getByText('/nowhere/of/the/folder').count(), 0);
  });
});
