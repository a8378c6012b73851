import assert from 'node:assert/strict';
import { lost } from '../../src/writing/lost';

describe('what would not be kept', () => {
  const put = (shown: string, onDisk: string, lineEnd = '\n'): string | undefined => {
    const found = lost(shown, onDisk, lineEnd);
    return found && shown.slice(0, found.start) + found.text + shown.slice(found.end);
  };

  for (const [shown, onDisk] of [
    ['(a)\n(x)\n(c)\n', '(a)\n(b)\n(c)\n'],
    ['(a)\n(c)\n', '(a)\n(b)\n(c)\n'],
    ['(a)\n(a)\n(a)\n', '(a)\n(a)\n'],
    ['(a)\n(b)', '(a)\n(b)\n'],
    ['', '(a)'],
    ['(a)', ''],
    ['(N 𝔸)\n', '(N 𝔹)\n'],
    ['x', 'y'],
  ] as const) {
    it(`is put back as it is on disk: ${JSON.stringify(onDisk)}`, () => {
      assert.equal(put(shown, onDisk), onDisk);
    });
  }

  it('is no more than that, and parts neither characters nor line ends', () => {
    assert.deepEqual(lost('(a) (x) (c)', '(a) (b) (c)', '\n'), { start: 5, end: 6, text: 'b' });
    assert.deepEqual(lost('𝔸', '𝔹', '\n'), { start: 0, end: 2, text: '𝔹' });
    assert.deepEqual(lost('a\r\n\r\n', 'a\n', '\r\n'), { start: 3, end: 5, text: '' });
  });

  it('is nothing where only line ends are others, as the editor has made them', () => {
    assert.equal(lost('a\r\nb\r\n', 'a\nb\r\n', '\r\n'), undefined);
    assert.equal(put('a\r\nx\r\n', 'a\nb\r\n', '\r\n'), 'a\r\nb\r\n');
  });

  it('is nothing that is known where the file is no UTF-8', () => {
    assert.equal(lost('ä', '\ufffd', '\n'), undefined);
  });
});
