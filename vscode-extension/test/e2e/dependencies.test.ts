// Tables with heads, as a user sees them: marks, hovers, an edited head, and sentences that are cut
// and joined while everything else keeps its numbers.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  eventually,
  expectText,
  restored,
  settled,
  withExamplePair,
  type Editor,
  type Seen,
  type Workbench,
} from '../workbench';

const gold = 'ferry.gold.conllu';
const system = 'ferry.system.conllu';
const files: [string, string] = [gold, system];

describe('a pair of dependency files', () => {
  let workbench: Workbench;

  withExamplePair(files, 'dependencies', (opened) => {
    workbench = opened;
  });

  it('shows scores above sentences, and marks in both files', async () => {
    await expectText(workbench.statusItem(), /LAS \d+\.\d+ · UAS \d+\.\d+ · TedEval \d+\.\d+/);
    for (const file of files) {
      await workbench.editor(file).squiggles().first().waitFor();
      const [first, second] = await eventually(
        () => numbers(workbench.editor(file)),
        (texts) => texts.length > 2,
      );
      assert.match(first ?? '', /LAS 100\.00 · UAS 100\.00 · TedEval 100\.00 · no mismatch/);
      assert.match(second ?? '', /LAS 87\.50 · UAS 87\.50 · .*1 head · 1 relation/);
    }
  });

  it('shows columns under one another, and the tabs as they are on request', async () => {
    // Of two rows of the first sentence, with words and attributes of different lengths.
    const ends = async (): Promise<[number, number]> => [
      await left(workbench.editor(gold), 'nsubj'),
      await left(workbench.editor(gold), 'case'),
    ];
    const areAligned = ([one, other]: [number, number]): boolean => Math.abs(one - other) < 1;
    await eventually(ends, areAligned);
    await workbench.screenshot('dependencies columns');
    await workbench.command('Treelens: Turn Off Aligned Columns');
    await eventually(ends, (places) => !areAligned(places));
    await workbench.command('Treelens: Turn On Aligned Columns');
    await eventually(ends, areAligned);
  });

  it('gives both analyses with the forms of the heads on hover, and numbers above', async () => {
    const editor = workbench.editor(system);
    const word = editor.line('binoculars').last().getByText('binoculars', { exact: true }).first();
    const hover = await editor.hover(word);
    await expectText(hover, /binoculars.*← nmod — “sailor” \(4\)/);
    await expectText(hover, /ferry\.gold\.conllu has NOUN “binoculars” ← obl — “watched” \(2\)/);
    await workbench.screenshot('dependencies hover word');
    const comment = editor.line('sent_id = ferry-2').locator('span span').first();
    await expectText(await editor.hover(comment), /Sentence 2 of 8[^]*LAS\s*87\.50/);
    await workbench.screenshot('dependencies hover sentence');
    await editor.leave();
  });

  it('lights up head and dependents here, and the counterpart there', async () => {
    await workbench.editor(system).cursorAfter('sail\tsail');
    await workbench
      .editor(gold)
      .root.locator('.view-overlays [class*="TextEditorDecorationType"]')
      .first()
      .waitFor();
    await workbench
      .editor(system)
      .root.locator('.wordHighlightText, .wordHighlight')
      .first()
      .waitFor();
  });

  it('opens a folded field at the cursor, and in the other table too', async () => {
    const tag = 'VB'; // of one word in each file
    assert.ok(!(await isShown(workbench.editor(gold), tag)), 'folded');
    await workbench.editor(system).cursorAfter('sail\tsail\tVERB\tVB');
    for (const file of files) {
      await eventually(
        () => isShown(workbench.editor(file), tag),
        (shown) => shown,
      );
    }
  });

  it('changes numbers and marks on both sides when a head is typed, and back on undo', async () => {
    await workbench.editor(system).cursorAfter('Number=Plur\t4');
    const before = await settled(workbench, files);
    await workbench.page.keyboard.press('Backspace');
    await workbench.page.keyboard.type('2');
    const changed = await settled(workbench, files, before);
    for (const file of files) {
      const [first, second, ...others] = changed.lenses[file] ?? [];
      assert.match(withoutLinks(second), /UAS 100\.00 · .*· 1 relation$/, file);
      assert.deepEqual([first, ...others], without(before.lenses[file], 1), file);
    }
    await undo(workbench, 2);
    await restored(workbench, before);
  });

  it('goes to a sentence out of view with both files in step, to the pixel', async () => {
    const { keyboard } = workbench.page;
    const tops = (): Promise<number[]> =>
      Promise.all(files.map((file) => top(workbench.editor(file), 'ferry-3')));
    await workbench.editor(system).focus();
    await keyboard.press('Control+End');
    await workbench.editor(system).line('ferry-3').waitFor({ state: 'hidden' });
    await keyboard.press('Control+Alt+Home');
    await eventually(tops, ([one = NaN, other = NaN]) => Math.abs(one - other) < 2);
    await keyboard.press('Control+Home');
  });

  it('cuts a sentence at a blank line and joins it again, the others as they were', async () => {
    await workbench.editor(system).cursorAfter('1\tOld');
    await workbench.page.keyboard.press('Home');
    await workbench.page.keyboard.press('ArrowDown');
    const before = await settled(workbench, files);
    await workbench.page.keyboard.press('Enter');
    const [here, there] = await eventually(
      async () => [await numbers(workbench.editor(system)), await numbers(workbench.editor(gold))],
      ([mine, theirs]) =>
        (mine[2] ?? '').includes('2 sentences here, 1 there') &&
        (theirs[2] ?? '').includes('1 sentence here, 2 there'),
    );
    assert.deepEqual(without(there, 2), without(shown(before, gold), 2));
    const [first, second, ...others] = shown(before, system);
    assert.deepEqual(here.slice(0, 2), [first, second]);
    // What was last in view may have been pushed out of it.
    assert.deepEqual(here.slice(4), others.slice(1, here.length - 3));
    await workbench.screenshot('dependencies cut');
    await workbench.page.keyboard.press('Backspace');
    await restored(workbench, before);
  });

  it('is as readable in the dark', async () => {
    await workbench.darken();
    await workbench.editor(system).squiggles().first().waitFor();
  });

  it('marks every field of rows with words from the right', async () => {
    const row = (...fields: string[]): string => `${fields.join('\t')}\n\n`;
    const one = row('1', 'גן', 'גן', 'NN', '_', 'Gender=Masc', '0', 'root', '_', 'Gloss=garden');
    const changes = [
      (text: string) => text.replace('NN', 'VB'),
      (text: string) => text.replace('Masc', 'Fem'),
      (text: string) => text.replace('root', 'dep'),
      (text: string) => text.replace('garden', 'yard'),
    ];
    const write = (side: string, text: string): void =>
      writeFileSync(path.join(workbench.folder, `garden.${side}.conllu`), text);
    write('gold', one.repeat(changes.length));
    write('system', changes.map((change) => change(one)).join(''));
    await workbench.openFile('garden.gold.conllu');
    await workbench.openFile('garden.system.conllu');
    const editor = workbench.editor('garden.system.conllu');
    await eventually(
      async () => [await isShown(editor, 'Gloss'), await editor.squiggles().count()],
      ([unfolded, marks]) => unfolded === false && marks === changes.length,
    );
    await workbench.screenshot('dependencies from the right');
  });

  it('shows columns under one another where two letters are one sign', async () => {
    const rows = [
      ['1', 'كلا', 'كلا', 'PRON', '_', '_', '2', 'nsubj', '_', '_'],
      ['2', 'يقرأ', 'قرأ', 'VERB', '_', '_', '0', 'root', '_', '_'],
    ];
    const text = rows.map((row) => `${row.join('\t')}\n`).join('');
    writeFileSync(path.join(workbench.folder, 'salam.conllu'), text);
    await workbench.openFile('salam.conllu');
    const editor = workbench.editor('salam.conllu');
    await eventually(
      async () => [await left(editor, 'nsubj'), await left(editor, 'root')],
      ([one = 0, other = Infinity]) => Math.abs(one - other) < 1,
    );
    await workbench.screenshot('dependencies two letters in one sign');
  });

  it('does the same with brackets', async () => {
    const file = 'garden.system.mrg';
    await workbench.openFile(file);
    await workbench.editor(file).cursorAfter('(-NONE- *-1))');
    const before = await eventually(
      () => workbench.editor(file).lensTexts(),
      (texts) => texts.length > 6,
    );
    await workbench.page.keyboard.type(')))) ( (S (A (B');
    const cut = await eventually(
      () => workbench.editor(file).lensTexts(),
      (texts) => (texts[3] ?? '').includes('2 sentences here, 1 there'),
    );
    // Both of them are on one line.
    assert.equal(cut[3]?.match(/2 sentences here/g)?.length, 2);
    assert.deepEqual(without(cut, 3), without(before, 3));
    await undo(workbench, 6);
    await eventually(
      () => workbench.editor(file).lensTexts(),
      (texts) => String(texts) === String(before),
    );
  });
});

async function numbers(editor: Editor): Promise<string[]> {
  const texts = await editor.lensTexts();
  return texts.map((text) => text.replaceAll('\u00a0', ' ')).filter((text) => text.includes('LAS'));
}

/** The same of what was seen before. */
function shown(seen: Seen, file: string): string[] {
  const texts = seen.lenses[file] ?? [];
  return texts.map((text) => text.replaceAll('\u00a0', ' ')).filter((text) => text.includes('LAS'));
}

/** A lens's own text, without the link before it. */
function withoutLinks(text: string | undefined): string {
  return (text ?? '').replaceAll('\u00a0', ' ').replace(/^.*\|\s*/s, '');
}

function without<T>(values: T[] | undefined, index: number): T[] {
  return (values ?? []).filter((_, k) => k !== index);
}

async function undo(workbench: Workbench, steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) await workbench.page.keyboard.press('Control+z');
}

/** Whether a piece of text that is this one is more than a fold. */
async function isShown(editor: Editor, text: string): Promise<boolean> {
  const pieces = editor.root.locator('.view-line span span').getByText(text, { exact: true });
  const widths = await pieces.evaluateAll((all) =>
    all.map((one) => one.getBoundingClientRect().width),
  );
  return widths.some((width) => width > 5);
}

/** Where a line that can be seen is; none that cannot. */
async function top(editor: Editor, text: string): Promise<number> {
  const line = editor.line(text).first();
  return (await line.isVisible()) ? line.evaluate((one) => one.getBoundingClientRect().top) : NaN;
}

/** How far from the left the first piece of text stands that is this one. */
async function left(editor: Editor, text: string): Promise<number> {
  return editor.root.evaluate((root, wanted) => {
    const pieces = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let piece = pieces.nextNode(); piece !== null; piece = pieces.nextNode()) {
      if (piece.textContent?.trim() !== wanted) continue;
      const range = document.createRange();
      range.selectNodeContents(piece);
      return range.getBoundingClientRect().left;
    }
    return NaN;
  }, text);
}
