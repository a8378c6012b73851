// From no server to one, in one window: a path that leads nowhere, no network, a Python of one's own,
// and the package in the extension.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { appears, eventually, expectText, patience, serverCommand, Workbench } from '../workbench';

const gold = '(S (NP (N we)) (VP (V see) (NP (D the) (N sea))))\n';
const system = '(S (NP (N we)) (VP (V see) (D the) (N sea)))\n';

describe('without a server', () => {
  let workbench: Workbench;
  let notification: Locator;

  before(async () => {
    workbench = await Workbench.open({
      files: { 'x.gold.mrg': gold, 'x.system.mrg': system },
      settings: { 'treelens.server.path': '/nowhere/treelens' },
    });
    notification = workbench.page.locator('.notifications-toasts');
  });

  after(() => workbench.close());

  afterEach(() => workbench.screenshot('setup ended'));

  it('a path that leads nowhere is said, and no other server is started', async () => {
    await workbench.openFile('x.gold.mrg');
    await expectText(notification, /\/nowhere\/treelens, which does not exist/);
    await workbench.statusItem().locator('.codicon-warning').waitFor();
  });

  it('that is said again of what wants one', async () => {
    await clear();
    await workbench.command('Treelens: Open Pair Side by Side');
    await expectText(notification, /\/nowhere\/treelens, which does not exist/);
  });

  it('one that never answers is not waited for where another is wanted', async () => {
    const silent = path.join(workbench.home, 'silent');
    writeFileSync(silent, '#!/bin/sh\nexec sleep 1000\n', { mode: 0o755 });
    await clear();
    workbench.set({ 'treelens.server.path': silent });
    await workbench.statusItem().locator('.codicon-loading').waitFor();
    workbench.set({ 'treelens.server.path': '/nowhere/treelens' });
    await expectText(notification, /\/nowhere\/treelens, which does not exist/);
    await workbench.statusItem().locator('.codicon-warning').waitFor();
    await workbench.screenshot('server silent');
  });

  it('and without network, it is said why none can be set up, and a Python that has it is taken', async function () {
    this.timeout(5 * patience);
    const pip = path.join(workbench.home, '.config', 'pip');
    mkdirSync(pip, { recursive: true });
    // An index that nobody answers for.
    const lines = ['[global]', 'index-url = http://127.0.0.1:9/simple', 'retries = 0', ''];
    writeFileSync(path.join(pip, 'pip.conf'), lines.join('\n'));
    await clear();
    await setUp();
    await expectText(notification, /come from PyPI, which could not be reached/, 2 * patience);
    await workbench.screenshot('server without network');
    rmSync(pip, { recursive: true });
    await notification.getByText('Choose Python…', { exact: true }).click();
    const input = workbench.page.locator('.quick-input-widget input[type="text"]').first();
    await input.fill(path.join(path.dirname(serverCommand), 'python'));
    await workbench.screenshot('server python chosen');
    await input.press('Enter');
    await expectText(workbench.statusItem(), /F1 85\.71/);
  });

  it('one is set up from the package in the extension, after one click', async function () {
    // numpy and others are fetched and unpacked: that takes as long as it takes.
    this.timeout(10 * patience);
    // (No Python is chosen any more, as the settings are written anew.)
    await setUp();
    await expectText(workbench.statusItem(), /F1 85\.71/, 5 * patience);
    await workbench.screenshot('setup done');
  });

  /** What was said before goes, so that what is said again is told from it. */
  async function clear(): Promise<void> {
    await workbench.command('Notifications: Clear All Notifications');
    await notification.locator('.notification-list-item').first().waitFor({ state: 'detached' });
  }

  /** Without a path to one. A busy machine may watch the settings only once they were written. */
  async function setUp(): Promise<void> {
    const offer = notification.getByText('needs its server').first();
    await eventually(
      async () => {
        workbench.set({});
        if (await appears(offer, 10_000)) return true;
        // (VS Code only lists what comes right behind several others: asked again, as anybody would.)
        await workbench.command('Treelens: Restart Server');
        return false;
      },
      (offered) => offered,
    );
    await workbench.statusItem().locator('.codicon-warning').waitFor();
    await workbench.screenshot('server offered');
    await notification.getByText('Set Up', { exact: true }).click();
  }
});
