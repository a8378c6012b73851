import assert from 'node:assert/strict';
import type { Range, TextEditor, TextEditorDecorationType } from 'vscode';
import { decorate } from '../../src/marks/decorating';

const [box, line] = [{}, {}] as [TextEditorDecorationType, TextEditorDecorationType];
const ranges = (...lines: number[]): Range[] => lines.map((at) => ({ start: at }) as never);

/** An editor, and all that was set in it. */
function opened(): { editor: TextEditor; set: unknown[][]; type: () => void } {
  const [set, document] = [[] as unknown[][], { version: 1 }];
  const setDecorations = (...told: unknown[]): unknown => set.push(told);
  return {
    editor: { document, setDecorations } as never,
    set,
    type: () => document.version++,
  };
}

describe('decorations', () => {
  it('are set where they are others than the editor has, which may have been closed', () => {
    const { editor, set } = opened();
    decorate(editor, box, []);
    assert.deepEqual(set, []);
    decorate(editor, box, ranges(1, 2));
    decorate(editor, box, ranges(1, 2));
    decorate(editor, line, ranges(1, 2));
    decorate(editor, box, ranges(1));
    decorate(editor, box, []);
    decorate(editor, box, []);
    decorate(editor, box, ranges(1));
    const told = [ranges(1, 2), ranges(1, 2), ranges(1), [], ranges(1)];
    assert.deepEqual(
      set,
      told.map((one, at) => [at === 1 ? line : box, one]),
    );
  });

  it('are set anew in another text, where they have moved, and in another editor', () => {
    const [one, other] = [opened(), opened()];
    decorate(one.editor, box, ranges(1));
    one.type();
    decorate(one.editor, box, ranges(1));
    one.type();
    decorate(one.editor, box, []);
    decorate(other.editor, box, ranges(1));
    assert.deepEqual([one.set.length, other.set.length], [3, 1]);
  });
});
