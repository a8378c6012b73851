// A folder that configures nothing: files that belong together by choice or by their names, also
// packed ones; and morphological analyses, a row a morpheme: their numbers and marks, what stands
// behind a row though features are long, and a tag with its features taken by a key and back.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { faultsOf } from '../rows';
import { eventually, expectText, Workbench } from '../workbench';

const kettle = '(S (NP (DT the) (NN kettle)) (VP (VBZ sings)))\n';
const files = {
  'a.mrg': '(S (NP (DT the) (NN kettle)) (VP (VBZ sings)))\n(S (NP (PRP it)) (VP (VBZ stops)))\n',
  'b.mrg': '(S (NP (DT the) (NN kettle)) (VP (VBZ sings)))\n(S (NP (PRP it)) (VX (VBZ stops)))\n',
  'notes.txt': 'nothing to see\n',
  'trees.txt': '# What it is, is said by the line below.\n(S (X y))\n',
  'plain.txt': '(S (X y))\n',
  'c.gold.mrg.gz': gzipSync(kettle),
  'c.system.mrg': kettle.replace('NP', 'XP'),
  'd.gold.mrg': kettle,
  'long.mrg': kettle.repeat(400),
  'trace.mrg': '(S (NP-1 (NN it)) (VP (VB sings) (NP (-NONE- *-2))))\n',
  'd.system.conllu': '1\tit\t_\tPRON\t_\t_\t0\troot\t_\t_\n\n',
};

const [gold, system] = ['garden.gold.mapping', 'garden.system.mapping'];
const features = 'gen=M|num=S|per=3|tense=PAST|HebBinyan=PIEL|Polarity=Pos|Voice=Act|Style=High';

/** A gardener raised grain in the garden; another analysis of the verb and of “in the”. */
function rows(verb: string, inThe: string[]): string {
  const morphemes = [
    ['gnn', 'NN', 'gen=M|num=S', '1'],
    ['gidl', ...verb.split(' '), '2'],
    ['dgn', 'NN', 'gen=M|num=S', '3'],
    ...inThe.map((form) => [form, 'PREPOSITION', '_', '4']),
    ['gn', 'NN', 'gen=M|num=S', '4'],
  ];
  return morphemes
    .map(([form = '', tag = '', has = '', token = ''], at) =>
      [at, at + 1, form, form, tag, tag, has, token].join('\t'),
    )
    .join('\n')
    .concat('\n\n');
}

describe('without any configuration', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await Workbench.open({
      files: {
        ...files,
        [gold]: rows(`VB ${features}`, ['b', 'h']),
        [system]: rows('NN gen=M|num=P', ['bh']),
      },
      settings: { 'files.associations': { 'plain.txt': 'plaintext' } },
      size: { width: 1400, height: 800 },
    });
  });

  after(() => workbench.close());

  describe('Compare with…', () => {
    it('leads to Adjudicate… where neither of two files is gold', async () => {
      await workbench.openFile('a.mrg');
      await workbench.command('Treelens: Compare with…');
      await workbench.pick('b.mrg');
      await workbench.screenshot('compare neither');
      await workbench.pick('Neither: Adjudicate…');
      const asked = workbench.page.getByPlaceholder('In which file is it settled who is right?');
      await asked.waitFor();
      await workbench.page.keyboard.press('Escape');
      await asked.waitFor({ state: 'hidden' });
    });

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

    it('keeps the pair where the server has died and another one is started', async () => {
      assert.ok(workbench.killServer());
      await expectText(workbench.page.locator('.notifications-toasts'), /ended by itself/);
      await expectText(workbench.statusItem(), /F1 \d/);
      await workbench.editor('b.mrg').squiggles().first().waitFor();
      await workbench.editor('a.mrg').squiggles().first().waitFor();
      await workbench.screenshot('compare server died');
      await workbench.command('Notifications: Clear All Notifications');
    });

    it('lets go of the pair on Unpair', async () => {
      await workbench.command('Treelens: Unpair');
      await expectText(workbench.statusItem(), /Not paired/);
      await workbench.editor('a.mrg').squiggles().first().waitFor({ state: 'detached' });
    });

    it('ends the pair with its last tab, though VS Code keeps both files for minutes', async () => {
      await workbench.openFile('a.mrg');
      await workbench.command('Treelens: Compare with…');
      await workbench.pick('b.mrg');
      await workbench.pick('a.mrg');
      await expectText(workbench.statusItem(), /F1 \d/);
      await workbench.command('View: Close All Editors');
      await workbench.openFile('a.mrg');
      await expectText(workbench.statusItem(), /Not paired/);
    });

    it('offers as open what is in a tab, not what was closed', async () => {
      await workbench.command('View: Close All Editors');
      await workbench.openFile('a.mrg');
      await workbench.command('Treelens: Compare with…');
      const rows = workbench.page.locator('.quick-input-list .monaco-list-row');
      await rows.filter({ hasText: 'b.mrg' }).waitFor();
      assert.equal(await rows.filter({ hasText: 'open files' }).count(), 0);
      await workbench.page.keyboard.press('Escape');
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
      writeFileSync(path.join(workbench.folder, name), gzipSync(kettle.repeat(3)));
      await editor.line('kettle').nth(2).waitFor();
    });
  });

  it('knows trees in plain text by what is in it', async () => {
    await workbench.openFile('trees.txt');
    const language = workbench.page.locator('.statusbar-item[id="status.editor.mode"]');
    await expectText(language, /Penn Treebank/);
    await expectText(workbench.statusItem(), /Not paired/);
    // Its user knows better, by hand and in the settings. (Back in the first one, time has passed.)
    await workbench.command('Change Language Mode');
    await workbench.pick('Plain Text');
    await expectText(language, /Plain Text/);
    await workbench.openFile('plain.txt');
    await expectText(language, /Plain Text/);
    await workbench.openFile('trees.txt');
    await expectText(language, /Plain Text/);
  });

  it('says so where no other file belongs to one, as none does by its name to a table', async () => {
    await workbench.openFile('d.gold.mrg');
    await expectText(workbench.statusItem(), /Not paired/);
    await workbench.command('Treelens: Open Pair Side by Side');
    const notification = workbench.page.locator('.notifications-toasts');
    await expectText(notification, /This file is compared with no other\. Choose one/);
    await workbench.command('Notifications: Clear All Notifications');
  });

  describe('a pair of lattices', () => {
    before(() => workbench.openPair([gold, system]));

    afterEach(async function () {
      await workbench.screenshot(`lattices ${this.currentTest?.title ?? ''}`);
    });

    it('shows what differs above a sentence, in both files, and no score of which there is nothing', async () => {
      await expectText(workbench.statusItem(), /TedEval \d+\.\d+$/);
      for (const file of [gold, system]) {
        await workbench.editor(file).squiggles().first().waitFor();
        await expectText(
          workbench.editor(file).lenses(),
          /TedEval .* · 1 tag · 1 word · 1 not counted: morphology/,
        );
      }
    });

    it('has room behind rows for what the other file has, however long features are', async () => {
      const note = (row: Element): boolean =>
        [...row.querySelectorAll('span')].some((one) =>
          getComputedStyle(one, '::after').content.includes('≠NN'),
        );
      const row = workbench.editor(gold).line('gidl');
      await eventually(
        () => row.first().evaluate(note),
        (there) => there,
      );
      await eventually(
        () => faultsOf(workbench.editor(gold)),
        (found) => found.length === 0,
      );
    });

    it('takes a tag, then lemma, second tag and features, and takes them back', async () => {
      const { page } = workbench;
      const row = workbench.editor(system).line('gidl');
      const take = (title: RegExp): Promise<void> => workbench.act(title);
      await workbench.editor(system).cursorAfter('gidl\tgidl\tNN');
      await take(/^Take gold’s tag VB$/);
      await expectText(row, /VB.*NN.*num=P/);
      await expectText(
        workbench.editor(system).lenses(),
        /TedEval [\d.]+ · 1 word · 1 not counted/,
      );
      await workbench.editor(system).cursorAfter('gidl\tgidl\tVB\tNN');
      await take(/^Take gold’s morphology VB; gen=M/);
      await expectText(row, /VB.*VB.*Style=High/);
      await expectText(workbench.editor(system).lenses(), / · 1 word$/);
      await page.keyboard.press('Control+z');
      await expectText(row, /VB.*NN.*num=P/);
      await page.keyboard.press('Control+z');
      await expectText(workbench.editor(system).lenses(), /1 tag/);
    });

    it('goes to the words that are cut otherwise, and takes them', async () => {
      await workbench.editor(system).cursorAfter('dgn');
      await workbench.page.keyboard.press('Control+Alt+.');
      await expectText(workbench.cursor(), /Ln 4,.*selected/);
      await workbench.act(/Take gold’s words/);
      await workbench.editor(system).line('PREPOSITION').nth(1).waitFor();
      await eventually(
        () => workbench.editor(system).lensTexts(),
        (texts) => texts.length > 0 && !texts.some((text) => text.includes('words')),
      );
    });
  });

  it('says above a text where in it the cursor is, however far that is', async () => {
    await workbench.openFile('long.mrg');
    const crumbs = workbench.page.locator('.breadcrumbs-control');
    await expectText(crumbs, /\b1: the kettle sings/);
    for (const line of [390, 3, 200, 240]) {
      await workbench.goToLine(line);
      await expectText(crumbs, new RegExp(`\\b${line}: the kettle sings`, 'u'));
    }
    await workbench.screenshot('breadcrumbs far down');
  });

  it('takes an index back where it was changed, and nowhere else', async () => {
    await workbench.openFile('trace.mrg');
    const editor = workbench.editor('trace.mrg');
    const crumbs = workbench.page.locator('.breadcrumbs-control');
    await editor.cursorAfter('*-');
    await workbench.page.keyboard.press('Shift+ArrowRight');
    await workbench.page.keyboard.type('1');
    await expectText(crumbs, /it sings \*-1/);
    await workbench.page.keyboard.press('Control+z');
    await expectText(crumbs, /it sings \*-2/);
    await editor.line('(NP-1 (NN it))').waitFor();
  });
});
