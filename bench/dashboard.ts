/**
 * Measures the cost of a dashboard for a bot, and the delay until the dashboard's page shows a change.
 *
 * Chromium opens the page over loopback. The delay is the time from a pause of the bot to the painted page. Then the
 * books of 50 markets change while the page shows one of them. This gives times between frames, tasks of more than 50
 * ms, and growth of the page's heap.
 *
 * Without a browser, the bot then quotes 200 markets while 5,000 book changes per second arrive, with and without three
 * clients (`workload/watched-load.ts`).
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { gzipSync } from 'node:zlib';
import { compileEarly } from '../src/app/v8-flags.ts';
import { nextEventLoopTurn, wallClock } from '../src/clock/index.ts';
import { Samples } from '../src/dashboard/api/samples.ts';
import { serveControl } from '../src/ops/index.ts';
import { openSigningTools } from '../test/server/trader.ts';
import { type Bench, type BenchRow, quantile } from './harness.ts';
import { keepFresh, MOTION_SECONDS, pageFigures } from './workload/dashboard-page.ts';
import { LiveHarness } from './workload/live-harness.ts';
import { SILENT } from './workload/live-parts.ts';
import { HISTORY_SECONDS } from './workload/long-history.ts';
import type { PageWork } from './workload/page-work.ts';
import { VenueProcess } from './workload/venue-process.ts';
import { watchedLoad } from './workload/watched-load.ts';

const FOLDER = join(import.meta.dirname, 'out', 'dashboard');
const PAGE = join(import.meta.dirname, '../src/dashboard/web/dist/assets');
const MARKETS = 200;
/** Turns per case under load. */
const ROUNDS = 8;
/** Points of a chart. */
const POINTS = 600;

/** Number of timed reports. */
const COSTS = 15;
/** Pause before each report. */
const REST_MS = 1_000;

interface ReportCost {
  /** Time of all slices of a report, with the event loop turns between them. */
  readonly allMs: number;
  /** Maximum time of one slice, in which the bot does nothing else. */
  readonly sliceMs: number;
}

/** Measures median times of a report while the bot is idle. @param lastReport returns the last complete report */
async function measureReport(lastReport: () => string): Promise<ReportCost> {
  const costs: ReportCost[] = [];
  for (let time = 0; time < COSTS; time += 1) {
    await pause(REST_MS);
    const begun = performance.now();
    const before = lastReport();
    let sliceMs = 0;
    let last = begun;
    do {
      await nextEventLoopTurn();
      const now = performance.now();
      sliceMs = Math.max(sliceMs, now - last);
      last = now;
    } while (lastReport() === before);
    costs.push({ allMs: last - begun, sliceMs });
  }
  const [all, slices] = [costs.map(({ allMs }) => allMs), costs.map(({ sliceMs }) => sliceMs)];
  return { allMs: quantile(all, 0.5), sliceMs: quantile(slices, 0.5) };
}

const bench: Bench = async () => {
  // As in src/cli/main.ts, src/cli/program.ts and `halfspread run`.
  setFlagsFromString('--max-semi-space-size=8');
  setFlagsFromString('--semi-space-growth-factor=1');
  compileEarly();
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const venue = await VenueProcess.open();
  const markets = await venue.openMarkets(MARKETS);
  const tools = await openSigningTools();
  const harness = await LiveHarness.open({
    url: venue.url,
    markets,
    tools,
    account: 21,
    folder: FOLDER,
    lossUsd: 1e6,
    maxHeld: 1e6,
    minAgeMs: 1_000,
  });
  const socket = join(FOLDER, 'bot.sock');
  const control = await serveControl({ path: socket, bot: harness.bot, clock: wallClock(), log: SILENT });
  const [botCost, marketCost] = await keepFresh(harness, async () => [
    await measureReport(() => harness.bot.reportJson()),
    await measureReport(() => harness.bot.marketReportJson(markets[0] ?? '')),
  ]);
  const page = await pageFigures(harness, socket, FOLDER);
  const watched = markets.slice(0, 3);
  const load = await watchedLoad({ harness, venuePid: venue.pid, socket, markets: watched, rounds: ROUNDS });
  await control.close();
  await harness.close();
  await venue.close();
  const sizes = readdirSync(PAGE).map((name) => gzipSync(readFileSync(join(PAGE, name))).length);
  const bundleKb = sizes.reduce((sum, bytes) => sum + bytes, 0) / 1_000;
  const historyMs = measureThinning();
  return {
    results: [
      ...load.rows,
      { label: 'report of a bot with 200 markets', value: botCost.allMs, unit: 'ms' },
      { label: 'the same, longest slice', value: botCost.sliceMs, unit: 'ms' },
      { label: 'report of a market', value: marketCost.allMs, unit: 'ms' },
      { label: 'page, first view', value: page.firstViewMs, unit: 'ms' },
      { label: 'pause of the bot to the painted page, p95', value: page.updateLatencyMs, unit: 'ms' },
      ...workRows('50 markets moving', page.motion),
      ...workRows(`chart of a week dragged over ${HISTORY_SECONDS} s of history`, page.pan),
      { label: `heap of the page, growth in ${MOTION_SECONDS} s`, value: page.heapGrowthKb, unit: 'kB' },
      { label: 'thinning of 1M samples for a chart', value: historyMs, unit: 'ms' },
      { label: 'page and style sheet, gzip', value: bundleKb, unit: 'kB' },
    ],
    ratios: load.ratios,
    values: {
      firstViewMs: page.firstViewMs,
      updateLatencyMs: page.updateLatencyMs,
      heapGrowthKb: page.heapGrowthKb,
      ...page.motion,
      panLongestFrameMs: page.pan.longestFrameMs,
      panP99FrameMs: page.pan.p99FrameMs,
      panLongestTaskMs: page.pan.longestTaskMs,
      historyMs,
      bundleKb,
      botMs: botCost.allMs,
      botSliceMs: botCost.sliceMs,
      marketMs: marketCost.allMs,
    },
    notes: load.notes,
  };
};

function workRows(label: string, work: PageWork): readonly BenchRow[] {
  return [
    { label: `${label}: longest time between frames`, value: work.longestFrameMs, unit: 'ms' },
    { label: `${label}: the same, p99`, value: work.p99FrameMs, unit: 'ms' },
    { label: `${label}: tasks of more than 50 ms`, value: work.longTasks, unit: '' },
    { label: `${label}: maximum processor time of a task`, value: work.longestTaskMs, unit: 'ms' },
  ];
}

/** Returns the median time of computing the points of a chart, ms. */
function measureThinning(): number {
  const samples = new Samples(4);
  samples.keepSeconds(HISTORY_SECONDS);
  for (let second = 0; second < HISTORY_SECONDS; second += 1) samples.add(second * 1_000, [second, 1, 2, 3]);
  const costs = Array.from({ length: 50 }, () => {
    const begun = performance.now();
    samples.between(0, HISTORY_SECONDS * 1_000, POINTS);
    return performance.now() - begun;
  });
  return quantile(costs, 0.5);
}

export default bench;
