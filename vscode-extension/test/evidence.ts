// What can be known of a failure, before the window is gone: how it looks, what VS Code has told its
// user, and what the extension's log says of what was asked and answered.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { root, type Stage } from './stage';

/** Pictures. */
export const results = path.join(root, 'test-results');

const mostLines = 80;

export async function tellOf({ page, server }: Stage, test: string): Promise<void> {
  mkdirSync(results, { recursive: true });
  const picture = path.join(
    results,
    `failed ${test.replaceAll(/[^\w .-]/g, '').slice(0, 150)}.png`,
  );
  console.error(`\n${test}: ${picture}`);
  try {
    await page.screenshot({ path: picture, timeout: 30_000 });
  } catch (error) {
    console.error(`No picture: ${String(error)}`);
  }
  for (const told of await notifications(page)) console.error(`VS Code says: ${told}`);
  const log = newest(path.join(server.home, 'data', 'logs'), 'Treelens.log');
  const lines = log === undefined ? ['no log'] : readFileSync(log, 'utf8').trimEnd().split('\n');
  console.error(lines.slice(-mostLines).join('\n'));
}

/** Also those that are not in view any more. */
async function notifications(page: Page): Promise<string[]> {
  try {
    const bell = page.locator('[id="status.notifications"] a');
    await bell.dispatchEvent('click', undefined, { timeout: 5000 });
    const messages = page.locator('.notifications-center .notification-list-item-message');
    await messages.first().waitFor({ timeout: 5000 });
    return await messages.allInnerTexts();
  } catch {
    return [];
  }
}

/** Of all files of this name in a folder the one that was written last. */
function newest(folder: string, name: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((one) => path.basename(one) === name)
    .map((one) => path.join(folder, one))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
}
