/**
 * What a dashboard costs a bot, and how soon its page shows what happens.
 *
 * The bot quotes 200 markets while 5,000 changes of books a second come in; in turns it is alone, and watched by three clients. The page
 * is opened in Chromium over loopback; a change is a pause of the bot, until the page says so.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { openDashboard } from '../src/app/dashboard.ts';
import { wallClock } from '../src/clock/index.ts';
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

/** Median of making a report that is not kept any more, ms. */
async function costOf(make: () => string): Promise<number> {
  const costs: number[] = [];
  for (let time = 0; time < 20; time += 1) {
    await pause(250);
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
      { label: 'page and style sheet, gzip', value: bundleKb, unit: 'kB' },
    ],
    ratios: {
      watchedVsAloneMean: middle(watched) / middle(alone),
      watchedVsAloneP99: middle(watched, 'p99') / middle(alone, 'p99'),
    },
    values: { ...page, bundleKb, botMs, marketMs },
    notes: [`${reports} reports went to three clients in ${TURNS * LOAD.seconds} s of load`],
  };
};

async function pageFigures(
  stage: LiveStage,
  socket: string,
): Promise<{ readonly firstViewMs: number; readonly updateLatencyMs: number }> {
  if (NO_CHROMIUM !== undefined) {
    console.error(NO_CHROMIUM);
    return { firstViewMs: Number.NaN, updateLatencyMs: Number.NaN };
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
  await browser.close();
  await dashboard.close();
  return { firstViewMs: quantile(openings, 0.5), updateLatencyMs: quantile(latencies, 0.95) };
}

export default bench;
