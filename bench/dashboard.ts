/**
 * What a dashboard costs a bot, and how soon its page shows what happens.
 *
 * The page is opened in Chromium over loopback; a change is a pause of the bot, until the page says so. Then books of 50 markets move while
 * the page shows one of them: gaps between frames, tasks of more than 50 ms, and what the page's heap grows by.
 *
 * Without a browser the bot then quotes 200 markets while 5,000 changes of books a second come in; in turns it is alone, and watched by three
 * clients. Its thread has a core to itself and the venue, the feeder and the clients share the rest: where all share two cores, the age of
 * a frame is mostly the time that another process keeps the bot from its core.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { compileEarly } from '../src/app/v8-flags.ts';
import { nextTurn, wallClock } from '../src/clock/index.ts';
import { Samples } from '../src/dashboard/api/samples.ts';
import { ControlServer } from '../src/ops/index.ts';
import { openPen } from '../test/server/trader.ts';
import { type Bench, type BenchRow, row, type Sample, summarise } from './harness.ts';
import { keepFresh, MOTION_SECONDS, pageFigures } from './workload/dashboard-page.ts';
import { SILENT } from './workload/live-parts.ts';
import { LiveStage } from './workload/live-stage.ts';
import { HISTORY_SECONDS } from './workload/long-history.ts';
import { ownCore } from './workload/own-core.ts';
import type { PageWork } from './workload/page-work.ts';
import { quantile } from './workload/quantile.ts';
import { VenueProcess } from './workload/venue-process.ts';

const FOLDER = join(import.meta.dirname, 'out', 'dashboard');
const PAGE = join(import.meta.dirname, '../src/dashboard/web/dist/assets');
const MARKETS = 200;
const LOAD = { perSecond: 5_000, seconds: 6, moving: 0.1 };
const TURNS = 7;
/** Of a chart. */
const POINTS = 600;

interface Ages {
  /** Of the age of a frame before it is read, ms. */
  readonly mean: number;
  readonly p99: number;
  /** Of the age of a frame when the signed order that it led to was written, ms. */
  readonly orderP99: number;
  /** What the bot's process took of a processor, 1 for all of one. */
  readonly cpu: number;
}

async function agesOf(stage: LiveStage): Promise<Ages> {
  stage.ages.length = 0;
  stage.orderAges.length = 0;
  const before = process.cpuUsage();
  await stage.feed(LOAD);
  const { user, system } = process.cpuUsage(before);
  const mean = stage.ages.reduce((sum, age) => sum + age, 0) / stage.ages.length;
  const [p99, orderP99] = [quantile(stage.ages, 0.99), quantile(stage.orderAges, 0.99)];
  return { mean, p99, orderP99, cpu: (user + system) / 1e6 / LOAD.seconds };
}

/** After so long a report is made again. */
const REST_MS = 1_000;

interface ReportCost {
  /** Of all slices of a report, the turns of the event loop between them included. */
  readonly allMs: number;
  /** For so long at most the bot does nothing else. */
  readonly sliceMs: number;
}

/** Medians of making a report, while the bot has little else to do. @param text the last report that is whole */
async function costOf(text: () => string): Promise<ReportCost> {
  const costs: ReportCost[] = [];
  for (let time = 0; time < 15; time += 1) {
    await pause(REST_MS);
    const begun = performance.now();
    const before = text();
    let sliceMs = 0;
    let last = begun;
    do {
      await nextTurn();
      const now = performance.now();
      sliceMs = Math.max(sliceMs, now - last);
      last = now;
    } while (text() === before);
    costs.push({ allMs: last - begun, sliceMs });
  }
  const medianOf = (values: readonly number[]): number => quantile(values, 0.5);
  return {
    allMs: medianOf(costs.map(({ allMs }) => allMs)),
    sliceMs: medianOf(costs.map(({ sliceMs }) => sliceMs)),
  };
}

async function watchers(socket: string, markets: readonly string[]): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'workload/watching-child.ts'), [socket, ...markets]);
  const [said] = await once(child, 'message');
  if (said.problem !== undefined) throw new Error(said.problem);
  return child;
}

const bench: Bench = async () => {
  // As `halfspread run` does.
  compileEarly();
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
  const [botCost, marketCost] = await keepFresh(stage, async () => [
    await costOf(() => stage.bot.watch()),
    await costOf(() => stage.bot.watchMarket(markets[0] ?? '')),
  ]);
  const page = await pageFigures(stage, socket, FOLDER);
  const isPinned = ownCore([venue.pid, stage.feederPid]);
  await agesOf(stage);
  const ages: Record<'alone' | 'watched', Ages[]> = { alone: [], watched: [] };
  let reports = 0;
  const watched = async (): Promise<Ages> => {
    const child = await watchers(socket, markets.slice(0, 3));
    ownCore([child.pid]);
    const found = await agesOf(stage);
    child.send('count');
    const [said] = await once(child, 'message');
    reports += said.reports;
    child.disconnect();
    await once(child, 'exit');
    return found;
  };
  for (let turn = 0; turn < TURNS; turn += 1) {
    if (turn % 2 === 1) ages.watched.push(await watched());
    ages.alone.push(await agesOf(stage));
    if (turn % 2 === 0) ages.watched.push(await watched());
  }
  const of = (who: keyof typeof ages, what: keyof Ages): Sample => summarise(ages[who].map((turn) => turn[what]));
  const ratio = (what: keyof Ages): number => of('watched', what).median / of('alone', what).median;
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
      row('frame to written order, alone, p99', of('alone', 'orderP99'), 'ms'),
      row('frame to written order, watched, p99', of('watched', 'orderP99'), 'ms'),
      row('frame to bot, alone, p99', of('alone', 'p99'), 'ms'),
      row('frame to bot, watched, p99', of('watched', 'p99'), 'ms'),
      row('frame to bot, alone, mean', of('alone', 'mean'), 'ms'),
      row('frame to bot, watched, mean', of('watched', 'mean'), 'ms'),
      row('processor of the bot, alone', of('alone', 'cpu'), ''),
      row('processor of the bot, watched', of('watched', 'cpu'), ''),
      { label: 'making the report of a bot with 200 markets', value: botCost.allMs, unit: 'ms' },
      { label: 'the same, longest slice', value: botCost.sliceMs, unit: 'ms' },
      { label: 'making the report of a market', value: marketCost.allMs, unit: 'ms' },
      { label: 'page, first view', value: page.firstViewMs, unit: 'ms' },
      { label: 'pause of the bot to the painted page, p95', value: page.updateLatencyMs, unit: 'ms' },
      ...workRows('50 markets moving', page.motion),
      ...workRows(`chart of a week dragged over ${HISTORY_SECONDS} s of history`, page.pan),
      { label: `heap of the page, growth in ${MOTION_SECONDS} s`, value: page.heapGrowthKb, unit: 'kB' },
      { label: 'thinning of 1M samples for a chart', value: historyMs, unit: 'ms' },
      { label: 'page and style sheet, gzip', value: bundleKb, unit: 'kB' },
    ],
    ratios: {
      watchedVsAloneOrderP99: ratio('orderP99'),
      watchedVsAloneP99: ratio('p99'),
      watchedVsAloneMean: ratio('mean'),
      watchedVsAloneCpu: ratio('cpu'),
    },
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
    notes: [
      `${reports} reports went to three clients in ${TURNS * LOAD.seconds} s of load`,
      isPinned ? "the bot's thread has a core, all other processes the rest" : 'all processes share all cores',
    ],
  };
};

function workRows(what: string, work: PageWork): readonly BenchRow[] {
  return [
    { label: `${what}: longest time between frames`, value: work.longestFrameMs, unit: 'ms' },
    { label: `${what}: the same, p99`, value: work.p99FrameMs, unit: 'ms' },
    { label: `${what}: tasks of more than 50 ms`, value: work.longTasks, unit: '' },
    { label: `${what}: most processor time of a task`, value: work.longestTaskMs, unit: 'ms' },
  ];
}

/** Median of making the points of a chart, ms. */
function historyCost(): number {
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
