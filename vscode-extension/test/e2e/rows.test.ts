// Nothing is painted over text: in dense data, at several widths, wherever one goes, lines of scores
// stand right above their sentences, and what the other file has is said behind the lines, in view.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { corpus } from '../corpus';
import { faultsOf } from '../rows';
import { eventually, overOurs, root, Workbench, type Editor } from '../workbench';

/** The example, over and over. */
const table = (side: string): string =>
  readFileSync(path.join(root, 'examples', `marche.${side}.conllu`), 'utf8').repeat(12);

const dense = [
  // Notes came after lines of scores at these lines, and moved the text below them.
  { ending: 'mrg', texts: corpus(900), places: [1, 90, 330, 570, 690] },
  {
    ending: 'conllu',
    texts: { gold: table('gold'), system: table('system') },
    places: [1, 250, 400],
  },
];

/** Rows that are wrapped nowhere in a wide pane, and more to be said of them than has room. */
const short = {
  'short.gold.mrg': '(S (NP (DT the) (NN cat)) (VP (VB sat)))\n'.repeat(30),
  'short.system.mrg': '(S (ADJP-PREDICATE (D the) (NN-LONG cat)) (VP (VBZ-LONG sat)))\n'.repeat(30),
};

describe('the rows of a dense pair', () => {
  let workbench: Workbench;

  before(async () => {
    const files = dense.flatMap(({ ending, texts }) => [
      [`news.gold.${ending}`, texts.gold],
      [`news.system.${ending}`, texts.system],
    ]);
    workbench = await Workbench.shared({
      files: { ...short, ...(Object.fromEntries(files) as Record<string, string>) },
    });
  });

  it('fit into a window that was never divided, and gets narrower', async () => {
    const file = 'short.system.mrg';
    await workbench.openFile(file);
    const editor = workbench.editor(file);
    const widest = async (): Promise<number> => (await noteWidths(editor))[0] ?? 0;
    const found: number[] = [];
    for (const width of [1600, 800]) {
      await workbench.page.setViewportSize({ width, height: 900 });
      await fits(editor);
      await settled([editor]);
      assert.deepEqual(await faultsOf(editor), [], String(width));
      assert.equal(await isScrolledSideways(editor), false, String(width));
      found.push(await widest());
      await workbench.screenshot(`rows never divided, narrower ${width}`);
    }
    const [before = 0, narrow = 0] = found;
    assert.ok(narrow < before, 'less is said where there is less room');
    await workbench.page.setViewportSize({ width: 1600, height: 900 });
    await eventually(widest, (width) => width === before);
  });

  it('have lines above them that fit as the font gets larger, and smaller again', async () => {
    await workbench.openPair(['short.gold.mrg', 'short.system.mrg']);
    const first = async (): Promise<string> =>
      (await workbench.editor('short.system.mrg').lensTexts())[0] ?? '';
    const whole = await eventually(first, (text) => text.includes('F1'));
    workbench.set(overOurs({ 'editor.fontSize': 40 }));
    await eventually(first, (text) => text.includes('F1') && text.length < whole.length);
    await workbench.screenshot('rows large font');
    workbench.set(overOurs({}));
    await eventually(first, (text) => text === whole);
  });

  it('are each for themselves in a window that was never divided', async () => {
    await workbench.openFile('news.system.mrg');
    const editor = workbench.editor('news.system.mrg');
    let notes = 0;
    for (const width of [1000, 1600]) {
      await workbench.page.setViewportSize({ width, height: 900 });
      await fits(editor);
      for (const place of some([1, 90, 330, 570], width)) {
        await workbench.goToLine(place + width / 10);
        await settled([editor]);
        assert.deepEqual(await faultsOf(editor), [], String(place));
        notes += (await notesOf(editor)).length;
      }
      await workbench.screenshot(`rows never divided ${width}`);
    }
    assert.ok(notes > 0, 'notes stand behind lines');
  });

  it('have what is said of them in view where a pane gets narrower, and are not scrolled', async () => {
    const editors = Object.keys(short).map((file) => workbench.editor(file));
    await workbench.page.setViewportSize({ width: 1920, height: 900 });
    // (In a window that is divided only then.)
    await workbench.openPair(['short.gold.mrg', 'short.system.mrg']);
    for (const width of [1920, 1000]) {
      await expectFitting(workbench, editors, width);
      await workbench.screenshot(`rows narrower ${width}`);
      // There is room for the second thing that is said, and not for the third.
      const [widest] = await noteWidths(editors[0]);
      if (width === 1920) assert.ok((widest ?? 0) > 180, `${widest} pixels`);
    }
  });

  it('fit into panes that are only below one another, and get narrower', async () => {
    const files = Object.keys(short);
    const editors = files.map((file) => workbench.editor(file));
    await workbench.page.setViewportSize({ width: 1600, height: 900 });
    await workbench.openPair(['short.gold.mrg', 'short.system.mrg']);
    await workbench.command('View: Two Rows Editor Layout');
    const [above, below] = await tops(editors, (one, other) => one < other);
    for (const width of [1600, 700]) {
      await expectFitting(workbench, editors, width);
      await workbench.screenshot(`rows below one another ${width}`);
    }
    // They stand as they stood.
    assert.deepEqual(await tops(editors), [above, below]);
    assert.equal(await workbench.page.locator('.editor-group-container').count(), 2);
    // Columns of a narrow window may be as narrow as any, and one of them has all that it gains.
    await workbench.page.setViewportSize({ width: 1600, height: 900 });
    await workbench.command('View: Two Columns Editor Layout');
  });

  for (const { ending, places } of dense) {
    describe(ending, () => {
      const gold = `news.gold.${ending}`;
      const system = `news.system.${ending}`;

      before(() => workbench.openPair([gold, system]));

      it('say more where a pane gets wider, though nothing moves in it', async () => {
        const says = (text: string, wanted: boolean): Promise<string[]> =>
          eventually(
            () => workbench.editor(system).lensTexts(),
            (texts) => texts.length > 0 && texts.some((one) => one.includes(text)) === wanted,
          );
        for (const width of [1000, 1920]) {
          await workbench.page.setViewportSize({ width, height: 900 });
          await says('TedEval', width === 1920);
        }
      });

      for (const width of [1000, 1920]) {
        it(`are each for themselves, ${width} pixels wide`, async () => {
          await workbench.page.setViewportSize({ width, height: 900 });
          await workbench.editor(system).focus();
          for (const file of [gold, system]) await fits(workbench.editor(file));
          let notes = 0;
          for (const place of some(places, width)) {
            await workbench.goToLine(place + width / 10);
            await settled([gold, system].map((file) => workbench.editor(file)));
            for (const file of [gold, system]) {
              assert.deepEqual(await faultsOf(workbench.editor(file)), [], `${file}, ${place}`);
            }
            notes += (await notesOf(workbench.editor(system))).length;
            await workbench.screenshot(`rows ${ending} ${width} ${place}`);
          }
          // (Columns of tables take all of a pane that is so narrow.)
          const isNarrow = ending === 'conllu' && width === 1000;
          assert.ok(notes > 0 || isNarrow, 'notes stand behind lines');
        });
      }

      // (Of a table all columns are shown then, and its rows are scrolled.)
      if (ending === 'conllu') return;
      it('are each for themselves in a pane that stands alone', async () => {
        await workbench.editor(gold).focus();
        await workbench.command('View: Close Editor');
        for (const width of [1600, 1280]) {
          await workbench.page.setViewportSize({ width, height: 900 });
          await fits(workbench.editor(system));
          for (const place of some(places, width)) {
            await workbench.goToLine(place);
            await settled([workbench.editor(system)]);
            assert.deepEqual(await faultsOf(workbench.editor(system)), [], String(place));
          }
          await workbench.screenshot(`rows alone ${width}`);
        }
      });
    });
  }
});

/** In a window of this width, all that is said is in view and overlaps nothing. */
async function expectFitting(
  workbench: Workbench,
  editors: Editor[],
  width: number,
): Promise<void> {
  await workbench.page.setViewportSize({ width, height: 900 });
  for (const editor of editors) await fits(editor);
  await settled(editors);
  for (const editor of editors) {
    assert.deepEqual(await faultsOf(editor), [], String(width));
    assert.equal(await isScrolledSideways(editor), false, String(width));
  }
}

/** Where editors begin, in pixels from the top, once that is as it should be. */
function tops(
  editors: Editor[],
  isRight: (one: number, other: number) => boolean = () => true,
): Promise<number[]> {
  return eventually(
    () => Promise.all(editors.map(async ({ root }) => (await root.boundingBox())?.y ?? 0)),
    ([one = 0, other = 0]) => isRight(one, other),
  );
}

/** Every second place: the others have their turn at the next width. */
function some(places: number[], width: number): number[] {
  const isEven = Math.round(width / 640) % 2 === 0;
  return places.filter((_, at) => (at % 2 === 0) === isEven);
}

/** Until lines above sentences have been asked for again, for a pane that is as wide as it is now. */
async function fits(editor: Editor): Promise<void> {
  await eventually(
    () => faultsOf(editor),
    (faults) => !faults.some((fault) => fault.endsWith('is cut')),
  );
}

/** Until lenses, marks and notes of all have stopped coming. */
async function settled(editors: Editor[]): Promise<void> {
  let last = '';
  let since = Date.now();
  await eventually(
    () =>
      Promise.all(
        editors.map(async (one) => JSON.stringify([await one.lensTexts(), await notesOf(one)])),
      ),
    (now) => {
      if (now.join() !== last) since = Date.now();
      last = now.join();
      return !now.includes('[[],[]]') && Date.now() - since > 700;
    },
  );
}

/** Whether its text is wider than its pane. */
async function isScrolledSideways(editor: Editor): Promise<boolean> {
  return editor.root.evaluate((root) => {
    const bar = root.querySelector('.editor-scrollable > .scrollbar.horizontal');
    const slider = bar?.querySelector('.slider');
    const width = (one?: Element | null): number => one?.getBoundingClientRect().width ?? 0;
    return width(slider) < width(bar);
  });
}

/** What is shown and is no text of the file. */
async function notesOf(editor: Editor): Promise<string[]> {
  return (await stylesOfNotes(editor)).map(({ content }) => content);
}

/** How many pixels notes are wide, the widest first. */
async function noteWidths(editor?: Editor): Promise<number[]> {
  const notes = editor === undefined ? [] : await stylesOfNotes(editor);
  return notes.map(({ width }) => parseFloat(width)).sort((a, b) => b - a);
}

async function stylesOfNotes(editor: Editor): Promise<{ content: string; width: string }[]> {
  return editor.root.evaluate((root) =>
    [...root.querySelectorAll('.view-line span[class*="TextEditorDecorationType"]')]
      .map((one) => getComputedStyle(one, '::after'))
      .map(({ content, width }) => ({ content, width }))
      .filter(({ content }) => content.includes('≠')),
  );
}
