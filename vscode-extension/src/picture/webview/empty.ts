// What the panel says when there is no picture.
import type { Emptiness } from '../messages';

export function emptyText(why: Emptiness): { heading: string; advice: string } {
  const texts: Record<Emptiness, [string, string]> = {
    'no file': [
      'No treebank file',
      'Open a file of bracketed trees or a CoNLL table: the sentence at its cursor is drawn here.',
    ],
    'no sentence': ['No sentence here', 'Put the cursor into a tree, or into a row of a table.'],
    starting: ['Treelens is starting', 'The picture appears as soon as the file is read.'],
    'no server': [
      'The server is not running',
      'Treelens draws with its server, a Python package that comes with the extension.',
    ],
  };
  const [heading, advice] = texts[why];
  return { heading, advice };
}
