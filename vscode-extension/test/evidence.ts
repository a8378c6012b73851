// What can be known of a failure, before the window is gone: how it looks, and what the extension's
// log says of what was asked and answered.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
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
  const log = newest(path.join(server.home, 'data', 'logs'), 'Treelens.log');
  const lines = log === undefined ? ['no log'] : readFileSync(log, 'utf8').trimEnd().split('\n');
  console.error(lines.slice(-mostLines).join('\n'));
}

/** Of all files of this name in a folder the one that was written last. */
function newest(folder: string, name: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((one) => path.basename(one) === name)
    .map((one) => path.join(folder, one))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
}
