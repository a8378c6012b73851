// Nothing is painted over text: in dense data, at several widths, wherever one goes, no lens stands in
// a row of the text, and what the other file has is said behind the lines.
import assert from 'node:assert/strict';
import { corpus } from '../corpus';
import { eventually, Workbench, type Editor } from '../workbench';

const gold = 'news.gold.mrg';
const system = 'news.system.mrg';
/** Lines that are gone to: hints came after lenses there, and moved the text below them. */
const places = [1, 90, 210, 330, 450, 570, 690];

describe('the rows of a dense pair', () => {
  let workbench: Workbench;

  before(async () => {
    const texts = corpus(900);
    workbench = await Workbench.open({
      files: { [gold]: texts.gold, [system]: texts.system },
      settings: { 'treelens.startWith': [gold, system] },
    });
    for (const file of [gold, system]) await workbench.editor(file).lenses().first().waitFor();
  });

  after(() => workbench.close());

  for (const width of [1100, 1360, 1600]) {
    it(`are each for themselves, ${width} pixels wide`, async () => {
      await workbench.page.setViewportSize({ width, height: 900 });
      await workbench.editor(system).focus();
      let notes = 0;
      for (const place of places) {
        await workbench.goToLine(place + width / 10);
        for (const file of [gold, system]) {
          await settled(workbench.editor(file));
          assert.deepEqual(await workbench.editor(file).overlaps(), [], `${file}, ${place}`);
        }
        notes += (await notesOf(workbench.editor(system))).length;
        await workbench.screenshot(`rows ${width} ${place}`);
      }
      assert.ok(notes > 0, 'notes stand behind lines');
    });
  }
});

/** Until lenses, marks and notes have stopped coming. */
async function settled(editor: Editor): Promise<void> {
  let last = '';
  let since = Date.now();
  await eventually(
    async () => JSON.stringify([await editor.lensTexts(), await notesOf(editor)]),
    (now) => {
      if (now !== last) since = Date.now();
      last = now;
      return now !== '[[],[]]' && Date.now() - since > 700;
    },
  );
}

/** What is shown and is no text of the file. */
async function notesOf(editor: Editor): Promise<string[]> {
  return editor.root.evaluate((root) =>
    [...root.querySelectorAll('.view-line span')]
      .map((one) => getComputedStyle(one, '::after').content)
      .filter((content) => content.includes('≠')),
  );
}
