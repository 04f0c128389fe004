/** A bot whose books move ten times a second, its dashboard as users start it, and a page that shows a market. */
import { join } from 'node:path';
import process from 'node:process';
import type { CDPSession, Page } from 'playwright-core';
import { afterThisFile } from '../cleanup.ts';
import { start } from '../cli/halfspread.ts';
import { openChromium } from '../e2e/chromium.ts';
import { fakeBot } from './fake-bot.ts';
import { marketLine, marketReport, report } from './reports.ts';

const MARKETS = 50;
const EVERY_MS = 100;
const NOTES = join(import.meta.dirname, '../cli/memory-notes.mjs');

export interface MovingBot {
  readonly page: Page;
  /** Heap size of the page after a collection, and its number of elements. */
  pageMemory(): Promise<{ readonly mb: number; readonly nodes: number }>;
  close(): Promise<void>;
}

/** @param notes file to which the process of the dashboard writes its memory (test/cli/memory-notes.mjs) */
export async function openMovingBot(folder: string, notes: string): Promise<MovingBot> {
  const bot = await fakeBot();
  let moves = 0;
  const move = (): void => {
    moves += 1;
    const markets = Array.from({ length: MARKETS }, (_, at) => {
      const step = 10 * ((moves * (at + 3)) % 40);
      const [bid, ask] = [6_000 + step, 6_100 + step];
      const own = { ownBid: bid - 10, ownAsk: ask + 10 };
      return marketLine({ slug: `rain-${at}`, bid, ask, doubleMid: bid + ask, ...own, bookAgeMs: moves % 900 });
    });
    const [first] = markets;
    if (first === undefined) return;
    bot.watchResponse = report({ markets, now: Date.now(), fills: 0 });
    const trades = Array.from({ length: 50 }, (_, at) => {
      return { time: moves * EVERY_MS - at, taker: 'BID' as const, price: first.ask ?? 0, shares: moves, own: false };
    });
    bot.responses.set('watch-market', marketReport(first, { trades }));
    bot.push();
  };
  move();
  const timer = setInterval(move, EVERY_MS);
  const env = { ...process.env, NODE_OPTIONS: `--import=${NOTES}`, MEMORY_NOTES: notes };
  const child = start(['dashboard', `moving=${bot.socket}`, '--port', '0'], folder, [], env);
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    const onOutput = (piece: Buffer): void => {
      output += piece.toString('utf8');
      const found = /http:\/\/\S+/.exec(output)?.[0];
      if (found !== undefined) resolve(found);
    };
    child.stdout?.on('data', onOutput);
    child.stderr?.on('data', onOutput);
    child.once('exit', () => reject(new Error(`the dashboard ended: ${output}`)));
  });
  const browser = await openChromium();
  const page = await (await browser.newContext()).newPage();
  await page.goto(url);
  await page.locator('.bots').waitFor();
  await page.evaluate("location.hash = '#/market/moving/rain-0'");
  await page.locator('.book').waitFor();
  const devtools: CDPSession = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  const close = async (): Promise<void> => {
    clearInterval(timer);
    await browser.close();
    child.kill('SIGKILL');
    await bot.close();
  };
  afterThisFile.add(close);
  return {
    page,
    async pageMemory() {
      await devtools.send('HeapProfiler.collectGarbage');
      const { usedSize } = await devtools.send('Runtime.getHeapUsage');
      const { metrics } = await devtools.send('Performance.getMetrics');
      return { mb: usedSize / 1e6, nodes: metrics.find(({ name }) => name === 'Nodes')?.value ?? 0 };
    },
    close,
  };
}
