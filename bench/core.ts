/** Rows per second through state and core, from memory: no venue, no store. What `bench/replay.ts` adds is the simulation. */
import {
  column,
  counted,
  durationMs,
  type Intent,
  marketId,
  microShares,
  microUsd,
  type OrderCommand,
  type PriceBps,
  priceBps,
  sharesOfLots,
} from '../src/domain/index.ts';
import type { Planner } from '../src/execution/index.ts';
import type { RiskGate } from '../src/risk/index.ts';
import { type Bot, createCore, type Outbox } from '../src/runtime/index.ts';
import { AccountState } from '../src/state/index.ts';
import type { StrategyHandlers } from '../src/strategy/index.ts';
import { type Block, Cursor, FLAG, KIND, makeBlock, SIDE } from '../src/tape/index.ts';
import { type Bench, elapsedMs, row, sideBySide } from './harness.ts';

const ROWS = 1_000_000;
const ROUNDS = 7;
const MARKET = counted.market(0);
const SIZE = sharesOfLots(10_000);

const bench: Bench = async () => {
  const block = walk(ROWS);
  const measure = (handlers: () => StrategyHandlers) => () => rowsPerSecond(block, handlers());
  const samples = await sideBySide(ROUNDS, {
    folding: measure(() => ({})),
    looking: measure(looker),
    quoting: measure(quoter),
  });
  return {
    results: [
      row('state and core, no handler', samples.folding, 'rows/s'),
      row('onBook at every message', samples.looking, 'rows/s'),
      row('a two-sided quote set at every 20th row', samples.quoting, 'rows/s'),
    ],
    ratios: {},
    values: {
      rowsPerSecond: samples.folding.median,
      rowsPerSecondLooking: samples.looking.median,
      rowsPerSecondQuoting: samples.quoting.median,
    },
    notes: [
      `${ROWS} level rows of one market, tick 10 bps, a message each, in memory`,
      'risk approves all, execution replaces both orders and has no rules; nothing answers, nothing is stored',
    ],
  };
};
export default bench;

function rowsPerSecond(block: Block, handlers: StrategyHandlers): number {
  const state = new AccountState({
    cash: microUsd(1_000_000_000),
    markets: [
      {
        info: {
          market: MARKET,
          id: marketId('00000000-0000-4000-8000-000000000000'),
          slug: 'bench',
          question: 'Bench?',
          grid: { type: 'tick', tickBps: 10 },
          scheduledResolution: undefined,
        },
        limits: {
          minOrderShares: microShares(1_000_000),
          minBet: microUsd(100_000),
          maxBet: microUsd(1_000_000_000_000),
          maxExposure: microUsd(1_000_000_000_000),
          feeRateBps: 0,
          spreadBps: 2_000,
        },
        state: { status: 'OPEN', acceptingOrders: true, placeDelay: durationMs(0) },
      },
    ],
  });
  const bot: Bot = { bot: counted.bot(0), name: 'bench', params: {}, markets: [MARKET], handlers, timers: [] };
  const core = createCore({ state, bots: [bot], risk: approveAll(), planner: replaceAll() });
  let out: Outbox = { steps: [], commands: [], fault: undefined };
  core.step({ type: 'started', time: column.time(0) }, out);
  const cursor = new Cursor(block);
  const ms = elapsedMs(() => {
    for (let at = 0; at < block.count; at += 1) {
      cursor.row = at;
      core.market(cursor, out);
      if (out.steps.length > 0) out = { steps: [], commands: [], fault: undefined };
    }
  });
  return (block.count / ms) * 1_000;
}
