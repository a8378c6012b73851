// What is left of a line of the worklist in a side bar.
import assert from 'node:assert/strict';
import { described } from '../../src/worklist/line';

describe('a line of the worklist', () => {
  it('has the ends of a long ID, the first words and all that is wrong', () => {
    const words = 'From the AP comes this story :';
    assert.equal(
      described('weblog-juancole.com_juancole_20051114', { words, summary: '2 missing · 1 tag' }),
      'web…1114 · From the AP c… · 2 missing · 1 tag',
    );
  });

  it('has what fits as it is, and nothing in the place of what is not there', () => {
    assert.equal(described('dev-s1', { words: 'It rains .', summary: '' }), 'dev-s1 · It rains .');
    assert.equal(described('123_4567', { words: '', summary: '' }), '123_4567');
    assert.equal(described('1234_5678', { words: '', summary: '' }), '123…5678');
  });

  it('keeps the marks of direction around what it shortens, and letters whole', () => {
    const isolated = '\u2068שלום לכולם בעיר הגדולה\u2069';
    const said = described('1', { words: isolated, summary: '1 tag' });
    assert.equal(said, '1 · \u2068שלום לכולם בע…\u2069 · 1 tag');
    const letters = described('1', { words: '𝔸'.repeat(20), summary: '' });
    assert.equal(letters, `1 · ${'𝔸'.repeat(13)}…`);
  });
});
