import assert from 'node:assert/strict';
import {
  isByCursor,
  leads,
  reported,
  restingMilliseconds,
  sentTo,
} from '../../src/scrolling/following';

describe('what an editor reports that was scrolled from here', () => {
  const late = 5 * restingMilliseconds;

  it('is no scrolling of its own, however late it comes', () => {
    const sent = sentTo(20, 0, undefined);
    assert.ok(reported(20, late, sent));
    assert.ok(reported(20.4, late, sent));
  });

  it('is so for every place that it was sent to, in order', () => {
    const sent = [10, 20, 30].reduce(
      (before, row) => sentTo(row, 0, before),
      sentTo(0, 0, undefined),
    );
    const first = reported(10, late, sent);
    assert.ok(first);
    const third = reported(30, 2 * late, first);
    assert.ok(third);
    // Between 20 and 30 it was, if anywhere, before it came to 30.
    assert.equal(reported(20, 4 * late, third), undefined);
  });

  it('is so once: who goes there again goes there by himself', () => {
    const after = reported(20, late, sentTo(20, 0, undefined));
    assert.ok(reported(21, late + restingMilliseconds - 1, after));
    assert.equal(reported(20, late + restingMilliseconds, after), undefined);
  });

  it('is its own scrolling elsewhere, but for a moment', () => {
    const sent = sentTo(20, 0, undefined);
    assert.ok(reported(5, restingMilliseconds - 1, sent));
    assert.equal(reported(5, restingMilliseconds, sent), undefined);
    assert.equal(reported(5, 0, undefined), undefined);
  });

  it('is its own once it has rested, if it has been where it was sent and is elsewhere now', () => {
    const sent = sentTo(20, 0, undefined);
    assert.equal(reported(5, 1, sent)?.astray, false, 'it may not get any further');
    const there = reported(20, 1, sent);
    assert.equal(there?.astray, false);
    assert.equal(reported(20.5, 2, there)?.astray, false, 'the same row');
    const away = reported(24, 2, there);
    assert.equal(away?.astray, true);
    assert.equal(reported(20, 3, away)?.astray, false, 'back again');
    assert.equal(sentTo(30, 3, away).astray, false, 'sent elsewhere');
  });
});

describe('an editor that has scrolled by itself', () => {
  const moments = [0, 1499, 1500, 4999, 5000];

  it('leads when nobody has moved the cursor in another one for a while', () => {
    assert.deepEqual(
      moments.map((since) => leads(false, since)),
      [false, false, true, true, true],
    );
  });

  it('waits longer where it was sent: numbers that come late push it away', () => {
    assert.deepEqual(
      moments.map((since) => leads(false, since, 'has been there')),
      [false, false, false, false, true],
    );
  });

  it('leads at once if it has the focus, by its cursor or by itself', () => {
    assert.ok(moments.every((since) => leads(true, since) && leads(true, since, 'has been there')));
    assert.deepEqual(moments.map(isByCursor), [true, true, false, false, false]);
  });
});
