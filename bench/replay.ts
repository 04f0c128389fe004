/**
 * Replay from disk through the whole of a backtest: tape, simulated venue, the bot's book, handlers, journal hash and
 * collector, as a user runs it. Each run is a process of its own, so that none profits from another's warm code.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DEFAULT_RECIPE, generateTape } from '../src/history/index.ts';
import { type Bench, row, sideBySide } from './harness.ts';

const ROUNDS = 5;
/** Of this the first half second is the compiler's. */
const EVENTS = 10_000_000;
/** A tape that would not fit into memory: what a long replay comes to. */
const MANY = 50_000_000;
const LONG_ROUNDS = 3;
const FOLDER = resolve(import.meta.dirname, 'out', 'replay');
const PROGRAM = resolve(import.meta.dirname, '..', 'bin', 'halfspread.js');

interface Replayed {
  readonly eventsPerSecond: number;
  readonly peakRssMb: number;
  readonly orders: { readonly placed: number; readonly cancelled: number };
  readonly fills: { readonly count: number };
  readonly eventLogHash: string;
}

const bench: Bench = async () => {
  mkdirSync(FOLDER, { recursive: true });
  const tape = await syntheticTape(EVENTS);
  const long = await syntheticTape(MANY);
  const hashes = new Set<string>();
  let peakRssMb = 0;
  let quoted: Replayed | undefined;
  const speed = (strategy: string, from: string) => () => {
    const replayed = replay(strategy, from);
    hashes.add(`${strategy} ${from} ${replayed.eventLogHash}`);
    peakRssMb = Math.max(peakRssMb, replayed.peakRssMb);
    quoted = replayed;
    return replayed.eventsPerSecond;
  };
  const once = { warmUp: 0 };
  const short = await sideBySide(ROUNDS, { watching: speed('watcher', tape), quoting: speed('requoter', tape) }, once);
  const many = await sideBySide(
    LONG_ROUNDS,
    { watching: speed('watcher', long), quoting: speed('requoter', long) },
    once,
  );
  if (hashes.size !== 4) throw new Error(`replays of one spec differ: ${[...hashes].join(', ')}`);
  return {
    results: [
      row(`no orders, a handler at every message, ${MANY / 1e6}M events`, many.watching, 'events/s'),
      row(`two-sided quotes, requoted at every 20th message, ${MANY / 1e6}M`, many.quoting, 'events/s'),
      row(`no orders, ${EVENTS / 1e6}M`, short.watching, 'events/s'),
      row(`two-sided quotes, ${EVENTS / 1e6}M`, short.quoting, 'events/s'),
      { label: `peak memory over ${MANY / 1e6}M events`, value: peakRssMb, unit: 'MB' },
    ],
    ratios: {},
    values: {
      eventsPerSecondNoOrders: many.watching.median,
      eventsPerSecondQuoting: many.quoting.median,
      eventsPerSecondNoOrders10M: short.watching.median,
      eventsPerSecondQuoting10M: short.quoting.median,
      peakRssMb,
    },
    notes: [
      'one synthetic market, tick 10 bps, from disk; power queue n = 2, constant latency; a process for each run',
      `${EVENTS / 1e6}M events are over in seconds, of which the compiler has half of one: the long runs show the rate`,
      `quoting over ${MANY / 1e6}M events: ${quoted?.orders.placed} placed, ${quoted?.orders.cancelled} cancelled, ${quoted?.fills.count} fills`,
      'left out: start of the process, loading of the strategy, the HTML report',
    ],
  };
};
export default bench;

async function syntheticTape(events: number): Promise<string> {
  const path = join(FOLDER, `synthetic-${events}.tape`);
  if (!existsSync(path)) await generateTape({ ...DEFAULT_RECIPE, events }, path);
  return path;
}

function replay(strategy: string, tape: string): Replayed {
  const config = join(FOLDER, `${strategy}.yaml`);
  writeFileSync(config, configuration(strategy, tape));
  const options = { encoding: 'utf8', maxBuffer: 1 << 26 } as const;
  return JSON.parse(execFileSync(process.execPath, [PROGRAM, 'backtest', config, '--json', '--quiet'], options));
}

function configuration(strategy: string, tape: string): string {
  return `strategy: ${resolve(import.meta.dirname, 'strategies', strategy)}
tapes: [${JSON.stringify(tape)}]
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
