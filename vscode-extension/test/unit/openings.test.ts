import assert from 'node:assert/strict';
import { Openings } from '../../src/server/openings';

/** Openings one after the other, as the language client makes them: each when it is told to go on. */
function opened(openings: Openings, count: number, told: string[]): (() => void)[] {
  const ends: (() => void)[] = [];
  const gates = Array.from(
    { length: count },
    () => new Promise<void>((resolve) => ends.push(resolve)),
  );
  void (async () => {
    for (const [number, gate] of gates.entries()) {
      await openings.of(gate.then(() => void told.push(`opened ${number}`)));
    }
  })();
  return ends;
}

describe('openings', () => {
  it('hold up nothing where none is under way', async () => {
    const told: string[] = [];
    void new Openings().areThrough().then(() => told.push('asked'));
    await Promise.resolve();
    assert.deepEqual(told, ['asked']);
  });

  it('are not overtaken, nor are those that follow them', async () => {
    const openings = new Openings();
    const told: string[] = [];
    const ends = opened(openings, 3, told);
    const asked = openings.areThrough().then(() => told.push('asked'));
    for (const end of ends) {
      end();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await asked;
    assert.deepEqual(told, ['opened 0', 'opened 1', 'opened 2', 'asked']);
  });

  it('that fail hold up nothing', async () => {
    const openings = new Openings();
    const failing = openings.of(Promise.reject(new Error('gone')));
    await openings.areThrough();
    await assert.rejects(failing);
  });
});
