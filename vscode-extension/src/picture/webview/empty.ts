// What the panel says when there is no picture, and what can be done about it.
import type { Cure, Emptiness } from '../messages';

export interface EmptyText {
  heading: string;
  advice: string;
  button?: { label: string; cure: Cure };
}

const texts: Record<Emptiness, EmptyText> = {
  'no file': {
    heading: 'No treebank file',
    advice: 'Open bracketed trees or a CoNLL table: the sentence at the cursor is drawn here.',
  },
  'no sentence': {
    heading: 'No sentence here',
    advice: 'Put the cursor into a tree, or into a row of a table.',
  },
  starting: {
    heading: 'Treelens is starting',
    advice: 'The picture appears as soon as the file is read.',
  },
  'no server': {
    heading: 'The server is not set up',
    advice: 'Treelens draws with its server, a Python package that comes with the extension.',
    button: { label: 'Set Up Server', cure: 'setUpServer' },
  },
  stopped: {
    heading: 'The server has stopped',
    advice: 'The log says why.',
    button: { label: 'Restart Server', cure: 'restartServer' },
  },
};

export function emptyText(why: Emptiness): EmptyText {
  return texts[why];
}
