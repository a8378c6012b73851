import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { patience, Reminder } from '../../src/marks/reminder';

/** Lets what was awaited go on. */
async function settled(): Promise<void> {
  for (let step = 0; step < 5; step++) await Promise.resolve();
}

async function pass(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 100) {
    mock.timers.tick(100);
    await settled();
  }
}

describe('what reminds an editor to ask', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  for (const wait of [250, 2_500, 6_000, 20_000, 62_500]) {
    it(`has one ask that waits ${wait} ms, and anew whenever it is reminded`, async () => {
      let asked = false;
      let waiting: NodeJS.Timeout | undefined;
      const reminder = new Reminder(() => {
        if (asked) return false;
        clearTimeout(waiting);
        waiting = setTimeout(() => (asked = true), wait);
        return true;
      });
      reminder.in(0);
      await pass(3 * wait + patience);
      assert.equal(asked, true);
    });
  }

  it('is as quick again once nothing was left to remind of', async () => {
    const times: number[] = [];
    let now = 0;
    let left = 3;
    const reminder = new Reminder(async () => {
      await Promise.resolve();
      times.push(now);
      return left-- > 0;
    });
    const passed = async (until: number): Promise<void> => {
      for (; now < until; now += 500) await pass(500);
    };
    reminder.in(0);
    await passed(60_000);
    assert.equal(times.length, 4);
    left = 1;
    times.length = 0;
    reminder.in(0);
    await passed(now + patience + 1_000);
    assert.equal(times.length, 2);
  });

  it('rests where the editor has had its time, until there is another reason', async () => {
    let looks = 0;
    const reminder = new Reminder(() => {
      looks += 1;
      return true;
    });
    for (const expected of [7, 14]) {
      reminder.in(0);
      await pass(400_000);
      assert.equal(looks, expected);
    }
  });

  it('rests where it is over, also while it looks', async () => {
    let looks = 0;
    const reminder = new Reminder(async () => {
      looks += 1;
      await Promise.resolve();
      return true;
    });
    reminder.in(0);
    mock.timers.tick(0);
    reminder.dispose();
    await pass(200_000);
    assert.equal(looks, 1);
  });
});
