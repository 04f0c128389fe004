/**
 * Measures rows per second through state and core, from memory, without a venue or a store. `bench/replay.ts` adds the
 * simulation.
 */
import { seededRandom } from '../src/clock/index.ts';
import {
  approve,
  complement,
  durationMs,
  type EpochMs,
  type Intent,
  marketId,
  microShares,
  microUsd,
  type PlaceOrder,
  type Quote,
  sharesOfLots,
  unchecked,
} from '../src/domain/index.ts';
import type { Planner } from '../src/execution/index.ts';
import type { RiskGate } from '../src/risk/index.ts';
import { type StrategyInstance, TradingCore } from '../src/runtime/index.ts';
import type { Outbox } from '../src/runtime/ports.ts';
import { AccountState } from '../src/state/index.ts';
import type { StrategyHandlers } from '../src/strategy/index.ts';
import { type Block, Cursor, FLAG, KIND, makeBlock, SIDE } from '../src/tape/index.ts';
import { type Bench, elapsedMs, row, sideBySide } from './harness.ts';

const ROWS = 1_000_000;
const ROUNDS = 7;
const START = 1_700_000_000_000;
const MARKET = unchecked.market(0);
const SIZE = sharesOfLots(10_000);

const bench: Bench = async () => {
  const [single, joined] = [generateRandomWalk(ROWS, 1), generateRandomWalk(ROWS, 4)];
  const measure = (block: Block, handlers: () => StrategyHandlers) => () => rowsPerSecond(block, handlers());
  const samples = await sideBySide(ROUNDS, {
    noHandler: measure(single, () => ({})),
    reading: measure(single, bookReader),
    fourRows: measure(joined, bookReader),
    quoting: measure(single, quoter),
  });
  return {
    results: [
      row('state and core, no handler', samples.noHandler, 'rows/s'),
      row('onBook at every message', samples.reading, 'rows/s'),
      row('onBook at every message of 4 rows', samples.fourRows, 'rows/s'),
      row('a two-sided quote set at every 20th message', samples.quoting, 'rows/s'),
    ],
    ratios: {},
    values: {
      rowsPerSecond: samples.noHandler.median,
      rowsPerSecondLooking: samples.reading.median,
      rowsPerSecondJoined: samples.fourRows.median,
      rowsPerSecondQuoting: samples.quoting.median,
    },
    notes: [
      `${ROWS} level rows of one market, tick 10 bps, in memory; one row per message unless the label says otherwise`,
      'risk approves all; execution always replaces both orders; the venue responds at once; nothing is stored',
    ],
  };
};
export default bench;

/** Keeps one state and one core alive, because V8 discards compiled code with the last object that uses it. */
const keptAlive: (AccountState | TradingCore)[] = [];

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
  const instance: StrategyInstance = {
    bot: unchecked.instance(0),
    name: 'bench',
    params: {},
    markets: [MARKET],
    handlers,
    timers: [],
  };
  const core = new TradingCore({ state, instances: [instance], risk: approveAll(), planner: replaceAll() });
  if (keptAlive.length === 0) keptAlive.push(state, core);
  const out: Outbox = { steps: [], commands: [], fault: undefined };
  const spare: Outbox = { steps: [], commands: [], fault: undefined };
  core.step({ type: 'started', time: unchecked.time(0) }, spare);
  clear(spare);
  const cursor = new Cursor(block);
  const ms = elapsedMs(() => {
    for (cursor.row = 0; cursor.row < block.count; cursor.row += 1) {
      core.market(cursor, out);
      if (out.steps.length > 0) respond(core, out, spare, state.now);
    }
  });
  return (block.count / ms) * 1_000;
}

/** Responds like a venue without latency, which accepts orders at once. */
function respond(core: TradingCore, out: Outbox, spare: Outbox, time: EpochMs): void {
  for (const command of out.commands) {
    if (command.type !== 'replace') continue;
    const { market } = command;
    const closed = command.cancels.map(({ order }) => order);
    const accepted = command.places.map(({ order }) => order);
    core.step({ type: 'ordersReplaced', time, venueTime: time, market, closed, accepted }, spare);
  }
  clear(out);
  clear(spare);
}

function clear(out: Outbox): void {
  out.steps = [];
  out.commands = [];
}

/** Reads each book and never quotes. */
function bookReader(): StrategyHandlers {
  let crossed = 0;
  return {
    onBook({ book }) {
      if (book.crossed()) crossed += 1;
      return crossed < 0 ? [] : undefined;
    },
  };
}

function quoter(): StrategyHandlers {
  let messages = 0;
  return {
    onBook({ book }): readonly Intent[] | undefined {
      messages += 1;
      if (messages % 20 !== 0) return undefined;
      const bid = book.bestBid();
      const ask = book.bestAsk();
      if (bid === undefined || ask === undefined) return undefined;
      const bidQuote = { side: 'bid', price: bid, shares: SIZE } as const;
      const askQuote = { side: 'ask', price: ask, shares: SIZE } as const;
      return [{ type: 'quote', market: MARKET, quotes: [bidQuote, askQuote] }];
    },
  };
}

function approveAll(): RiskGate {
  return {
    limits: { maxOrder: Number.POSITIVE_INFINITY, priceCollarBps: Number.POSITIVE_INFINITY },
    mode: 'ACTIVE',
    reason: undefined,
    check: (intent) => ({ approved: approve(intent), refused: [] }),
    feeRefusal: () => undefined,
    checkLosses: () => undefined,
    setMode: () => undefined,
    onHoldingsChanged: () => undefined,
    snapshot: () => ({ mode: 'ACTIVE', reason: null, losses: { day: null, dayStart: 0, peak: null, last: null } }),
  };
}

/** Always replaces both orders. */
function replaceAll(): Planner {
  let next = 1;
  const place = (quote: Quote): PlaceOrder => ({
    type: 'place',
    order: unchecked.order(next++),
    bot: unchecked.instance(0),
    market: MARKET,
    outcome: quote.side === 'bid' ? 'YES' : 'NO',
    side: 'BUY',
    price: quote.side === 'bid' ? quote.price : complement(quote.price),
    shares: quote.shares,
    timeInForce: 'GTC',
    postOnly: true,
    expiration: 0,
  });
  return {
    get nextOrder() {
      return unchecked.order(next);
    },
    plan(intent, _bot, view) {
      if (intent.type !== 'quote') return { commands: [], isDeferred: false, dropped: [] };
      const cancels = view.market(MARKET).orders.map(({ order, remaining }) => ({ order, remaining }));
      const places = intent.quotes.map(place);
      return { commands: [{ type: 'replace', market: MARKET, cancels, places }], isDeferred: false, dropped: [] };
    },
    mergePairs: () => [],
  };
}

/** Generates a book of ten bid and ten ask levels around a random-walk price. Each row sets or empties one level. */
function generateRandomWalk(rows: number, perMessage: number): Block {
  const random = seededRandom(7);
  const block = makeBlock(rows);
  let mid = 500;
  for (let at = 0; at < rows; at += 1) {
    if (random.int(50) === 0) mid = Math.min(Math.max(mid + random.int(3) - 1, 100), 900);
    const bid = random.int(2) === 0;
    const distance = 1 + random.int(10);
    block.tx[at] = START + Math.floor(at / perMessage);
    block.rx[at] = block.tx[at] ?? 0;
    block.kind[at] = KIND.level;
    block.side[at] = bid ? SIDE.bid : SIDE.ask;
    block.price[at] = 10 * (bid ? mid - distance : mid + distance);
    block.shares[at] = random.int(4) === 0 ? 0 : 10_000 * (1 + random.int(100_000));
    block.flags[at] = at % perMessage === perMessage - 1 ? FLAG.last : 0;
  }
  block.count = rows;
  return block;
}
