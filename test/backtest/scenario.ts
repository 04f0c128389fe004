/** Builds small tapes and runs backtests on them. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BacktestOptions, type BacktestRun, parseRunSpec, runBacktest } from '../../src/backtest/index.ts';
import { marketId } from '../../src/domain/index.ts';
import type { TapeHead } from '../../src/history/index.ts';
import type { EventStore, Step } from '../../src/runtime/index.ts';
import { KIND, SIDE, STATUS_CODES } from '../../src/tape/index.ts';
import { scratchFolder, writeTape } from '../history/scratch.ts';
import type { Message, Row } from '../tape/rows.ts';

const FIXTURES = fileURLToPath(new URL('../fixtures/backtest', import.meta.url));

/** Micro-shares of a row. */
const shares = (count: number): number => count * 1_000_000;

export const row = {
  open: (market = 0): Row => ({ market, kind: KIND.status, side: 0, price: STATUS_CODES.indexOf('OPEN'), shares: 0 }),
  halt: (market = 0): Row => ({ market, kind: KIND.status, side: 0, price: STATUS_CODES.indexOf('HALTED'), shares: 0 }),
  bid: (price: number, size: number, market = 0): Row => ({
    market,
    kind: KIND.level,
    side: SIDE.bid,
    price,
    shares: shares(size),
  }),
  ask: (price: number, size: number, market = 0): Row => ({
    market,
    kind: KIND.level,
    side: SIDE.ask,
    price,
    shares: shares(size),
  }),
  /** A taker that buys or sells YES. */
  print: (side: 'BUY' | 'SELL', price: number, size: number, market = 0): Row => {
    return { market, kind: KIND.trade, side: side === 'BUY' ? SIDE.bid : SIDE.ask, price, shares: shares(size) };
  },
  resolved: (payout: number, market = 0): Row => ({ market, kind: KIND.resolution, side: 0, price: payout, shares: 0 }),
};

export function message(time: number, ...rows: readonly Row[]): Message {
  return { tx: time, rx: time, rows };
}

export function headOf(name: string, markets = 1, first = 1, commissionBps = 0): TapeHead {
  return {
    name,
    source: { description: 'made by hand', licence: 'MIT', files: [] },
    units: ['price = bps'],
    receiveTime: 'missing',
    markets: Array.from({ length: markets }, (_, index) => ({
      id: marketId(`00000000-0000-4000-8000-${String(first + index).padStart(12, '0')}`),
      slug: `market-${first + index}`,
      question: `Does number ${first + index} happen?`,
      outcomes: ['it does', 'it does not'] as const,
      grid: { type: 'tick', tickBps: 100 } as const,
      scheduledResolution: undefined,
      commissionBps,
    })),
  };
}

/** Options of a run in tests, with a fixed memory of 100 MB. */
export function options(baseDir: string, change: Partial<BacktestOptions> = {}): BacktestOptions {
  return { baseDir, strategyFolders: [FIXTURES], version: '0.0.0', machine: { peakRssMb: () => 100 }, ...change };
}

/** Runs a spec without a report on a tape `a.tape` in a new folder. */
export async function runScenario(
  messages: readonly Message[],
  spec: object,
  head: TapeHead = headOf('scenario'),
): Promise<BacktestRun> {
  const folder = scratchFolder();
  writeTape(join(folder, 'a.tape'), messages, head);
  return await runBacktest(parseRunSpec({ tapes: ['a.tape'], report_dir: null, ...spec }), options(folder));
}

/** Collects the steps that are appended to a store. @param onAppend is called after each append */
export function collectSteps(store: EventStore, onAppend: () => void = () => {}): readonly Step[] {
  const steps: Step[] = [];
  const append = store.append.bind(store);
  store.append = (added) => {
    steps.push(...added);
    append(added);
    onAppend();
  };
  return steps;
}

/** A bid 2 cents above the market fills, the mid rises, and YES wins. */
export const MESSAGES: readonly Message[] = [
  message(1_000, row.open(), row.bid(5_000, 100), row.ask(6_000, 100)),
  message(5_000, row.print('SELL', 5_100, 10)),
  message(10_000, row.bid(5_400, 50)),
  message(20_000, row.resolved(10_000)),
];
export const QUOTER = { strategy: 'quoter', params: { bid: 5_200, shares: 10 } };
