// What is left of a line of the worklist in a side bar.
import assert from 'node:assert/strict';
import { described } from '../../src/worklist/line';

describe('a line of the worklist', () => {
  it('has the ends of a long ID, the first words and all that is wrong', () => {
    const words = 'From the AP comes this story :';
    assert.equal(
      described('weblog-juancole.com_juancole_20051114', { words, summary: '2 missing · 1 tag' }),
      'weblog…20051114 · From the AP come… · 2 missing · 1 tag',
    );
  });

  it('has what fits as it is, and nothing in the place of what is not there', () => {
    assert.equal(described('dev-s1', { words: 'It rains .', summary: '' }), 'dev-s1 · It rains .');
    assert.equal(described('123456_12345678', { words: '', summary: '' }), '123456_12345678');
    assert.equal(described('1234567_12345678', { words: '', summary: '' }), '123456…12345678');
  });

  it('keeps the marks of direction around what it shortens, and letters whole', () => {
    const isolated = '\u2068שלום לכולם בעיר הגדולה\u2069';
    const said = described('1', { words: isolated, summary: '1 tag' });
    assert.equal(said, '1 · \u2068שלום לכולם בעיר …\u2069 · 1 tag');
    const letters = described('1', { words: '𝔸'.repeat(20), summary: '' });
    assert.equal(letters, `1 · ${'𝔸'.repeat(16)}…`);
  });
});
