// What can be known of a failure, before the window is gone: how it looks, what VS Code has told its
// user, what the pages of panels say, and what the extension's log says of what was asked and
// answered. The least of it is told again when all is over: of some runs only the end is kept.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { complaints, root, type Stage } from './stage';

/** Pictures. */
export const results = path.join(root, 'test-results');

const mostLines = 80;
const atTheEnd: string[] = [];
process.once('exit', () => {
  for (const line of atTheEnd) console.error(line.slice(0, 600));
});

export async function tellOf({ page, server }: Stage, test: string, why: string): Promise<void> {
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
  atTheEnd.push(`\n${test}: ${why}`);
  const seen = [...(await notifications(page)), ...(await pages(page)), ...complaints.slice(-5)];
  for (const told of seen) console.error(told);
  atTheEnd.push(...seen);
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
    return (await messages.allInnerTexts()).map((message) => `VS Code says: ${message}`);
  } catch {
    return [];
  }
}

/** What panels show: VS Code's frame round each, and our page in that. */
async function pages(page: Page): Promise<string[]> {
  const panels = await page.locator('iframe.webview').all();
  const classes = await Promise.all(panels.map((panel) => panel.getAttribute('class')));
  const texts = page.frames().map(async (frame) => {
    if (!/webview|fake/u.test(frame.url())) return [];
    const text = frame.locator('body').innerText({ timeout: 5000 });
    const shown = await text.catch((error: unknown) => String(error));
    return [`page ${frame.name()}: ${shown.replaceAll(/\s+/gu, ' ').slice(0, 150)}`];
  });
  return [...classes.map((name) => `panel ${name ?? ''}`), ...(await Promise.all(texts)).flat()];
}

/** Of all files of this name in a folder the one that was written last. */
function newest(folder: string, name: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((one) => path.basename(one) === name)
    .map((one) => path.join(folder, one))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
}
