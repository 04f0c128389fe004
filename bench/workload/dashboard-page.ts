/** Measures the cost of a dashboard page in Chromium, and the delay until the page shows a change. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { startDashboard } from '../../src/app/start-dashboard.ts';
import { NO_CHROMIUM, openChromium } from '../../test/e2e/chromium.ts';
import { quantile } from '../harness.ts';
import type { LiveHarness } from './live-harness.ts';
import { panFigures } from './long-history.ts';
import { type PageWork, workDuring } from './page-work.ts';

const OPENINGS = 7;
const CHANGES = 30;
/** Each book of a quarter of the markets changes ten times per second. */
const MOVING = { perSecond: 500, seconds: 10, moving: 0.25, markets: 50 };
/** Each market changes once per second, while no load is measured. */
const QUIET = { perSecond: 200, seconds: 1, moving: 0 };

export const MOTION_SECONDS = MOVING.seconds;

export interface PageFigures {
  readonly firstViewMs: number;
  readonly updateLatencyMs: number;
  readonly heapGrowthKb: number;
  /** Work of the market view while books change. */
  readonly motion: PageWork;
  /** Work while a chart is dragged. */
  readonly pan: PageWork;
}

const NO_WORK: PageWork = {
  longestFrameMs: Number.NaN,
  p99FrameMs: Number.NaN,
  longTasks: Number.NaN,
  longestTaskMs: Number.NaN,
};
const NO_FIGURES: PageFigures = {
  firstViewMs: Number.NaN,
  updateLatencyMs: Number.NaN,
  heapGrowthKb: Number.NaN,
  motion: NO_WORK,
  pan: NO_WORK,
};

/** @param folder for the dashboard's files */
export async function pageFigures(harness: LiveHarness, socket: string, folder: string): Promise<PageFigures> {
  if (NO_CHROMIUM !== undefined) {
    console.error(NO_CHROMIUM);
    return NO_FIGURES;
  }
  const paths = { reports: folder, studies: folder, audit: join(folder, 'audit.jsonl') };
  const dashboard = startDashboard({ bots: [{ id: 'bench', socket }], ...paths, port: 0 });
  const started = await dashboard.started;
  if ('problem' in started) throw new Error(started.problem);
  const browser = await openChromium();
  const openings = await keepFresh(harness, () => measureOpenings(browser, started.url));
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  await page.goto(started.url);
  await page.locator('.bots').waitFor();
  const latencies = await keepFresh(harness, () => measureLatencies(harness, page));
  await page.evaluate("location.hash = '#/market'");
  await page.locator('.book').waitFor();
  await harness.feed(MOVING);
  const heapBefore = await heapKb(page);
  const motion = await workDuring(browser, page, folder, () => harness.feed(MOVING));
  const heapGrowthKb = (await heapKb(page)) - heapBefore;
  await page.context().close();
  dashboard.close();
  const market = harness.state.markets[0]?.info.slug ?? '';
  const pan = await keepFresh(harness, () => panFigures({ browser, socket, market, folder }));
  await browser.close();
  const [firstViewMs, updateLatencyMs] = [quantile(openings, 0.5), quantile(latencies, 0.95)];
  return { firstViewMs, updateLatencyMs, heapGrowthKb, motion, pan };
}

/** Collects garbage and returns the heap size. */
async function heapKb(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('HeapProfiler.collectGarbage');
  return (await devtools.send('Runtime.getHeapUsage')).usedSize / 1_000;
}

/** Measures ms to the list of bots, each time in a new browser. */
async function measureOpenings(browser: Browser, url: string): Promise<readonly number[]> {
  const openings: number[] = [];
  for (let time = 0; time < OPENINGS; time += 1) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const begun = performance.now();
    await page.goto(url);
    await page.locator('.bots').waitFor();
    openings.push(performance.now() - begun);
    await context.close();
  }
  return openings;
}

/** Measures ms from each pause of the bot to the frame that shows it. Omits resumes, which first wait for the venue. */
async function measureLatencies(harness: LiveHarness, page: Page): Promise<readonly number[]> {
  const latencies: number[] = [];
  for (let change = 0; change < CHANGES; change += 1) {
    const isPause = change % 2 === 0;
    const seen = page.evaluate(
      `new Promise((resolve) => { const look = () => document.querySelector('.bots').innerText.includes('Paused') === ${isPause} ? resolve(Date.now()) : requestAnimationFrame(look); look(); })`,
    );
    await pause(137);
    const begun = Date.now();
    await harness.bot.operate(isPause ? 'pause' : 'resume', undefined);
    const seenAt = Number(await seen);
    if (isPause) latencies.push(seenAt - begun);
  }
  return latencies;
}

/** Prevents stale books, for which the bot would cancel its quotes. */
export async function keepFresh<Result>(harness: LiveHarness, work: () => Promise<Result>): Promise<Result> {
  let isOver = false;
  const feeding = (async () => {
    while (!isOver) await harness.feed(QUIET);
  })();
  const result = await work();
  isOver = true;
  await feeding;
  return result;
}
