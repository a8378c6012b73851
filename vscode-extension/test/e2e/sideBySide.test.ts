// Files side by side that are laid out differently: what is scrolled in one is scrolled in the
// other, by sentences; the counterpart lights up; and a file beside itself as it was committed.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { eventually, expectText, Workbench, type Editor } from '../workbench';

const count = 80;
/** Lines of a tree that is indented, with the blank one behind it. */
const height = 6;
const missing = 20;

const words = (number: number): [string, string] => [`kettle-${number}`, `sings-${number}`];
const line = (number: number): string => {
  const [noun, verb] = words(number);
  return `(S (NP (NN ${noun})) (VP (VBZ ${verb})))\n`;
};
const indented = (number: number): string => {
  const [noun, verb] = words(number);
  return `(S\n  (NP\n    (NN ${noun}))\n  (VP\n    (VBZ ${verb})))\n\n`;
};
const numbers = Array.from({ length: count }, (_, k) => k);

const gold = 'stove.gold.mrg';
const system = 'stove.system.mrg';
const single = 'stove.mrg';

/** Which sentence is at the top of the file with a tree on a line, from 0. */
const topOfLines = async (editor: Editor): Promise<number> => (await editor.firstLine()) - 1;

/** The same of the indented file, which lacks one sentence. */
const topOfIndented = async (editor: Editor): Promise<number> => {
  const at = Math.floor(((await editor.firstLine()) - 1) / height);
  return at < missing ? at : at + 1;
};

describe('side by side', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await Workbench.shared({
      files: {
        'treelens.toml': '[[pairs]]\ngold = "*.gold.mrg"\nsystem = "*.system.mrg"\n',
        [gold]: numbers.map(line).join(''),
        [system]: numbers
          .filter((number) => number !== missing)
          .map(indented)
          .join('')
          .replace('(VP\n    (VBZ sings-3)', '(XP\n    (VBZ sings-3)'),
        [single]: numbers.slice(0, 5).map(line).join(''),
      },
      settings: {
        'git.enabled': true,
        'git.openRepositoryInParentFolders': 'always',
      },
    });
    await workbench.openPair([gold, system]);
  });

  afterEach(async function () {
    await workbench.screenshot(`side by side ${this.currentTest?.title ?? ''}`);
  });

  describe('of two sides', () => {
    let lines: Editor;
    let trees: Editor;

    before(() => {
      [lines, trees] = [workbench.editor(gold), workbench.editor(system)];
    });

    /** Both at the same sentence, and nothing that moves any more. */
    const together = async (fits: (sentence: number) => boolean): Promise<number> => {
      let last = '';
      let since = 0;
      const [sentence] = await eventually(
        async () => [await topOfLines(lines), await topOfIndented(trees)] as const,
        ([one, other]) => {
          const now = `${one} ${other}`;
          if (now !== last) since = Date.now();
          last = now;
          return one === other && fits(one) && Date.now() - since > 600;
        },
      );
      return sentence;
    };

    it('scrolls the indented file with the one that has a tree on a line', async () => {
      await together((sentence) => sentence === 0);
      await lines.wheel(10);
      const first = await together((sentence) => sentence > 4);
      await lines.wheel(20);
      await together((sentence) => sentence > first + 5);
      await workbench.screenshot('side by side scrolled');
      await lines.wheel(-60);
      await together((sentence) => sentence === 0);
    });

    it('scrolls the other way round, row by row, past a sentence that is missing', async () => {
      await trees.wheel(10);
      const first = await together((sentence) => sentence > 1);
      await trees.wheel(60);
      await together((sentence) => sentence > missing && sentence > first);
      await trees.wheel(-100);
      await together((sentence) => sentence === 0);
    });

    it('keeps step where lines are wrapped', async () => {
      const size = workbench.page.viewportSize();
      assert.ok(size);
      await workbench.page.setViewportSize({ ...size, width: 900 });
      await lines.wheel(25);
      // (Of a wrapped line whose number is out of view, a part may be in view.)
      const [one] = await eventually(
        async () => [await topOfLines(lines), await topOfIndented(trees)] as const,
        ([here, there]) => here > 4 && (here === there || here === there + 1),
      );
      await trees.wheel(8);
      await eventually(
        () => topOfLines(lines),
        (sentence) => sentence > one,
      );
      await workbench.screenshot('side by side wrapped');
      await workbench.page.setViewportSize(size);
    });

    it('brings the counterpart of the cursor into view, and lights it up', async () => {
      await lines.cursorAfter('(NN kettle-30)) (VP');
      const there = trees.line('sings-30').first();
      await there.waitFor();
      const lit = trees.root.locator('.view-overlays [class*="TextEditorDecorationType"]');
      await eventually(
        async () => {
          const [text, ...boxes] = [
            await there.boundingBox(),
            ...(await Promise.all((await lit.all()).map((one) => one.boundingBox()))),
          ];
          return boxes.filter((box) => box && text && Math.abs(box.y - text.y) < 4).length;
        },
        (found) => found > 0,
      );
      await workbench.screenshot('side by side counterpart');
      // A bracket with another label, from the indented file this time.
      await trees.cursorAfter('(XP');
      await lines.line('sings-3)').first().waitFor();
      await lines.root
        .locator('.view-overlays [class*="TextEditorDecorationType"]')
        .first()
        .waitFor();
    });

    it('scrolls alone when that is switched off, and together again when it is on', async () => {
      await workbench.page.keyboard.press('Control+Home');
      await together((sentence) => sentence === 0);
      await workbench.command('Treelens: Turn Off Synchronised Scrolling');
      await workbench.page.locator('.codicon-debug-disconnect').first().waitFor();
      await lines.wheel(10);
      await eventually(
        () => topOfLines(lines),
        (sentence) => sentence > 4,
      );
      // What the server is asked next is answered after whatever might have scrolled the other.
      await lines.cursorAfter('(NN kettle-9)');
      assert.equal(await topOfIndented(trees), 0);
      await workbench.command('Treelens: Turn On Synchronised Scrolling');
      await lines.wheel(4);
      await together((sentence) => sentence > 2);
    });

    it('lights up as clearly in the dark and in high contrast', async () => {
      await lines.cursorAfter('(NN kettle-5)) (VP');
      const { page } = workbench;
      for (const [theme, kind] of [
        ['Dark Modern', 'vs-dark'],
        ['Dark High Contrast', 'hc-black'],
        ['Light Modern', 'vs'],
      ] as const) {
        await workbench.command('Preferences: Color Theme');
        await workbench.pick(theme);
        await page.locator(`.monaco-workbench.${kind}`).waitFor();
        await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
        await trees.root
          .locator('.view-overlays [class*="TextEditorDecorationType"]')
          .first()
          .waitFor();
        await workbench.screenshot(`side by side ${theme}`);
      }
    });

    it('opens a pair from one of its files, gold on the left', async () => {
      await workbench.command('View: Close All Editors');
      await workbench.openFile(system);
      await expectText(workbench.statusItem(), /F1 \d/);
      await workbench.command('Treelens: Open Pair Side by Side');
      await lines.lenses().first().waitFor();
      const places = await eventually(
        () => Promise.all([lines, trees].map((editor) => editor.root.boundingBox())),
        ([left, right]) => (left?.x ?? Infinity) < (right?.x ?? -Infinity),
      );
      assert.equal(places.length, 2);
      await eventually(
        () => workbench.page.locator('.tab').count(),
        (tabs) => tabs === 2,
      );
    });
  });

  describe('of one file, as it was committed', () => {
    const file = single;
    const committed = `${file} (Last Commit)`;
    const git = (...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...args], {
        cwd: workbench.folder,
        encoding: 'utf8',
      });

    before(() => workbench.command('View: Close All Editors'));

    it('says what to do where there is no repository, and where nothing was committed', async () => {
      await workbench.openFile(file);
      await expectText(workbench.statusItem(), /Not paired/);
      const notification = workbench.page.locator('.notifications-toasts');
      await workbench.command('Treelens: Compare with Last Commit');
      await expectText(notification, /stove\.mrg is in no Git repository/);
      await workbench.command('Notifications: Clear All Notifications');
      git('init', '--quiet');
      await workbench.command('Treelens: Compare with Last Commit');
      await expectText(
        notification,
        /stove\.mrg is not in the last commit.*choose another revision/,
      );
      await workbench.command('Notifications: Clear All Notifications');
    });

    it('shows the effect of what is typed against the last commit', async () => {
      git('add', file);
      git('commit', '--quiet', '-m', 'Begin');
      await workbench.command('Treelens: Compare with Last Commit');
      await workbench.editor(committed).lenses().first().waitFor();
      await expectText(workbench.statusItem(), /F1 100\.00/);
      const working = workbench.editor(file).root;
      await working.getByText('last commit · F1 100.00').first().waitFor();
      await workbench.editor(file).cursorAfter('(NN kettle-2)) (V');
      await workbench.page.keyboard.press('Backspace');
      await workbench.page.keyboard.type('X');
      await expectText(workbench.statusItem(), /F1 9\d\.\d\d/);
      await working.getByText('1 label').first().waitFor();
      for (const one of [working, workbench.editor(committed).root]) {
        await one.locator('.squiggly-warning').first().waitFor();
      }
      await workbench.page.locator('.statusbar-item[id="status.problems"]').click();
      await expectText(
        workbench.page.locator('.markers-panel'),
        /the last commit has VP here, not XP/,
      );
      await workbench.screenshot('side by side git edited');
      await workbench.page.locator('.statusbar-item[id="status.problems"]').click();
    });

    it('begins anew when the edits are committed', async () => {
      await workbench.editor(file).focus();
      await workbench.page.keyboard.press('Control+s');
      await eventually(
        () => Promise.resolve(readFileSync(path.join(workbench.folder, file), 'utf8')),
        (text) => text.includes('(XP'),
      );
      git('commit', '--quiet', '--all', '-m', 'Go on');
      await expectText(workbench.statusItem(), /F1 100\.00/);
      await workbench.editor(committed).line('(XP (VBZ sings-2)').first().waitFor();
    });

    it('compares with an older commit of the file', async () => {
      await workbench.editor(file).focus();
      await workbench.command('Treelens: Compare with Revision…');
      const rows = workbench.page.locator('.quick-input-list .monaco-list-row');
      await rows.filter({ hasText: 'Begin' }).waitFor();
      await workbench.screenshot('side by side revisions');
      await workbench.pick('Begin');
      await expectText(workbench.statusItem(), /F1 9\d\.\d\d/);
      const group = workbench.page.locator('.editor-group-container.active .tab.active');
      assert.equal((await group.innerText()).replaceAll('\n', ''), file, 'is worked in still');
    });

    it('is alone again when the old text is closed', async () => {
      const tabs = workbench.page.locator('.tab').filter({ hasText: `${file} (` });
      for (let left = await tabs.count(); left > 0; left--) {
        await tabs.first().click({ button: 'middle' });
        await eventually(
          () => tabs.count(),
          (now) => now === left - 1,
        );
      }
      await expectText(workbench.statusItem(), /Not paired/);
    });

    it('says what is new since the last commit, and what got worse, when a parser writes anew', async () => {
      const parsed = (...wrong: number[]): string =>
        numbers.slice(0, 5).reduce((text, number) => {
          const right = line(number);
          return text + (wrong.includes(number) ? right.replace('(VP', '(XP') : right);
        }, '');
      const write = (name: string, text: string): void =>
        writeFileSync(path.join(workbench.folder, name), text);
      const parser = 'lamp.system.mrg';
      write('lamp.gold.mrg', parsed());
      write(parser, parsed(1));
      git('init', '--quiet');
      git('add', '.');
      git('commit', '--quiet', '-m', 'Parse');
      await workbench.openFile(parser);
      await expectText(workbench.statusItem(), /F1 93\.33/);
      await workbench.command('Treelens: Mark What Is New Since…');
      const choice = workbench.page.locator('.quick-input-list .monaco-list-row');
      await choice.filter({ hasText: 'The last commit' }).waitFor();
      await workbench.pick('The last commit');
      write(parser, parsed(1, 3, 4));
      await expectText(workbench.statusItem(), /F1 80\.00, -13\.33/);
      const { root } = workbench.editor(parser);
      await root.getByText('1 new since the last commit').nth(1).waitFor();
      await workbench.command('Treelens: Sort and Group Worklist…');
      await choice.filter({ hasText: 'Got worse first' }).waitFor();
      await workbench.pick('Got worse first');
      await workbench.command('Treelens: Focus on Worklist View');
      const entries = workbench.page.locator('.customview-tree .monaco-list-row');
      await eventually(
        async () => (await entries.allInnerTexts()).map((text) => text.includes('1 new')).join(),
        (found) => found === 'true,true,false,false,false',
      );
      // What was committed is new no longer.
      git('commit', '--quiet', '--all', '-m', 'Parse anew');
      await expectText(workbench.statusItem(), /F1 80\.00(?!,)/);
      await root.getByText('1 new since the last commit').first().waitFor({ state: 'hidden' });
    });
  });
});
