// The loop that must feel instant, as a user sees it: two files side by side, an edit in one, and
// the marks, numbers and total of both; and from a mismatch to none by keys alone: the light bulb's
// menu, its effect on both files, one undo.
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import {
  appears,
  eventually,
  expectText,
  restored,
  settled,
  withExamplePair,
  type Workbench,
} from '../workbench';

const gold = 'garden.gold.mrg';
const system = 'garden.system.mrg';

describe('a pair side by side', () => {
  let workbench: Workbench;

  withExamplePair([gold, system], 'pair', (opened) => {
    workbench = opened;
  });

  it('shows the score of the corpus, numbers above sentences and marks in both files', async () => {
    await expectText(workbench.statusItem(), /F1 \d+\.\d+/);
    for (const file of [gold, system]) {
      await workbench.editor(file).squiggles().first().waitFor();
      const numbers = await eventually(
        () => workbench.editor(file).lensTexts(),
        (texts) => texts.length > 5 && texts.every((text) => text.includes('F1')),
      );
      // What the example's first three sentences are: right, one bracket less, one more.
      assert.match(numbers[0] ?? '', /F1 100/);
      assert.match(numbers[1] ?? '', /F1 92\.31 .*1 missing/);
      assert.match(numbers[2] ?? '', /F1 92\.31 .*1 extra/);
    }
    await workbench.page.locator('.statusbar-item[id="status.problems"]').waitFor();
  });

  it('explains a mark, and says the numbers of a sentence, on hover', async () => {
    const editor = workbench.editor(system);
    await expectText(await editor.hover(editor.squiggles().first()), /gold has NP over/);
    await workbench.screenshot('pair hover mark');
    const sentence = editor.line('(JJ old)').locator('span span').first();
    await expectText(await editor.hover(sentence), /recall[^]*labelled\s*92\.31/);
    await workbench.screenshot('pair hover sentence');
    await editor.leave();
  });

  it('changes everything on both sides when a label is typed, and back on undo', async () => {
    const before = await settled(workbench, [gold, system]);
    // The fourth sentence is right, until a label in it is replaced.
    await workbench.editor(system).cursorAfter('(-NONE- *-1)) (PP');
    await workbench.page.keyboard.press('Backspace');
    await workbench.page.keyboard.type('X');
    await workbench.editor(system).line('(PX-TMP (IN').first().waitFor();
    const changed = await settled(workbench, [gold, system], before);
    assert.notEqual(changed.score, before.score);
    for (const file of [gold, system]) {
      assert.notEqual(changed.lenses[file]?.[3], before.lenses[file]?.[3], `sentence 4 of ${file}`);
      assert.deepEqual(without(changed.lenses[file], 3), without(before.lenses[file], 3), file);
      assert.ok((changed.marks[file] ?? 0) > (before.marks[file] ?? 0), `marks in ${file}`);
    }
    await workbench.screenshot('pair label changed');
    await undo(workbench);
    await restored(workbench, before);
  });

  it('confines a broken bracket to its sentence, and is whole again on undo', async () => {
    const before = await settled(workbench, [gold, system]);
    await workbench.editor(system).cursorAfter('(VBN sown) (NP (-NONE- *-1)');
    await workbench.page.keyboard.press('Backspace');
    await workbench.editor(system).line('*-1) (PP-TMP').first().waitFor();
    const broken = await settled(workbench, [gold, system], before);
    assert.notEqual(broken.score, before.score);
    for (const file of [gold, system]) {
      assert.deepEqual(without(broken.lenses[file], 3), without(before.lenses[file], 3), file);
    }
    await workbench.editor(system).root.locator('.squiggly-error').first().waitFor();
    await workbench.screenshot('pair bracket broken');
    await undo(workbench);
    await restored(workbench, before);
  });

  it('goes to the next and the previous mismatch, and to the counterpart in the other column', async () => {
    const { page } = workbench;
    await workbench.editor(gold).cursorAfter('(NN neighbour)');
    await page.keyboard.press('Control+Alt+.');
    // The first sentence is right.
    await expectText(workbench.cursor(), /^Ln 2,/);
    const first = await workbench.cursor().innerText();
    await page.keyboard.press('Control+Alt+.');
    const position = (): Promise<string> => workbench.cursor().innerText();
    await eventually(position, (text) => text !== first);
    await page.keyboard.press('Control+Alt+,');
    await eventually(position, (text) => text === first);
    await workbench.page.keyboard.press('Control+Alt+/');
    await workbench.page
      .locator('.editor-group-container.active .tab.active', { hasText: system })
      .waitFor();
    assert.equal(await workbench.page.locator('.editor-group-container').count(), 2);
    assert.equal(await workbench.page.locator('.tab').count(), 2);
  });

  it('stays in a diff on the way to the next mismatch', async () => {
    const { page } = workbench;
    await workbench.command('View: Close All Editors');
    await workbench.openFile(system);
    await page.keyboard.press('Control+k');
    await page.keyboard.press('d');
    const diff = page.locator('.editor-group-container.active .tab.active', { hasText: '↔' });
    await diff.waitFor();
    await workbench.goToLine(1);
    await page.keyboard.press('Control+Alt+.');
    await expectText(workbench.cursor(), /^Ln [^1]/);
    const first = await workbench.cursor().innerText();
    await page.keyboard.press('Control+Alt+.');
    await eventually(
      () => workbench.cursor().innerText(),
      (text) => text !== first,
    );
    assert.ok(await diff.isVisible());
    assert.equal(await page.locator('.tab').count(), 2);
    // The other side is not in the diff: it is shown beside it.
    await page.keyboard.press('Control+Alt+/');
    const other = page.locator('.editor-group-container.active .tab.active', { hasText: gold });
    await other.waitFor();
    // From there the focus comes back into the diff.
    await page.keyboard.press('Control+Alt+/');
    await diff.waitFor();
    assert.equal(await page.locator('.tab').count(), 3);
    await workbench.openPair([gold, system]);
  });

  it('has its marks in both halves of a diff, whatever opens beside it', async () => {
    const { page } = workbench;
    await workbench.command('View: Close All Editors');
    await workbench.openFile(gold);
    await workbench.command('File: Compare Active File With...');
    await workbench.pick(system);
    await page.locator('.tab.active', { hasText: '↔' }).waitFor();
    await workbench.command('View: Close Other Editors in Group');
    const marks = (half: string): Locator =>
      page.locator(`.monaco-diff-editor .editor.${half} [class*="squiggly-"]`).first();
    for (const half of ['original', 'modified']) await marks(half).waitFor();
    await workbench.command('Treelens: Show Tree');
    const picture = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await picture.locator('svg.picture').first().waitFor();
    for (const half of ['original', 'modified']) await marks(half).waitFor();
    await workbench.openPair([gold, system]);
  });

  it('is as readable in the dark', async () => {
    await workbench.darken();
    await workbench.editor(gold).squiggles().first().waitFor();
  });

  it('is none any more where one was closed and deleted, though VS Code has its text', async () => {
    // (Without lines above sentences a file is shorter: where it then is scrolled to is not asked here.)
    const toTheTops = async (): Promise<void> => {
      for (const one of [gold, system]) {
        await workbench.editor(one).focus();
        await workbench.page.keyboard.press('Control+Home');
      }
    };
    await toTheTops();
    const before = await settled(workbench, [gold, system]);
    const file = path.join(workbench.folder, system);
    const text = readFileSync(file);
    // (In its own column: opened by name, it is opened in the one that is in use.)
    await workbench.editor(system).focus();
    await workbench.command('View: Close Editor');
    rmSync(file);
    const alone = workbench.editor(gold);
    await alone.squiggles().first().waitFor({ state: 'detached' });
    await alone.lenses().filter({ hasText: 'F1' }).first().waitFor({ state: 'detached' });
    await eventually(
      () => alone.notes(),
      (notes) => notes.length === 0,
    );
    await expectText(workbench.statusItem(), /Not paired/);
    await workbench.screenshot('pair deleted');
    writeFileSync(file, text);
    await alone.squiggles().first().waitFor();
    await workbench.command('Treelens: Open Pair Side by Side');
    await toTheTops();
    await restored(workbench, before);
  });

  it('goes on where the server has died, with another one', async () => {
    const before = await settled(workbench, [gold, system]);
    assert.ok(workbench.killServer());
    await expectText(workbench.page.locator('.notifications-toasts'), /ended by itself/);
    await restored(workbench, before);
    await workbench.statusItem().locator('.codicon-warning').waitFor({ state: 'detached' });
    await workbench.screenshot('pair server died');
    await workbench.command('Notifications: Clear All Notifications');
  });

  it('shows nothing of what a server said that died again and again, until one is started', async () => {
    const { page } = workbench;
    const before = await settled(workbench, [gold, system]);
    for (const file of [gold, system]) {
      assert.ok((await workbench.editor(file).notes()).length > 0);
    }
    const told = page.locator('.notifications-toasts').getByText(/server is not running/);
    await eventually(
      async () => {
        // (One that is just starting and dies is not started again.)
        if ((await workbench.statusItem().innerText()).includes('F1')) workbench.killServer();
        return appears(told.first(), 1000);
      },
      (shown) => shown,
    );
    for (const file of [gold, system]) {
      await workbench.editor(file).squiggles().first().waitFor({ state: 'detached' });
      await workbench.editor(file).lenses().first().waitFor({ state: 'detached' });
      await eventually(
        () => workbench.editor(file).notes(),
        (notes) => notes.length === 0,
      );
    }
    await workbench.command('Treelens: Focus on Worklist View');
    await page.getByText('The Treelens server has stopped.').waitFor();
    await workbench.screenshot('pair server gone');
    await workbench.command('View: Show Explorer');
    await workbench.command('Notifications: Clear All Notifications');
    await workbench.command('Treelens: Restart Server');
    await restored(workbench, before);
  });

  describe('actions at a mismatch', () => {
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
      await workbench.answer('not a clause?');
      await said(system, /note on PP .*: not a clause\?/);
      await workbench.screenshot('actions note');
      await said(gold, /garden\.system\.mrg: note on PP .*: not a clause\?/);
      await workbench.editor(system).focus();
      await page.keyboard.press('Control+Alt+Shift+q');
      await workbench.answer('');
      await said(gold, /^(?!.*not a clause)/s);
      // (The next file takes the folder's files away, and it may just be being saved.)
      const review = path.join(workbench.folder, `${system}.review`);
      await eventually(
        () => Promise.resolve(readFileSync(review, 'utf8')),
        (text) => !text.includes('not a clause'),
      );
    });
  });
});

function without<T>(values: T[] | undefined, index: number): T[] {
  return (values ?? []).filter((_, i) => i !== index);
}

/** Until the fourth sentence is as it was: what was typed may be several undo steps. */
async function undo(workbench: Workbench): Promise<void> {
  const line = workbench.editor(system).line('(NP (-NONE- *-1)) (PP-TMP').first();
  for (let step = 0; step < 5 && !(await line.isVisible()); step++) {
    await workbench.page.keyboard.press('Control+z');
  }
  await line.waitFor();
}
