// Waiting for what is seen. Waits end by their condition.
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';

/** Machines differ, and others are at work on them: waits end by their condition, not by this. */
export const patience = Number(process.env.PATIENCE ?? 180_000);

/** Whether something is there within some milliseconds, or gone. */
export function appears(
  locator: Locator,
  milliseconds: number,
  state: 'visible' | 'detached' = 'visible',
): Promise<boolean> {
  return locator.waitFor({ timeout: milliseconds, state }).then(
    () => true,
    () => false,
  );
}

/** Asks until the answer is right; fails with the last answer. */
export async function eventually<T>(
  ask: () => Promise<T>,
  isRight: (answer: T) => boolean,
  wait = patience,
): Promise<T> {
  const deadline = Date.now() + wait;
  // To look takes some of what is looked for: the longer it has taken, the more rarely.
  for (let pause = 100; ; pause = Math.min(2 * pause, 400)) {
    const answer = await ask();
    if (isRight(answer)) return answer;
    assert.ok(Date.now() < deadline, `still ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

export async function expectText(
  locator: Locator,
  pattern: RegExp,
  wait = patience,
): Promise<void> {
  await locator.first().waitFor({ timeout: wait });
  await eventually(
    async () => (await locator.allInnerTexts()).join('\n').replaceAll('\u00a0', ' '),
    (text) => pattern.test(text),
    wait,
  );
}
