/** Runs a demo: venue, bot, view, and the comparison with the venue at the end. */
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { type Clock, steadyClock } from '../../clock/index.ts';
import {
  type DurationMs,
  type EpochMs,
  Fault,
  formatTime,
  isFinal,
  thrownText,
  timeAfter,
} from '../../domain/index.ts';
import { PACKAGE_ROOT } from '../../package-files.ts';
import { cancelAgain, type LiveSignals, listenForSignals } from '../signals.ts';
import { type RunningDashboard, startDashboard } from '../start-dashboard.ts';
import { type DemoBot, openDemoBot } from './demo-bot.ts';
import { type DemoVenue, startDemoVenue } from './demo-venue.ts';
import type { DemoSnapshot } from './demo-view.ts';
import { findDifferences } from './find-differences.ts';
import { HealthLog } from './health-log.ts';

export interface DemoDisplay {
  print(text: string): void;
  show(snapshot: DemoSnapshot): void;
}

export interface DemoInput {
  readonly folder: string;
  /** Whether the folder is removed at the end. */
  readonly isTemporary: boolean;
  /** Undefined: until the match ends. */
  readonly durationMs: DurationMs | undefined;
  readonly creditCents: number;
  readonly from: EpochMs;
  readonly report: string;
  readonly hasDashboard: boolean;
  readonly display: DemoDisplay;
}

const TAPE = 'config/tapes/betfair-1.200806927.tape';
const SPEED = 60;
const CHECK_MS = 250;
const SHOWN_FILLS = 3;
const MAX_FILLS = 10_000;

/** Leaves no process running. @throws the cause of a failure; Fault ABORTED for a signal before trading began */
export async function runDemo(input: DemoInput): Promise<DemoEnd> {
  const { folder, isTemporary, creditCents, display } = input;
  const from = formatTime(input.from);
  const clock = steadyClock();
  let bot: DemoBot | undefined;
  let venue: DemoVenue | undefined;
  let dashboard: RunningDashboard | undefined;
  const signals = listenForSignals(() => bot?.opened.bot.kill('SIGNAL', 'SIGUSR2'));
  try {
    display.print(`a venue on this machine plays a recorded match from ${from} on, ${SPEED} times faster`);
    const options = { folder, isTemporary, tape: join(PACKAGE_ROOT, TAPE), from, speed: SPEED, creditCents };
    venue = await startDemoVenue(options, clock);
    const replayStartedAt = clock.now();
    display.print(`venue ${venue.url}/graphql`);
    bot = await openDemoBot(folder, venue.url);
    if (bot.socket !== undefined) {
      display.print(`in another terminal: npx halfspread status --db ${bot.db}`);
      if (input.hasDashboard) dashboard = showDashboard(bot.socket, input);
    }
    const run: DemoRun = { ...input, clock, signals, bot, venue, replayStartedAt, health: new HealthLog() };
    return await finish(run, await trade(run));
  } finally {
    dashboard?.close();
    await bot?.close();
    await venue?.close();
    signals.release();
  }
}

function showDashboard(socket: string, { folder, report, display }: DemoInput): RunningDashboard {
  const dashboard = startDashboard({
    bots: [{ id: 'demo', socket }],
    reports: dirname(report),
    studies: resolve('config'),
    audit: join(folder, 'dashboard-audit.jsonl'),
    port: 0,
  });
  void dashboard.started.then((started) => {
    display.print('url' in started ? `watch it in a browser: ${started.url}` : `no dashboard: ${started.problem}`);
  });
  return dashboard;
}

interface DemoRun extends DemoInput {
  readonly clock: Clock;
  readonly signals: LiveSignals;
  readonly bot: DemoBot;
  readonly venue: DemoVenue;
  /** Epoch ms. */
  readonly replayStartedAt: number;
  readonly health: HealthLog;
}

type Ending =
  | { readonly fault: Error }
  | { readonly ended: 'duration' | 'signal' | 'match over'; readonly isEarly?: boolean };
export type DemoEnd = Readonly<Awaited<ReturnType<typeof finish>>>;

async function trade(run: DemoRun): Promise<Ending> {
  const { bot, venue, signals, clock, durationMs } = run;
  const { opened } = bot;
  const stopped = signals.stopRequested.then((): Ending => ({ ended: 'signal' }));
  const failed = Promise.race([opened.bot.failed, venue.failed]).then((fault): Ending => ({ fault }));
  const startFailed = opened.start().then(
    () => undefined,
    (error: unknown): Ending => ({ fault: error instanceof Error ? error : new Error(thrownText(error)) }),
  );
  const early = await Promise.race([startFailed, failed, stopped]);
  if (early !== undefined) return { ...early, isEarly: true };
  const finished = Promise.withResolvers<Ending>();
  const startedAt = clock.now();
  let cancel = (): void => {};
  const check = (): void => {
    const elapsedMs = clock.now() - startedAt;
    const isOver = recordAndShow(run, elapsedMs);
    if (isOver) finished.resolve({ ended: 'match over' });
    else if (durationMs !== undefined && elapsedMs >= durationMs) finished.resolve({ ended: 'duration' });
    else {
      const wait = durationMs === undefined ? CHECK_MS : Math.min(CHECK_MS, durationMs - elapsedMs);
      cancel = clock.schedule(timeAfter(clock.now(), wait), check);
    }
  };
  check();
  const ending = await Promise.race([finished.promise, failed, stopped]);
  cancel();
  return ending;
}

/** Records and shows the bot's health. @returns whether the market has ended and paid */
function recordAndShow(run: DemoRun, elapsedMs: number): boolean {
  const { bot, clock, health, display, durationMs, from, replayStartedAt, venue } = run;
  const { opened } = bot;
  const status = opened.bot.status();
  const [market] = opened.state.markets;
  health.record(status, market?.mark);
  if (market === undefined) return false;
  const recorded = from + (clock.now() - replayStartedAt) * SPEED;
  display.show({
    status,
    market,
    elapsedMs,
    durationMs,
    speed: SPEED,
    url: venue.url,
    fills: opened.bot.fills(SHOWN_FILLS),
    recorded: new Date(recorded).toISOString().slice(11, 19),
  });
  const { yes, no } = market.position;
  return isFinal(market.state.status) && yes === 0 && no === 0;
}

/** Stops the bot and compares the bot's records with the venue's records. @throws the fault that ended the run */
async function finish(run: DemoRun, ending: Ending) {
  const { bot, venue, signals, health, folder, isTemporary, report } = run;
  const { opened } = bot;
  health.record(opened.bot.status(), opened.state.markets[0]?.mark);
  const { open } = await opened.bot.stop(
    'fault' in ending ? ending.fault : undefined,
    signals.stopForced.then(() => cancelAgain(opened)),
  );
  if ('fault' in ending) throw ending.fault;
  if (ending.isEarly === true)
    throw new Fault('ABORTED', 'the demo was stopped before its bot started: nothing was traded');
  const status = opened.bot.status();
  await bot.closeBot();
  const differences = await findDifferences(bot.db, bot.client);
  await bot.logOutClient();
  const venueUsage = await venue.close();
  const { user, system } = process.cpuUsage();
  return {
    ended: ending.ended,
    speed: SPEED,
    status,
    state: opened.state,
    counters: opened.counters,
    open,
    differences,
    report,
    health,
    market: opened.state.markets[0],
    /** Fills for the chart, the newest first. */
    chartFills: opened.bot.fills(MAX_FILLS),
    bot: { cpuMs: (user + system) / 1_000, peakRss: process.resourceUsage().maxRSS * 1_024 },
    venue: venueUsage,
    /** Folder of databases and logs; null when it is removed. */
    kept: isTemporary ? null : folder,
  };
}
