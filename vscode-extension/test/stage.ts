// What all windows of a run have in common: one page of one Chromium, which keep VS Code's code
// compiled, and one VS Code server. Nothing else is left of a window for the next one: no setting,
// no state of the browser or of the user's folders, no process.
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { startCodeServer, writeSettings, type CodeServer } from '../scripts/code-server.mjs';
import { writeKeys } from './keys';

export const extensionRoot = path.join(__dirname, '..');
export const root = path.join(extensionRoot, '..');

const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Stage {
  server: CodeServer;
  page: Page;
}

/** What the windows' pages have written as errors, the last ones last. */
export const complaints: string[] = [];

let browser: BrowserContext | undefined;
/** One after the other in the same page: another's process would parse all of VS Code anew. */
let page: Page | undefined;
/** By whether all that they open is trusted, which cannot be changed later. */
const servers = new Map<boolean, CodeServer>();

/** An empty page, and a server with these settings and no memory. */
export async function enter(settings: Record<string, unknown>): Promise<Stage> {
  const server = await serverFor(settings);
  writeKeys(server.home);
  browser ??= await launch();
  await browser.clearPermissions();
  page ??= await still(listenedTo(await browser.newPage()));
  const devtools = await browser.newCDPSession(page);
  await devtools.send('Storage.clearDataForOrigin', {
    origin: `http://${server.origin}`,
    // All but the cache of what was fetched, with what was compiled of it.
    storageTypes: 'cookies,file_systems,indexeddb,local_storage,service_workers,cache_storage',
  });
  await devtools.detach();
  return { server, page };
}

function listenedTo(opened: Page): Page {
  opened.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text().split('\n')[0]}`);
  });
  opened.on('pageerror', ({ message }) => complaints.push(`error: ${message}`));
  return opened;
}

/** Has a page that is asked for less motion have none: bars would still fade away after each scroll.
 * And any page draw 25 times a second at most: all of a window's work is up to a tenth less. */
async function still(opened: Page): Promise<Page> {
  const style =
    '@media (prefers-reduced-motion) { * { transition: none !important; animation: none !important } }';
  await opened.addInitScript((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets.push(sheet);
  }, style);
  await opened.addInitScript(drawRarely, 40);
  return opened;
}

/** What is asked for before the next frame is done in one so many milliseconds after the last one
 * at the earliest; it runs in the page. */
function drawRarely(milliseconds: number): void {
  const ask = window.requestAnimationFrame.bind(window);
  const waiting = new Map<number, FrameRequestCallback>();
  let asked = 0;
  let last = 0;
  let isDue = false;
  const draw = (now: number): void => {
    last = now;
    isDue = false;
    for (const [number, callback] of [...waiting]) {
      // (One may take back another.)
      if (!waiting.delete(number)) continue;
      try {
        callback(now);
      } catch (error) {
        reportError(error);
      }
    }
  };
  window.requestAnimationFrame = (callback) => {
    if (!isDue) setTimeout(() => ask(draw), Math.max(0, milliseconds - (performance.now() - last)));
    isDue = true;
    waiting.set(++asked, callback);
    return asked;
  };
  window.cancelAnimationFrame = (number) => {
    waiting.delete(number);
  };
}

/** Returns when everything that the window had running has ended. */
export async function leave({ server, page }: Stage): Promise<void> {
  await page.evaluate(() => {
    sessionStorage.clear();
  });
  // A window says goodbye when another page comes; one that is closed might come back for hours.
  await page.goto('about:blank');
  await page.mouse.move(0, 0);
  // Whoever watches a browser keeps its service workers, and they keep two hundred megabytes each.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('ServiceWorker.enable');
  await devtools.send('ServiceWorker.stopAllWorkers');
  await devtools.detach();
  if (await isLeft(server, 10_000)) return;
  // One that was still starting has not said it.
  signal(server, 'pkill', extensionHost);
  if (await isLeft(server, 60_000)) return;
  await stop(server);
  throw new Error('What a window had running has not ended with it.');
}

after(async () => {
  await browser?.close();
  for (const server of servers.values()) await stop(server);
});

async function serverFor(settings: Record<string, unknown>): Promise<CodeServer> {
  const isTrusted = settings['security.workspace.trust.enabled'] !== true;
  const running = servers.get(isTrusted);
  if (running !== undefined) {
    forget(running);
    writeSettings(running.home, settings);
    return running;
  }
  const server = await startCodeServer({
    scripts: path.join(extensionRoot, 'scripts'),
    settings,
    vsix: path.join(root, 'dist', 'treelens.vsix'),
  });
  servers.set(isTrusted, server);
  return server;
}

/** Empties the user's folders; what the server itself has open stays. */
function forget({ home }: CodeServer): void {
  const own = ['data', 'config.yaml', 'code-server.log', 'extensions'];
  const others = readdirSync(home).filter((name) => !own.includes(name));
  for (const name of [...others, path.join('data', 'User')]) {
    rmSync(path.join(home, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

async function stop(server: CodeServer): Promise<void> {
  for (const [kind, running] of servers) if (running === server) servers.delete(kind);
  await server.stop();
}

const extensionHost = '--type=extensionHost';

/** Whether no window's extensions, nor the server that they started, are there within a time. */
async function isLeft(server: CodeServer, milliseconds: number): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  while (signal(server, 'pgrep', `${extensionHost}|treelens server`)) {
    if (Date.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}

/** Whether a server has processes of this kind; with `pkill`, they are told to end, or ended. */
export function signal(
  { group }: CodeServer,
  program: 'pgrep' | 'pkill',
  pattern: string,
  ...options: string[]
): boolean {
  const which = ['-g', String(group), '-f', '--', pattern];
  try {
    execFileSync(program, [...options, ...which], { stdio: 'ignore' });
    return true;
  } catch (error) {
    if ((error as { status?: number }).status === 1) return false;
    throw error;
  }
}

async function launch(): Promise<BrowserContext> {
  const executablePath = execFileSync(path.join(extensionRoot, 'scripts', 'ensure-chromium.sh'), {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();
  // With a profile on disk, of this run alone: only so is compiled code kept.
  const context = await chromium.launchPersistentContext('', {
    executablePath,
    args: chromiumFlags,
  });
  context.once('close', () => {
    browser = undefined;
    page = undefined;
  });
  return context;
}
