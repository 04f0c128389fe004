/**
 * Measures the replay from disk through a whole backtest, with the built package: tape, simulated venue, book,
 * handlers, journal hash and collector. Each run is a process, so that none profits from another's warm code.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { joinTapes, TapeFile } from '../src/history/index.ts';
import { type Bench, row, sideBySide } from './harness.ts';
import { syntheticTape } from './workload/synthetic-tape.ts';

const ROUNDS = 5;
/** Rows of the tape. The first half second of the run is compilation. */
const EVENTS = 10_000_000;
/** Rows of a tape that does not fit into memory. */
const MANY = 50_000_000;
const LONG_ROUNDS = 3;
/** Number of tapes of one run, which have as many rows together as the single tape. */
const MERGED = 100;
const FOLDER = resolve(import.meta.dirname, 'out', 'replay');
const ROOT = resolve(import.meta.dirname, '..');
const PROGRAM = join(ROOT, 'package', 'bin', 'halfspread.js');

interface Replayed {
  readonly eventsPerSecond: number;
  readonly peakRssMb: number;
  readonly orders: { readonly placed: number; readonly cancelled: number };
  readonly fills: { readonly count: number };
  readonly eventLogHash: string;
}

const bench: Bench = async () => {
  mkdirSync(FOLDER, { recursive: true });
  execFileSync(process.execPath, [join(ROOT, 'packaging', 'build.ts')], { stdio: 'inherit' });
  const tape = [generateTape(EVENTS)];
  const tapes = Array.from({ length: MERGED }, (_, at) => generateTape(EVENTS / MERGED, at + 1));
  const joined = [writeJoinedTape(tapes)];
  const long = [generateTape(MANY)];
  const hashes = new Set<string>();
  let peakRssMb = 0;
  let quoted: Replayed | undefined;
  const measureSpeed = (strategy: string, from: readonly string[]) => () => {
    const replayed = replay(strategy, from);
    hashes.add(`${strategy} ${from.join(' ')} ${replayed.eventLogHash}`);
    peakRssMb = Math.max(peakRssMb, replayed.peakRssMb);
    quoted = replayed;
    return replayed.eventsPerSecond;
  };
  const unwarmed = { warmUp: 0 };
  const short = await sideBySide(
    ROUNDS,
    {
      watching: measureSpeed('watcher', tape),
      joined: measureSpeed('watcher', joined),
      merged: measureSpeed('watcher', tapes),
      quoting: measureSpeed('requoter', tape),
    },
    unwarmed,
  );
  const mergedVsOneTape = short.merged.median / short.joined.median;
  const longRuns = await sideBySide(
    LONG_ROUNDS,
    { watching: measureSpeed('watcher', long), quoting: measureSpeed('requoter', long) },
    unwarmed,
  );
  if (hashes.size !== 6) throw new Error(`replays of one spec differ: ${[...hashes].join(', ')}`);
  return {
    results: [
      row(`no orders, a handler at every message, ${MANY / 1e6}M events`, longRuns.watching, 'events/s'),
      row(`two-sided quotes, requoted at every 20th message, ${MANY / 1e6}M`, longRuns.quoting, 'events/s'),
      row(`no orders, ${EVENTS / 1e6}M`, short.watching, 'events/s'),
      row(`no orders, one tape of ${MERGED} markets, ${EVENTS / 1e6}M`, short.joined, 'events/s'),
      row(`no orders, the same rows on ${MERGED} tapes`, short.merged, 'events/s'),
      row(`two-sided quotes, ${EVENTS / 1e6}M`, short.quoting, 'events/s'),
      { label: `peak memory over ${MANY / 1e6}M events`, value: peakRssMb, unit: 'MB' },
    ],
    ratios: { mergedVsOneTape },
    values: {
      eventsPerSecondNoOrders: longRuns.watching.median,
      eventsPerSecondQuoting: longRuns.quoting.median,
      eventsPerSecondNoOrders10M: short.watching.median,
      eventsPerSecondQuoting10M: short.quoting.median,
      eventsPerSecondMerged: short.merged.median,
      peakRssMb,
    },
    notes: [
      'one synthetic market, tick 10 bps, from disk; power queue n = 2, constant latency; a process for each run',
      `${EVENTS / 1e6}M events take seconds, half a second of which is compilation: the long runs show the rate`,
      `quoting over ${MANY / 1e6}M events: ${quoted?.orders.placed} placed, ${quoted?.orders.cancelled} cancelled, ${quoted?.fills.count} fills`,
      'merged: one market per tape, all at the same time; the process has a block of each tape in memory',
      'not included: start of the process, loading of the strategy, the HTML report',
    ],
  };
};
export default bench;

/** Writes the rows of several tapes to one tape. */
function writeJoinedTape(tapes: readonly string[]): string {
  const path = join(FOLDER, `joined-${tapes.length}.tape`);
  const files = tapes.map((tape) => TapeFile.open(tape));
  if (!existsSync(path)) joinTapes(files, path);
  return path;
}

function generateTape(events: number, seed?: number): string {
  const path = join(FOLDER, `synthetic-${events}${seed === undefined ? '' : `-${seed}`}.tape`);
  return syntheticTape(path, { events, ...(seed !== undefined && { seed }) });
}

function replay(strategy: string, tapes: readonly string[]): Replayed {
  const config = join(FOLDER, `${strategy}.yaml`);
  writeFileSync(config, configuration(strategy, tapes));
  const options = { encoding: 'utf8', maxBuffer: 1 << 26 } as const;
  return JSON.parse(execFileSync(process.execPath, [PROGRAM, 'backtest', config, '--json', '--quiet'], options));
}

function configuration(strategy: string, tapes: readonly string[]): string {
  return `strategy: ${resolve(import.meta.dirname, 'strategies', strategy)}
tapes: ${JSON.stringify(tapes)}
queue: { model: power, n: 2 }
capital_usd: 1000000
risk:
  max_position: 1000000
  max_notional_usd: none
  max_total_notional_usd: none
  daily_loss_usd: none
  max_drawdown_usd: none
report_dir: null
`;
}
