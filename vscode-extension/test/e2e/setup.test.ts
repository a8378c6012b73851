import { expectText, patience, Workbench } from '../workbench';

const sentence = '(S (NP (PRP it)) (VP (VBZ rains)))\n';

describe('without any server', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await Workbench.open({
      files: { 'x.gold.mrg': sentence, 'x.system.mrg': sentence },
      settings: { 'treelens.server.path': '' },
    });
  });

  after(() => workbench.close());

  afterEach(() => workbench.screenshot('setup ended'));

  it('sets up its own from the package in the extension, after one click', async function () {
    // numpy and others are fetched and unpacked: that takes as long as it takes.
    this.timeout(10 * patience);
    await workbench.openFile('x.gold.mrg');
    const notification = workbench.page.locator('.notifications-toasts');
    await expectText(notification, /needs its server/);
    await workbench.screenshot('setup offered');
    await notification.getByText('Set Up', { exact: true }).click();
    await expectText(workbench.statusItem(), /F1 100/, 5 * patience);
    await workbench.screenshot('setup done');
  });
});

describe('with a server set that does not exist', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await Workbench.open({
      files: { 'x.gold.mrg': sentence },
      settings: { 'treelens.server.path': '/nowhere/treelens' },
    });
  });

  after(() => workbench.close());

  it('says so, and starts no other', async () => {
    await workbench.openFile('x.gold.mrg');
    await expectText(
      workbench.page.locator('.notifications-toasts'),
      /\/nowhere\/treelens, which does not exist/,
    );
    await workbench.statusItem().locator('.codicon-warning').waitFor();
  });

  it('says so again of what wants one', async () => {
    await workbench.command('Notifications: Clear All Notifications');
    await workbench.command('Treelens: Open Pair Side by Side');
    await expectText(
      workbench.page.locator('.notifications-toasts'),
      /\/nowhere\/treelens, which does not exist/,
    );
  });
});
