// Whether what is shown between, above and behind the rows of a text leaves it to be read.
import type { Editor } from './workbench';

/**
 * What is wrong with what is in view of an editor, each in a line: a line above a sentence (a lens)
 * that is painted over text or another one, that is cut, or that stands anywhere but right above the
 * first row of a line; a note behind a line that is wrapped, cut, less than a
 * character, or painted over text, a lens or another note.
 */
export async function faultsOf(editor: Editor): Promise<string[]> {
  return editor.root.evaluate((root) => {
    interface Box {
      left: number;
      right: number;
      top: number;
      bottom: number;
      text: string;
    }
    /** Pixels; what stands side by side may share some. */
    const near = 3;
    /** Pixels of a character and an ellipsis. */
    const least = 15;
    const faults: string[] = [];
    const frame = root.querySelector('.overflow-guard')?.getBoundingClientRect() ?? new DOMRect();
    const boxOf = (one: HTMLElement): Box => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      return { left, right, top, bottom, text: one.innerText };
    };
    const isSeen = ({ top, bottom }: Box): boolean => bottom > frame.top && top < frame.bottom;
    const all = (selector: string): HTMLElement[] => [
      ...root.querySelectorAll<HTMLElement>(selector),
    ];
    const share = (one: Box, other: Box): boolean =>
      Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > near &&
      Math.min(one.right, other.right) - Math.max(one.left, other.left) > near;
    // (`inset(0px calc(-100000% + 16856px) 0px 0px)`: what is clipped at the right is more than all.)
    const isClipped = ({ clipPath, width }: CSSStyleDeclaration): boolean => {
      const [, share, pixels] = /calc\((-?[\d.]+)% \+ (-?[\d.]+)px\)/.exec(clipPath) ?? [];
      return (Number(share) / 100) * parseFloat(width) + Number(pixels) >= parseFloat(width);
    };
    const rows = all('.view-line').filter((row) => isSeen(boxOf(row)));
    const texts = rows.map(boxOf);
    const starts = all('.line-numbers').map((one) => one.getBoundingClientRect().top);
    // (VS Code has them end at the edge of the pane, whatever they hold.)
    const lenses = all('.codelens-decoration')
      .map((lens) => ({ ...boxOf(lens), right: boxOf(lens).left + lens.scrollWidth }))
      .filter((lens) => lens.text.trim() !== '' && isSeen(lens));
    const maps = all('.minimap').map((one) => one.getBoundingClientRect());
    const edge = Math.min(
      frame.right,
      ...maps.map(({ left, width }) => (width > 0 ? left : Infinity)),
    );

    for (const lens of lenses) {
      if (lens.right > edge + near) faults.push(`${lens.text} is cut`);
      const whole = { ...lens, left: frame.left, right: frame.right };
      for (const text of texts) {
        if (text.text.trim() !== '' && share(whole, text))
          faults.push(`${lens.text} over ${text.text}`);
      }
      const below = Math.min(...texts.map(({ top }) => top).filter((top) => top > lens.top + near));
      const isAbove = Math.abs(below - lens.bottom) <= near;
      const isStart = starts.some((top) => Math.abs(top - below) <= near);
      if (below < frame.bottom && !(isAbove && isStart)) faults.push(`${lens.text} is astray`);
    }
    const notes = rows.flatMap((row) =>
      [...row.querySelectorAll<HTMLElement>('span')].flatMap((span) => {
        const style = getComputedStyle(span, '::after');
        if (!/[≠:]/.test(style.content) || isClipped(style)) return [];
        // What floats is none of its span; what does not is the end of it.
        const floats = style.position === 'absolute';
        const box = boxOf(span);
        const left = floats ? box.right + parseFloat(style.marginLeft) : box.left;
        const right = floats ? left + parseFloat(style.width) : box.right;
        const bottom = floats ? box.top + parseFloat(style.height) : box.bottom;
        return [{ left, right, top: box.top, bottom, text: style.content, row: boxOf(row) }];
      }),
    );
    for (const [at, note] of notes.entries()) {
      if (note.bottom - note.top > note.row.bottom - note.row.top + near) {
        faults.push(`${note.text} is wrapped`);
      }
      if (note.right > edge + near) faults.push(`${note.text} is cut`);
      if (note.right > note.left && note.right - note.left < least)
        faults.push(`${note.text} is a piece of a character`);
      for (const other of [...lenses, ...notes.slice(at + 1)]) {
        if (share(note, other)) faults.push(`${note.text} over ${other.text}`);
      }
    }
    for (const pieces of rows.map((row) => [...row.querySelectorAll<HTMLElement>('span > span')])) {
      const shown = pieces
        .map(boxOf)
        .filter(({ left, right, text }) => right > left && text !== '');
      for (const [at, piece] of shown.slice(1).entries()) {
        const before = shown[at];
        if (before && share(before, piece)) faults.push(`${piece.text} over ${before.text}`);
      }
    }
    return faults;
  });
}
