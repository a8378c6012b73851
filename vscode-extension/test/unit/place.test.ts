import assert from 'node:assert/strict';
import { moved, type Place } from '../../src/worklist/place';

const at = (line: number, character: number): Place => ({ line, character });

describe('a place in a text that is edited', () => {
  const put = (start: Place, end: Place, text: string): ((place: Place) => Place) => {
    return (place) => moved(place, { range: { start, end }, text });
  };

  it('moves with its sentence below lines that are put in above it', () => {
    const comment = put(at(3, 0), at(3, 0), '# a\n# b\r\n');
    assert.deepEqual([at(2, 9), at(3, 0), at(3, 4), at(4, 1)].map(comment), [
      at(2, 9),
      at(5, 0),
      at(5, 4),
      at(6, 1),
    ]);
  });

  it('moves up where lines are taken out, and is where they were if it was in them', () => {
    const gone = put(at(1, 0), at(3, 0), '');
    assert.deepEqual([at(0, 5), at(1, 0), at(2, 2), at(3, 4), at(9, 1)].map(gone), [
      at(0, 5),
      at(1, 0),
      at(1, 0),
      at(1, 4),
      at(7, 1),
    ]);
  });

  it('moves along its line', () => {
    const longer = put(at(1, 2), at(1, 4), 'abc');
    assert.deepEqual([at(1, 1), at(1, 3), at(1, 4), at(2, 4)].map(longer), [
      at(1, 1),
      at(1, 2),
      at(1, 5),
      at(2, 4),
    ]);
  });
});
