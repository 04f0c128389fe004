/** Random markets and bots, run on the simulated venue and on its naive implementation. */

import { expect } from 'vitest';
import { type Random, SimClock, seededRandom } from '../../../src/clock/index.ts';
import { epochMs, microShares, microUsd, type OrderCommand, unchecked } from '../../../src/domain/index.ts';
import type { QueueModel } from '../../../src/replay/index.ts';
import { KIND, SIDE } from '../../../src/tape/index.ts';
import { takerFees } from '../../../src/venues/sim/fees.ts';
import { SimVenue } from '../../../src/venues/sim/index.ts';
import { constantLatency } from '../../../src/venues/sim/latency.ts';
import type { Row } from './naive-sim.ts';
import { type Delays, type Message, NaiveVenue } from './naive-venue.ts';
import { RandomBot } from './random-bot.ts';
import { feedOf, rowsOf } from './rows.ts';

export type Scenario = {
  seed: number;
  markets: number;
  messages: number;
  queue: QueueModel;
  immutable: boolean;
  delays: Delays;
  /** Factor of all durations. With a large one, no two events happen at the same time. Default 1. */
  scale?: number;
};
export type Outcome = { log: unknown[]; marks: unknown[]; cash: number; positions: number[][] };

export const LOT = 10_000;
const CASH = 14_000_000;
const START = 1_000_000;
const TIMER_MS = 170;
const MAX_EXPOSURE = 9_000_000;

/** Prices 4930 to 5070 on a grid of 10: so narrow that orders often cross. */
function priceOf(random: Random): number {
  return 4_930 + 10 * random.int(15);
}

export function messagesOf({ seed, markets, messages, scale = 1 }: Scenario): Message[] {
  const random = seededRandom(seed).fork('market');
  const own = seededRandom(seed).fork('own prints');
  const orders = seededRandom(seed).fork('order ids');
  const found: Message[] = [];
  let tx = START;
  for (let count = 0; count < messages; count += 1) {
    // With a scale above 1, no two messages have the same time.
    tx += scale * random.int(25) + (scale > 1 ? 1 : 0);
    const rows: Row[] = [];
    const market = random.int(markets);
    const add = (kind: number, side: number, price: number, shares: number): void => {
      rows.push({ kind, market: random.int(12) === 0 ? random.int(markets) : market, side, price, shares });
    };
    const rare = random.int(60);
    if (rare === 0) add(KIND.status, 0, random.int(2), 0);
    else if (rare === 1) add(KIND.status, 0, random.int(30) === 0 ? 2 : 0, 0);
    else if (rare === 2) add(KIND.placeDelay, 0, 0, random.int(3) * 40 * scale);
    else if (rare === 3 || (rare > 4 && rare < 10)) add(KIND.clear, 0, 0, 0);
    else if (rare === 4) add(KIND.gap, 0, 0, 0);
    for (let print = random.int(3); print > 1; print -= 1) {
      // About half of the prints are small, so that orders move forward in the queue without a fill.
      const maxLots = random.int(2) === 0 ? 250 : 25;
      const side = random.int(8) === 0 ? SIDE.unknown : random.int(2);
      add(KIND.trade, side, priceOf(random), (1 + random.int(maxLots)) * LOT);
      if (own.int(5) === 0) rows.at(-1)!.late = true;
      // A recording bot that was filled at several prices writes several prints.
      else if (side !== SIDE.unknown && own.int(4) === 0) {
        rows.at(-1)!.own = true;
        for (let more = own.int(3); more > 0; more -= 1) {
          add(KIND.trade, side, priceOf(own), (1 + own.int(maxLots)) * LOT);
          rows.at(-1)!.own = true;
        }
      }
    }
    for (let level = random.int(4); level > 0; level -= 1) {
      // Bids are mostly below asks. Some are above, so that they cross own orders.
      const side = random.int(2);
      const price = priceOf(random);
      const usual = side === SIDE.bid ? price <= 5_000 : price >= 5_000;
      add(KIND.level, side, price, usual || random.int(6) === 0 ? random.int(4) * random.int(100) * LOT : 0);
    }
    addCancels(rows, market, orders);
    if (rows.length > 0) found.push({ tx, rows });
  }
  for (let market = 0; market < markets; market += 1) {
    const row = { kind: KIND.resolution, market, side: 0, price: random.int(3) * 5_000, shares: 0 };
    found.push({ tx: tx + 40 * scale + (scale > 1 ? market : 0), rows: [row] });
  }
  return found;
}

/** Adds cancels of identified orders at prices where the bot's orders rest. */
function addCancels(rows: Row[], market: number, random: Random): void {
  for (let level = random.int(4); level > 0; level -= 1) {
    const side = random.int(2);
    const away = 10 * random.int(8);
    const of = { market, side, price: side === SIDE.bid ? 5_000 - away : 5_000 + away };
    let lots = 100 + random.int(200);
    if (random.int(3) > 0) rows.push({ ...of, kind: KIND.level, shares: lots * LOT });
    for (let cancel = random.int(3); cancel > 0; cancel -= 1) {
      rows.push({ ...of, kind: KIND.ahead, shares: random.int(lots) * LOT });
      lots -= random.int(1 + Math.trunc(lots / 2));
      rows.push({ ...of, kind: KIND.level, shares: lots * LOT });
    }
  }
}

export function runNaive(scenario: Scenario): Outcome {
  const bot = new RandomBot(scenario);
  const rules = { queue: scenario.queue, feeBps: 150, immutable: scenario.immutable, maxExposure: MAX_EXPOSURE };
  const venue = new NaiveVenue(scenario.markets, rules, CASH, scenario.delays, bot);
  bot.queues = () => venue.handler.queues();
  venue.run(messagesOf(scenario), TIMER_MS);
  const { cash, markets } = venue.handler;
  return {
    log: bot.log,
    marks: venue.marks,
    cash: cash + markets.reduce((sum, { owed }) => sum + owed, 0),
    positions: markets.map(({ paid }) => [paid]),
  };
}

export async function runFast(scenario: Scenario): Promise<Outcome> {
  const bot = new RandomBot(scenario);
  const marks: unknown[] = [];
  const messages = messagesOf(scenario);
  const clock = new SimClock(epochMs(START));
  const venue = new SimVenue({
    feed: feedOf(messages),
    clock,
    blockRows: 40,
    receiveTime: 'missing',
    ...setupOf(scenario),
    observer: { onFill: ({ mark }) => marks.push(mark) },
  });
  bot.queues = () => queuesOf(venue);
  const session = await venue.connect({
    rows: (block, from, to) => session.send(bot.onRows(clock.now(), rowsOf(block, from, to))),
    event: (event) => session.send(bot.onEvent({ ...event })),
  });
  startTimer({ scenario, clock, bot, session, from: messages[0]!.tx, continuesAfterStop: true });
  while (venue.pump(7)) if (venue.hasTapeEnded) bot.stop();
  return { log: bot.log, marks, ...finalAccount(scenario, venue) };
}

/** The setup of a simulated venue, without clock and market data. */
export function setupOf(scenario: Scenario) {
  return {
    markets: Array.from({ length: scenario.markets }, () => ({ grid: { type: 'tick', tickBps: 10 } as const })),
    models: {
      latency: constantLatency(scenario.delays),
      queue: scenario.queue,
      fees: takerFees(150),
      liquidity: scenario.immutable ? 'immutable' : 'consumed',
      tradesOnly: undefined,
    } as const,
    capital: microUsd(CASH),
    limits: {
      minOrderShares: microShares(1_000_000),
      minBet: microUsd(100_000),
      maxBet: microUsd(10_000_000_000),
      maxExposure: microUsd(MAX_EXPOSURE),
      feeRateBps: 0,
      spreadBps: 0,
    },
  };
}

/** Returns the shares ahead of each own order, in order of arrival. */
export function queuesOf({ exchange }: Pick<SimVenue, 'exchange'>): readonly number[] {
  return exchange.openOrders(exchange.accountOf('own')).map(({ order }) => exchange.queueAhead(order) ?? Number.NaN);
}

/** Starts the bot's repeating timer. */
export function startTimer(options: {
  readonly scenario: Scenario;
  readonly clock: SimClock;
  readonly bot: RandomBot;
  readonly session: { send(commands: readonly OrderCommand[]): void };
  readonly from: number;
  /** The timer continues after the bot has stopped. A replay ends with or without it. */
  readonly continuesAfterStop: boolean;
}): void {
  const { scenario, clock, bot, session, from, continuesAfterStop } = options;
  const every = TIMER_MS * (scenario.scale ?? 1);
  const timer = (time: number): void => {
    clock.schedule(epochMs(time), () => {
      if (continuesAfterStop || !bot.isStopped) timer(time + every);
      session.send(bot.onTimer(time));
    });
  };
  timer(from + every);
}

/** Returns cash and positions at the end of a run. */
export function finalAccount(
  scenario: Scenario,
  venue: Pick<SimVenue, 'exchange' | 'ledger'>,
): Pick<Outcome, 'cash' | 'positions'> {
  const positions = Array.from({ length: scenario.markets }, (_, market) =>
    venue.ledger.market(unchecked.market(market)),
  );
  expectEqualAccounts(venue);
  const owed = positions.reduce((sum, position) => sum + position.owed, 0);
  return { cash: venue.ledger.cash + owed, positions: positions.map(({ netCash }) => [0 - netCash]) };
}

/** Checks that ledger and exchange agree on the account, and that no cash appears or vanishes. */
function expectEqualAccounts({ exchange, ledger }: Pick<SimVenue, 'exchange' | 'ledger'>): void {
  const own = exchange.accountOf('own');
  const cash = (account: number): number => {
    const { available = 0, reserved = 0 } = exchange.account(account) ?? {};
    return available + reserved;
  };
  expect(cash(own)).toBe(ledger.cash);
  let collateral = 0;
  for (const { number } of exchange.markets) {
    const held = exchange.holding(own, number);
    const position = ledger.market(number);
    collateral += exchange.collateral(number);
    expect(held?.owed ?? 0).toBe(position.owed);
    if (position.settlement === undefined) {
      expect([held?.yes.shares ?? 0, held?.no.shares ?? 0]).toEqual([position.yes, position.no]);
    }
  }
  expect(cash(own) + cash(exchange.accountOf('outside')) + collateral + exchange.fees).toBe(CASH);
}
