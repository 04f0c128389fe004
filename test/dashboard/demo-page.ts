/** The dashboard of a running demo in Chromium. */
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { wallClock } from '../../src/clock/index.ts';
import type { ControlRequest } from '../../src/ops/control/control-client.ts';
import { type BotStatus, requestBot } from '../../src/ops/index.ts';
import { newFolder, start } from '../cli/halfspread.ts';
import { NO_CHROMIUM, openChromium } from '../e2e/chromium.ts';

export const WIDE = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser: Browser | undefined;
let demo: ChildProcess | undefined;
let url = '';
let socket = '';

/** Starts a demo and Chromium before a file's tests, and ends them afterwards. Skips the tests without Chromium. */
export function startDemoForTests(): void {
  beforeAll(async () => {
    if (NO_CHROMIUM !== undefined) return;
    browser = await openChromium();
    const folder = newFolder();
    const keep = join(folder, 'demo');
    socket = join(keep, 'bot.sock');
    demo = start(
      [
        ...'demo --from 2022-07-11T10:00:00Z --duration 30m'.split(' '),
        ...['--keep', keep, '--report', join(folder, 'demo.html')],
      ],
      folder,
    );
    url = await new Promise((resolve, reject) => {
      let text = '';
      demo?.stdout?.on('data', (piece: Buffer) => {
        text += piece.toString('utf8');
        const found = /watch it in a browser: (\S+)/.exec(text)?.[1];
        if (found !== undefined) resolve(found);
      });
      demo?.once('exit', () => reject(new Error(`the demo ended: ${text}`)));
    });
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    demo?.kill('SIGCONT');
    demo?.kill('SIGKILL');
  });

  beforeEach((context) => {
    if (NO_CHROMIUM !== undefined) context.skip(NO_CHROMIUM);
  });
}

export interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors in the browser's console. */
  readonly errors: string[];
}

export async function openPage(viewport: typeof WIDE, view = 'fleet'): Promise<Opened> {
  if (browser === undefined) throw new Error('there is no browser');
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce', colorScheme: 'dark' });
  // Long, because only a page that hangs should reach it.
  context.setDefaultTimeout(90_000);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('the server responded with a status of 401'))
      errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(url);
  await page
    .locator('.bots')
    .waitFor()
    .catch(async (cause: unknown) => {
      const text = await page.locator('body').innerText();
      throw new Error(`the page shows "${text}", the console says ${JSON.stringify(errors)}`, { cause });
    });
  await page.evaluate((name) => {
    location.hash = `#/${name}`;
  }, view);
  return { page, context, errors };
}

export async function status(): Promise<BotStatus> {
  return (await command('status')) as BotStatus;
}

/** Sends a command to the bot of the demo. */
export function command(name: ControlRequest['command'], args: ControlRequest['args'] = {}): Promise<unknown> {
  return requestBot(socket, { command: name, args }, wallClock());
}

/** Sends a signal to the process of the demo. */
export function signalDemo(signal: 'SIGSTOP' | 'SIGCONT'): void {
  demo?.kill(signal);
}

/** Opens a page without a session, at the address without its token. */
export async function openSignedOut(): Promise<Page> {
  if (browser === undefined) throw new Error('there is no browser');
  const page = await browser.newPage();
  await page.goto(url.split('#')[0] ?? '');
  return page;
}

export async function isInWindow(page: Page, button: string): Promise<boolean> {
  const box = await page.getByRole('button', { name: button }).boundingBox();
  const { width = 0 } = page.viewportSize() ?? {};
  return box !== null && box.x >= 0 && box.x + box.width <= width;
}

/** Returns serious and critical findings of axe. */
export async function findings(page: Page): Promise<readonly string[]> {
  return await page.evaluate(
    `(async () => { ${AXE}; const { violations } = await axe.run(document);
       return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
         .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')); })()`,
  );
}
