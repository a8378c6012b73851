// Three files in three columns: how far two annotators agree, what is open between them, and the way
// through it by keys alone, for brackets and for tables. One walk through one window, and so longer
// than other files are.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { appears, eventually, expectText, Workbench, root } from '../workbench';

function example(name: string): string {
  return readFileSync(path.join(root, 'examples', name), 'utf8');
}

function rule(ending: string): string {
  const patterns = { first: 'anna', second: 'boris', adjudicated: 'gold' };
  const lines = Object.entries(patterns).map(([key, who]) => `${key} = "*.${who}.${ending}"`);
  return `[[adjudication]]\n${lines.join('\n')}\n`;
}

/** Two sentences with these relations. */
function sea(second: string, third: string, last: string): string {
  const row = (id: number, form: string, head: number, relation: string): string =>
    [id, form, '_', 'X', '_', '_', head, relation, '_', '_'].join('\t');
  const first = [row(1, 'see', 0, 'root'), row(2, 'boats', 1, second), row(3, 'there', 1, third)];
  return [...first, '', row(1, 'so', 2, last), row(2, 'blue', 0, 'root'), '', ''].join('\n');
}

/** Five sentences of two words, the second of them with this relation. */
function pond(relation: string): string {
  const rows = ['frogs\t_\tX\t_\t_\t0\troot', `sing\t_\tX\t_\t_\t1\t${relation}`];
  return `${rows.map((row, at) => `${at + 1}\t${row}\t_\t_\n`).join('')}\n`.repeat(5);
}

/** How many disagreements the status bar says are open. */
async function open(workbench: Workbench): Promise<number> {
  const text = await workbench.statusItem().innerText();
  return Number(/(\d+)\s+open/u.exec(text)?.[1] ?? NaN);
}

async function opens(workbench: Workbench, count: number): Promise<void> {
  await eventually(
    () => open(workbench),
    (now) => now === count,
  );
}

/** How many are open once there are fewer, or after a while. */
async function falls(workbench: Workbench, before: number): Promise<number> {
  const text = workbench.statusItem().filter({ hasNotText: `· ${before} open` });
  await appears(text, 3000);
  return open(workbench);
}

/** The three of them side by side, from the first annotator's file. */
async function begin(workbench: Workbench, names: string[], first: string): Promise<void> {
  await workbench.openFile(first);
  // (Where nothing is known of the adjudication yet, it would be asked which one is meant.)
  await expectText(workbench.statusItem(), /anna\/boris.* open/);
  await workbench.command('Treelens: Adjudicate…');
  await areBeside(workbench, names);
}

async function areBeside(workbench: Workbench, names: readonly string[]): Promise<void> {
  for (const name of names) await workbench.editor(name).squiggles().first().waitFor();
  await workbench.page
    .locator('.editor-group-container.active .tab.active', { hasText: names[1] ?? '' })
    .waitFor();
  assert.equal(await workbench.page.locator('.editor-group-container').count(), 3);
  assert.equal(await workbench.page.locator('.tab').count(), 3);
}

async function goToNext(workbench: Workbench): Promise<string> {
  const before = await workbench.cursor().innerText();
  await workbench.page.keyboard.press('Control+Alt+.');
  return eventually(
    () => workbench.cursor().innerText(),
    (now) => now !== before && now.includes('selected'),
  );
}

describe('adjudicating', () => {
  let workbench: Workbench;
  const brackets = ['garden.anna.mrg', 'garden.gold.mrg', 'garden.boris.mrg'] as const;

  before(async () => {
    workbench = await Workbench.shared({
      files: {
        'garden.anna.mrg': example('garden.gold.mrg'),
        'garden.boris.mrg': example('garden.system.mrg'),
        'garden.gold.mrg': example('garden.gold.mrg'),
        'marche.anna.conllu': example('marche.gold.conllu'),
        'marche.boris.conllu': example('marche.system.conllu'),
        'sea.anna.conllu': sea('dobj', 'obl', 'amod'),
        'sea.boris.conllu': sea('obj', 'nmod', 'parataxis'),
        'sea.gold.conllu': sea('dobj', 'obl', 'amod'),
        'pond.anna.conllu': pond('acl'),
        'pond.boris.conllu': pond('dep'),
        'pond.gold.conllu': pond('acl'),
        'treelens.toml': rule('mrg') + rule('conllu'),
      },
      size: { width: 1800, height: 1000 },
    });
  });

  afterEach(async function () {
    await workbench.screenshot(`adjudicate ${this.currentTest?.title ?? ''}`);
  });

  describe('of brackets', () => {
    const [anna, gold, boris] = brackets;

    it('are proposed as the workspace is configured, and stand in three columns', async () => {
      // The extension's view is there: so are its commands.
      await workbench.page.locator('.activitybar [aria-label*="Treelens"]').first().waitFor();
      await workbench.command('Treelens: Adjudicate…');
      await workbench.page.locator('.quick-input-list').getByText('Choose Other Files…').waitFor();
      await workbench.screenshot('adjudicate proposed');
      await workbench.pick(`${anna} ↔ ${boris}`, anna);
      await areBeside(workbench, [anna, gold, boris]);
    });

    it('show the agreement and what is open', async () => {
      await expectText(workbench.statusItem(), /anna\/boris F1 90\.45 · κ 0\.97 · 47 open/);
      const lenses = await eventually(
        () => workbench.editor(gold).lensTexts(),
        (texts) => texts.length > 4 && texts.some((text) => text.includes('open')),
      );
      assert.match(lenses[0] ?? '', /anna and boris agree/);
      assert.match(lenses[1] ?? '', /1 open/);
      await workbench.editor(gold).squiggles().first().waitFor();
      // There is no room for names behind rows; they stand above the sentences.
      const notes = await eventually(
        () => workbench.editor(gold).notes(),
        (found) => found.length > 2,
      );
      assert.ok(notes.includes('b: VBD≠VBN'), notes.join());
    });

    it('takes the second’s by key, and takes it back in one step', async () => {
      await workbench.editor(gold).cursorAfter('(NN neighbour)');
      await goToNext(workbench);
      await workbench.page.keyboard.press('Control+Alt+2');
      await opens(workbench, 46);
      await expectText(workbench.editor(gold).lenses(), /settled/);
      await workbench.screenshot('adjudicate taken');
      await workbench.page.keyboard.press('Control+z');
      await opens(workbench, 47);
    });

    it('offers either annotator’s in the menu', async () => {
      const { page } = workbench;
      await workbench.editor(gold).cursorAfter('( (S (SBAR');
      const menu = await workbench.actions('Take boris’s label PP');
      await menu.getByText('Take boris’s label at every SBAR-TMP → PP in this file').waitFor();
      await menu.getByText('Take all of boris’s in this sentence').waitFor();
      await menu.getByText('Keep this sentence as it is').waitFor();
      await workbench.screenshot('adjudicate menu');
      await page.keyboard.press('Enter');
      await workbench.editor(gold).line('(PP (IN Before)').first().waitFor();
      await opens(workbench, 46);
      // Settled for the second: the first's is what can be taken now.
      await page.keyboard.press('Control+Alt+1');
      await workbench.editor(gold).line('(SBAR-TMP (IN Before)').first().waitFor();
      await opens(workbench, 47);
    });

    it('keeps a sentence as it is: the first is right, and nothing in it is open', async () => {
      await workbench.editor(gold).cursorAfter('(NN neighbour)');
      await goToNext(workbench);
      await workbench.page.keyboard.press('Control+Alt+0');
      await workbench.screenshot('adjudicate keep');
      await opens(workbench, 46);
      await expectText(workbench.editor(gold).lenses(), /checked/);
      const review = path.join(workbench.folder, `${gold}.review`);
      // (It is shown as soon as it is there, and saved then.)
      await eventually(
        () => Promise.resolve(readFileSync(review, 'utf8')),
        (text) => /^checked\t/m.test(text),
      );
      assert.doesNotMatch(readFileSync(path.join(workbench.folder, gold), 'utf8'), /checked/);
    });

    it('counts live while an annotator types, and an adjudicator', async () => {
      const { page } = workbench;
      const before = await open(workbench);
      // The second annotator comes to agree with the first.
      await workbench.editor(boris).cursorAfter('( (S (PP');
      for (let step = 0; step < 2; step++) await page.keyboard.press('Backspace');
      await page.keyboard.type('SBAR-TMP');
      await opens(workbench, before - 1);
      // What was typed may be several undo steps.
      await eventually(
        async () => {
          if ((await open(workbench)) !== before) await page.keyboard.press('Control+z');
          return open(workbench);
        },
        (now) => now === before,
      );
    });
  });

  describe('of a file that is compared with its last commit', () => {
    const [anna, gold, boris] = ['garden.anna.mrg', 'garden.gold.mrg', 'garden.boris.mrg'];
    const git = (...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...args], {
        cwd: workbench.folder,
        encoding: 'utf8',
      });

    it('is quiet there until that is closed', async () => {
      git('init', '--quiet');
      git('add', gold);
      git('commit', '--quiet', '-m', 'Begin');
      await workbench.editor(gold).focus();
      await workbench.command('Treelens: Compare with Last Commit');
      await expectText(workbench.statusItem(), /^\s*F1 100\.00/);
      const lenses = await eventually(
        () => workbench.editor(gold).lensTexts(),
        (texts) => texts.length > 4 && texts.every((text) => text.includes('last commit')),
      );
      assert.doesNotMatch(lenses.join(), /open|settled|boris/);
      await eventually(
        () => workbench.editor(gold).squiggles().count(),
        (count) => count === 0,
      );
      await workbench.screenshot('adjudicate beside the last commit');
      // Elsewhere it goes on.
      await workbench.editor(anna).focus();
      await expectText(workbench.statusItem(), /anna\/boris/);
      const tab = workbench.page.locator('.tab').filter({ hasText: `${gold} (Last Commit)` });
      await tab.click({ button: 'middle' });
      await workbench.editor(gold).focus();
      await expectText(workbench.statusItem(), /anna\/boris F1 .* open/);
      await expectText(workbench.editor(gold).lenses(), /open/);
      await workbench.editor(gold).squiggles().first().waitFor();
      await workbench.editor(boris).squiggles().first().waitFor();
    });
  });

  describe('by keys alone', () => {
    const gold = 'garden.gold.mrg';

    it('has what was said of several sentences by keys on disk, and in no tab', async () => {
      const { page } = workbench;
      const review = path.join(workbench.folder, `${gold}.review`);
      const checked = (): number => readFileSync(review, 'utf8').match(/^checked\t/gm)?.length ?? 0;
      const before = await open(workbench);
      await workbench.editor(gold).focus();
      await page.keyboard.press('Control+Home');
      for (const key of ['1', '0', '1']) {
        await goToNext(workbench);
        await page.keyboard.press(`Control+Alt+${key}`);
      }
      // The last two, as fast as can be.
      await page.keyboard.press('Control+Alt+.');
      await page.keyboard.press('Control+Alt+0');
      await page.keyboard.press('Control+Alt+.');
      await page.keyboard.press('Control+Alt+0');
      await eventually(
        () => Promise.resolve(checked()),
        (count) => count > 3,
      );
      const lenses = workbench.editor(gold).lenses();
      await expectText(lenses, /checked/);
      assert.ok((await open(workbench)) < before);
      // (One that VS Code opens for what is written goes again.)
      await page.waitForTimeout(1500);
      await eventually(
        () => page.locator('.tab').count(),
        (count) => count === 3,
      );
      await workbench.screenshot('adjudicate by keys');
    });
  });

  describe('of tables', () => {
    const [anna, gold, boris] = ['marche.anna.conllu', 'marche.gold.conllu', 'marche.boris.conllu'];

    it('creates the adjudicated table as a copy of the first’s, on request', async () => {
      const { page } = workbench;
      const creates = async (file: string): Promise<void> => {
        await page.locator('.quick-input-list').getByText('As a copy of the first').waitFor();
        await workbench.screenshot('adjudicate create');
        await workbench.pick('Create…', 'Create');
        const input = page.locator('.quick-input-widget input[type="text"]').first();
        await eventually(
          () => input.inputValue(),
          (value) => value === file,
        );
      };
      await workbench.openFile(anna);
      await expectText(workbench.statusItem(), /anna\/boris LAS/);
      await workbench.command('Treelens: Adjudicate…');
      await workbench.pick('Choose Other Files…', 'Choose');
      await workbench.pick(boris, 'boris');
      await creates('marche.adjudicated.conllu');
      await page.keyboard.press('Escape');
      // What `treelens.toml` names, and is not there yet.
      await workbench.command('Treelens: Adjudicate…');
      await workbench.pick(`${anna} ↔ ${boris}`, anna);
      await creates(gold);
      await page.keyboard.press('Enter');
      await workbench.editor(gold).lenses().first().waitFor();
      await expectText(workbench.statusItem(), /anna\/boris LAS \d+\.\d\d · κ \d\.\d\d · \d+ open/);
      assert.equal(
        readFileSync(path.join(workbench.folder, gold), 'utf8'),
        example('marche.gold.conllu'),
      );
    });

    it('walks through what is open by keys until nothing is, and undo brings one back', async () => {
      const { page } = workbench;
      await workbench.editor(gold).focus();
      await page.keyboard.press('Control+Home');
      const all = await open(workbench);
      assert.ok(all > 3, `${all} are open`);
      await goToNext(workbench);
      await page.keyboard.press('Control+Alt+2');
      const fewer = await eventually(
        () => open(workbench),
        (now) => now < all,
      );
      await page.keyboard.press('Control+z');
      await opens(workbench, all);
      await page.keyboard.press('Control+Alt+2');
      await opens(workbench, fewer);
      await workbench.screenshot('adjudicate table taken');
      for (let left = fewer; left > 0;) {
        await goToNext(workbench);
        const before = left;
        // What is written above a sentence moves the cursor on: `goToNext` may have seen no more.
        left = await eventually(
          async () => {
            await page.keyboard.press('Control+Alt+0');
            return falls(workbench, before);
          },
          (now) => now < before,
        );
      }
      await expectText(workbench.statusItem(), /· 0 open/);
      await eventually(
        () => workbench.editor(gold).root.locator('.squiggly-warning').count(),
        (count) => count === 0,
      );
      // Above the sentences, where version control sees it.
      await workbench.editor(gold).line('# treelens_review = checked').first().waitFor();
      await page.keyboard.press('Control+z');
      await eventually(
        () => open(workbench),
        (now) => now > 0,
      );
    });

    it('ends with the second’s: what the first was right in before is kept', async () => {
      const { page } = workbench;
      const names = ['sea.anna.conllu', 'sea.gold.conllu', 'sea.boris.conllu'];
      const editor = workbench.editor('sea.gold.conllu');
      await workbench.command('File: Save All');
      await page.locator('.tab.dirty').first().waitFor({ state: 'detached' });
      await workbench.command('View: Close All Editors');
      await begin(workbench, names, 'sea.anna.conllu');
      await opens(workbench, 3);
      await editor.focus();
      await page.keyboard.press('Control+Home');
      await goToNext(workbench);
      await page.keyboard.press('Control+Alt+1');
      await expectText(editor.lenses(), /1 anna ✓ · boris: nmod/);
      // (It has gone on by itself.)
      await workbench.cursor().filter({ hasText: 'Ln 3,' }).waitFor();
      await page.keyboard.press('Control+Alt+2');
      await opens(workbench, 1);
      await expectText(editor.lenses(), /✓ checked/);
      await goToNext(workbench);
      await page.keyboard.press('Control+Alt+2');
      await opens(workbench, 0);
      await eventually(
        () => editor.squiggles().count(),
        (count) => count === 0,
      );
      await workbench.screenshot('adjudicate ended with the second’s');
      await page.keyboard.press('Control+s');
      // Until then half of it may be on disk, or none.
      await page.locator('.tab.dirty').first().waitFor({ state: 'detached' });
      const saved = readFileSync(path.join(workbench.folder, 'sea.gold.conllu'), 'utf8');
      const said = /^# treelens_review = checked .*\n/gm;
      assert.equal(saved.match(said)?.length, 1);
      assert.equal(saved.replaceAll(said, ''), sea('dobj', 'nmod', 'parataxis'));
    });

    it('goes on to what is open next, where a comment has moved that down', async () => {
      const { page } = workbench;
      const names = ['pond.anna.conllu', 'pond.gold.conllu', 'pond.boris.conllu'];
      await workbench.command('View: Close All Editors');
      await begin(workbench, names, 'pond.anna.conllu');
      await opens(workbench, 5);
      await workbench.editor('pond.gold.conllu').focus();
      await page.keyboard.press('Control+Home');
      await goToNext(workbench);
      for (let kept = 1; kept < 5; kept++) {
        await page.keyboard.press('Control+Alt+1');
        await opens(workbench, 5 - kept);
        // (Of four lines each by now, a comment, two words and an empty one.)
        await workbench
          .cursor()
          .filter({ hasText: `Ln ${4 * kept + 2}, Col 21 (3 selected)` })
          .waitFor();
      }
      await page.keyboard.press('Control+s');
    });
  });
});
