import assert from 'node:assert/strict';
import type { CancellationToken } from 'vscode';
import { Bars, type Show } from '../../src/server/bars';

describe('what is shown of long work', () => {
  let shown: string[];
  let cancelled: (number | string)[];
  let cancel: () => void;
  let bars: Bars;

  beforeEach(() => {
    shown = [];
    cancelled = [];
    const show: Show = (title, task) => {
      shown.push(title);
      const cancellation = {
        onCancellationRequested: (listener: () => void) => {
          cancel = listener;
        },
      } as unknown as CancellationToken;
      const report = ({ message = '', increment = 0 }): void => {
        shown.push(`${message} +${increment}`);
      };
      return task({ report }, cancellation).then(() => void shown.push('over'));
    };
    bars = new Bars(show, (token) => cancelled.push(token), 1);
  });

  const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

  it('comes after a moment, goes on from what was done by then, and can be cancelled', async () => {
    bars.handle('a', { kind: 'begin', title: 'aligning' });
    bars.handle('a', { kind: 'report', percentage: 40, message: '40 %' });
    await moment();
    assert.deepEqual(shown, ['Treelens: aligning', '40 % +40']);
    bars.handle('a', { kind: 'report', percentage: 70 });
    cancel();
    bars.handle('a', { kind: 'end' });
    await moment();
    assert.deepEqual(shown.slice(2), ['40 % +30', 'over']);
    assert.deepEqual(cancelled, ['a']);
  });

  it('is nothing of what was done at once', async () => {
    bars.handle(1, { kind: 'begin', title: 'aligning' });
    bars.handle(1, { kind: 'end' });
    await moment();
    assert.deepEqual(shown, []);
  });

  it('goes with the server, which cannot say any more that it has ended', async () => {
    bars.handle('a', { kind: 'begin', title: 'aligning' });
    await moment();
    bars.handle('b', { kind: 'begin', title: 'counting' });
    bars.endAll();
    await moment();
    assert.deepEqual(shown, ['Treelens: aligning', ' +0', 'over']);
    // The next server numbers its work anew.
    bars.handle('a', { kind: 'begin', title: 'sorting' });
    await moment();
    assert.deepEqual(shown.slice(3), ['Treelens: sorting', ' +0']);
    bars.endAll();
  });
});
