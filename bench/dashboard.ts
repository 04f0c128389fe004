/**
 * What a dashboard costs a bot, and how soon its page shows what happens.
 *
 * The bot quotes 200 markets while 5,000 changes of books a second come in; in turns it is alone, and watched by three clients. The page
 * is opened in Chromium over loopback; a change is a pause of the bot, until the page says so. Then books of 50 markets move while the
 * page shows one of them: gaps between frames, tasks of more than 50 ms, and what the page's heap grows by.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { openDashboard } from '../src/app/dashboard.ts';
import { wallClock } from '../src/clock/index.ts';
import { Samples } from '../src/dashboard/api/samples.ts';
import { ControlServer } from '../src/ops/index.ts';
import { NO_CHROMIUM, openChromium } from '../test/e2e/chromium.ts';
import { openPen } from '../test/server/trader.ts';
import type { Bench } from './harness.ts';
import { SILENT } from './workload/live-parts.ts';
import { LiveStage } from './workload/live-stage.ts';
import { VenueProcess } from './workload/venue-process.ts';

const FOLDER = join(import.meta.dirname, 'out', 'dashboard');
const PAGE = join(import.meta.dirname, '../src/dashboard/web/dist/assets');
const MARKETS = 200;
const LOAD = { perSecond: 5_000, seconds: 6, moving: 0.1 };
const TURNS = 5;
const OPENINGS = 7;
const CHANGES = 20;
/** Books of a quarter of the markets move, each ten times a second. */
const MOVING = { perSecond: 500, seconds: 20, moving: 0.25 };
/** The heap is compared over so many rounds of `MOVING`; the first one warms it up. */
const ROUNDS = 4;
/** A million seconds of history, and points of a chart. */
const HISTORY = { samples: 1_000_000, points: 600 };

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN;
}

/** Mean and 99th percentile of the age of a frame before it is read, ms. */
async function agesOf(stage: LiveStage): Promise<{ readonly mean: number; readonly p99: number }> {
  stage.ages.length = 0;
  await stage.feed(LOAD);
  return { mean: stage.ages.reduce((sum, age) => sum + age, 0) / stage.ages.length, p99: quantile(stage.ages, 0.99) };
}

/** A report is made again after at most this: the pause is long, as a shorter one would measure the kept text. */
const REST_MS = 3_000;

/** Median of making a report that is not kept any more, ms. */
async function costOf(make: () => string): Promise<number> {
  const costs: number[] = [];
  for (let time = 0; time < 7; time += 1) {
    await pause(REST_MS);
    const begun = performance.now();
    make();
    costs.push(performance.now() - begun);
  }
  return quantile(costs, 0.5);
}

async function watchers(socket: string, markets: readonly string[]): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'workload/watching-child.ts'), [socket, ...markets]);
  const [said] = await once(child, 'message');
  if (said.problem !== undefined) throw new Error(said.problem);
  return child;
}

const bench: Bench = async () => {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const venue = await VenueProcess.open();
  const markets = await venue.openMarkets(MARKETS);
  const pen = await openPen();
  const stage = await LiveStage.open({
    url: venue.url,
    markets,
    pen,
    account: 21,
    folder: FOLDER,
    lossUsd: 1e6,
    mostHeld: 1e6,
    minAgeMs: 1_000,
  });
  const socket = join(FOLDER, 'bot.sock');
  const control = await ControlServer.listen({ path: socket, bot: stage.bot, clock: wallClock(), log: SILENT });
  await agesOf(stage);
  const [alone, watched]: { mean: number; p99: number }[][] = [[], []];
  let reports = 0;
  for (let turn = 0; turn < TURNS; turn += 1) {
    alone?.push(await agesOf(stage));
    const child = await watchers(socket, markets.slice(0, 3));
    watched?.push(await agesOf(stage));
    child.send('count');
    const [said] = await once(child, 'message');
    reports += said.reports;
    child.disconnect();
  }
  const middle = (turns: readonly { mean: number; p99: number }[] = [], of: 'mean' | 'p99' = 'mean') =>
    quantile(
      turns.map((turn) => turn[of]),
      0.5,
    );
  const [botMs, marketMs] = [
    await costOf(() => stage.bot.watch()),
    await costOf(() => stage.bot.watchMarket(markets[0] ?? '')),
  ];
  const page = await pageFigures(stage, socket);
  await control.close();
  await stage.close();
  await venue.close();
  const bundleKb = readdirSync(PAGE).reduce(
    (sum, name) => sum + gzipSync(readFileSync(join(PAGE, name))).length / 1_000,
    0,
  );
  const historyMs = historyCost();
  return {
    results: [
      { label: 'frame to bot, alone, mean', value: middle(alone), unit: 'ms' },
      { label: 'frame to bot, watched, mean', value: middle(watched), unit: 'ms' },
      { label: 'frame to bot, alone, p99', value: middle(alone, 'p99'), unit: 'ms' },
      { label: 'frame to bot, watched, p99', value: middle(watched, 'p99'), unit: 'ms' },
      { label: 'making the report of a bot with 200 markets', value: botMs, unit: 'ms' },
      { label: 'making the report of a market', value: marketMs, unit: 'ms' },
      { label: 'page, first view', value: page.firstViewMs, unit: 'ms' },
      { label: 'pause of the bot to the painted page, p95', value: page.updateLatencyMs, unit: 'ms' },
      { label: '50 markets moving: longest time between frames', value: page.longestFrameMs, unit: 'ms' },
      { label: '50 markets moving: the same, p99', value: page.p99FrameMs, unit: 'ms' },
      { label: '50 markets moving: tasks of more than 50 ms', value: page.longTasks, unit: '' },
      { label: `heap of the page, growth in ${(ROUNDS - 1) * MOVING.seconds} s`, value: page.heapGrowthKb, unit: 'kB' },
      { label: 'thinning of a week for a chart, after 1M samples', value: historyMs, unit: 'ms' },
      { label: 'page and style sheet, gzip', value: bundleKb, unit: 'kB' },
    ],
    ratios: {
      watchedVsAloneMean: middle(watched) / middle(alone),
      watchedVsAloneP99: middle(watched, 'p99') / middle(alone, 'p99'),
    },
    values: { ...page, historyMs, bundleKb, botMs, marketMs },
    notes: [`${reports} reports went to three clients in ${TURNS * LOAD.seconds} s of load`],
  };
};

/** Median of making the points of a chart, ms. */
function historyCost(): number {
  const samples = new Samples();
  for (let second = 0; second < HISTORY.samples; second += 1) samples.add(second * 1_000, [second, 1, 2, 3]);
  const costs = Array.from({ length: 50 }, () => {
    const begun = performance.now();
    samples.since((HISTORY.samples - 7 * 86_400) * 1_000, HISTORY.points);
    return performance.now() - begun;
  });
  return quantile(costs, 0.5);
}

interface PageFigures {
  readonly firstViewMs: number;
  readonly updateLatencyMs: number;
  readonly longestFrameMs: number;
  readonly p99FrameMs: number;
  readonly longTasks: number;
  readonly heapGrowthKb: number;
}

/** Of the market's view while books move. */
async function motionFigures(
  stage: LiveStage,
  page: Page,
): Promise<Pick<PageFigures, 'longestFrameMs' | 'p99FrameMs' | 'longTasks' | 'heapGrowthKb'>> {
  await page.evaluate("location.hash = '#/market'");
  await page.locator('.book').waitFor();
  await page.evaluate(`
    window.frameGaps = []; window.longTasks = 0;
    new PerformanceObserver((list) => { longTasks += list.getEntries().length; }).observe({ entryTypes: ['longtask'] });
    let last = performance.now();
    const frame = (now) => { frameGaps.push(now - last); last = now; requestAnimationFrame(frame); };
    requestAnimationFrame(frame);`);
  const devtools = await page.context().newCDPSession(page);
  const heaps: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await stage.feed(MOVING);
    await devtools.send('HeapProfiler.collectGarbage');
    heaps.push((await devtools.send('Runtime.getHeapUsage')).usedSize);
  }
  const [frames, longTasks] = await page.evaluate<[number[], number]>('[frameGaps, longTasks]');
  return {
    longestFrameMs: Math.max(...frames),
    p99FrameMs: quantile(frames, 0.99),
    longTasks,
    heapGrowthKb: ((heaps.at(-1) ?? 0) - (heaps[0] ?? 0)) / 1_000,
  };
}

async function pageFigures(stage: LiveStage, socket: string): Promise<PageFigures> {
  if (NO_CHROMIUM !== undefined) {
    console.error(NO_CHROMIUM);
    const none = Number.NaN;
    return {
      firstViewMs: none,
      updateLatencyMs: none,
      longestFrameMs: none,
      p99FrameMs: none,
      longTasks: none,
      heapGrowthKb: none,
    };
  }
  const settings = {
    host: '127.0.0.1',
    port: 0,
    isBehindProxy: false,
    names: [],
    reports: FOLDER,
    studies: FOLDER,
    audit: join(FOLDER, 'audit.jsonl'),
  };
  const dashboard = await openDashboard({ ...settings, bots: [{ id: 'bench', address: socket }] });
  const browser = await openChromium();
  const openings: number[] = [];
  for (let time = 0; time < OPENINGS; time += 1) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const begun = performance.now();
    await page.goto(dashboard.url);
    await page.locator('.bots').waitFor();
    openings.push(performance.now() - begun);
    await context.close();
  }
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  await page.goto(dashboard.url);
  await page.locator('.bots').waitFor();
  const latencies: number[] = [];
  for (let change = 0; change < CHANGES; change += 1) {
    const isPause = change % 2 === 0;
    const seen = page.evaluate(
      `new Promise((resolve) => { const look = () => document.querySelector('.bots').innerText.includes('Paused') === ${isPause} ? resolve(Date.now()) : requestAnimationFrame(look); look(); })`,
    );
    await pause(137);
    const begun = Date.now();
    await stage.bot.operate(isPause ? 'pause' : 'resume', undefined);
    latencies.push(Number(await seen) - begun);
  }
  const motion = await motionFigures(stage, page);
  await browser.close();
  await dashboard.close();
  return { firstViewMs: quantile(openings, 0.5), updateLatencyMs: quantile(latencies, 0.95), ...motion };
}

export default bench;
