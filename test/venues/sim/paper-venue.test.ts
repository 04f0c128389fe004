import { describe, expect, it } from 'vitest';
import { type Clock, SimClock } from '../../../src/clock/index.ts';
import { RANK } from '../../../src/clock/sim-clock.ts';
import { epochMs, microShares, priceBps, SHARE, unchecked } from '../../../src/domain/index.ts';
import { riskAverseQueue } from '../../../src/replay/queue.ts';
import type { VenueSession, VenueSink } from '../../../src/runtime/index.ts';
import { type PaperMarket, PaperVenue } from '../../../src/venues/sim/index.ts';
import { RandomBot } from './random-bot.ts';
import { blockOf, row, rowsOf } from './rows.ts';
import { finalAccount, messagesOf, queuesOf, runFast, type Scenario, setupOf, startTimer } from './scenario.ts';

/** Delays with which no two events happen at the same time. */
const SEPARATE_TIMES: Scenario = {
  seed: 1,
  markets: 2,
  messages: 400,
  queue: riskAverseQueue(),
  immutable: false,
  scale: 1_000,
  delays: { feed: 0, entry: 80_003, response: 40_011 },
};

/** Opens a paper venue on a simulated clock; tests push its market data. */
async function open(scenario: Scenario, sink: VenueSink) {
  const clock = new SimClock(epochMs(1_000_000));
  // The venue's tasks run before the timers of the bot, as in a replay.
  const venueClock: Clock = {
    now: () => clock.now(),
    schedule: (when, fire) => clock.scheduleRanked(when, RANK.delivery, fire),
  };
  const pushed: { to: VenueSink | undefined; isOpen: boolean } = { to: undefined, isOpen: true };
  const source = {
    start(to: VenueSink) {
      pushed.to = to;
      const close = () => {
        pushed.isOpen = false;
        return Promise.resolve();
      };
      return Promise.resolve({ close });
    },
  };
  const venue = new PaperVenue({ ...setupOf(scenario), source, clock: venueClock });
  const session = await venue.connect(sink);
  const moveTo = (time: number): void => {
    while (clock.nextTime() < time) clock.runNext();
    clock.advanceTo(time);
  };
  return { venue, clock, session, pushed, moveTo };
}

/** Runs a scenario as `runFast` does, on a paper venue. */
async function runPaper(scenario: Scenario) {
  const bot = new RandomBot(scenario);
  let session: VenueSession | undefined;
  const harness = await open(scenario, {
    rows: (block, from, to) => session?.send(bot.onRows(harness.clock.now(), rowsOf(block, from, to))),
    event: (event) => session?.send(bot.onEvent({ ...event })),
  });
  const { venue, clock, pushed, moveTo } = harness;
  session = harness.session;
  bot.queues = () => queuesOf(venue);
  const messages = messagesOf(scenario);
  startTimer({ scenario, clock, bot, session, from: messages[0]?.tx ?? 0, continuesAfterStop: false });
  for (const { tx, rows } of messages) {
    moveTo(tx);
    const block = blockOf(tx, rows);
    pushed.to?.rows(block, 0, block.count);
    expect(block).toEqual(blockOf(tx, rows));
  }
  bot.stop();
  while (clock.pending > 0) clock.runNext();
  return { log: bot.log, ...finalAccount(scenario, venue) };
}

const isNotTimer = (entry: unknown): boolean => typeof entry !== 'object' || entry === null || !('timer' in entry);

describe('a paper venue', () => {
  it('reports and fills the same as a replay of the market, and does not change shared rows', async () => {
    const kinds = new Set<string>();
    for (let seed = 1; seed <= 25; seed += 1) {
      const scenario = { ...SEPARATE_TIMES, seed, delays: { ...SEPARATE_TIMES.delays, entry: 80_487 } };
      const replayed = await runFast(scenario);
      const paper = await runPaper(scenario);
      const [seen, all] = [paper.log.filter(isNotTimer), replayed.log.filter(isNotTimer)];
      for (const [at, entry] of seen.entries()) expect(entry, `seed ${seed}, entry ${at}`).toEqual(all[at]);
      expect(seen).toHaveLength(all.length);
      expect([paper.cash, paper.positions]).toEqual([replayed.cash, replayed.positions]);
      for (const entry of seen)
        if (typeof entry === 'object' && entry !== null && 'type' in entry) kinds.add(String(entry.type));
    }
    expect([...kinds].sort()).toEqual(
      `cancelRejected conversionRejected converted orderAccepted orderClosed orderFilled orderRejected orderReduced
      ordersReplaced`
        .split(/\s+/)
        .sort(),
    );
  });

  it("runs on its own clock when the venue's is behind or ahead", async () => {
    const received: string[] = [];
    const harness = await open(SEPARATE_TIMES, {
      rows: (block, from) =>
        received.push(`${harness.clock.now()} rows of ${block.tx[from]}, received ${block.rx[from]}`),
      event: ({ type, time, ...rest }) =>
        received.push(`${time} ${type} of ${'venueTime' in rest ? rest.venueTime : 0}`),
    });
    const push = (tx: number, text: string) => harness.pushed.to?.rows(blockOf(tx, [row(text)]), 0, 1);
    harness.moveTo(1_000_100);
    push(1_500_000, 'bid 4000 10');
    const order = {
      type: 'place',
      order: unchecked.order(1),
      bot: unchecked.instance(0),
      market: unchecked.market(0),
    } as const;
    harness.session.send([
      {
        ...order,
        outcome: 'YES',
        side: 'BUY',
        price: 4_000 as never,
        shares: microShares(2 * SHARE),
        timeInForce: 'GTC',
        postOnly: true,
        expiration: 0,
      },
    ]);
    harness.moveTo(1_200_000);
    push(900_000, 'ask 6000 10');
    expect(received).toEqual([
      '1000100 rows of 1500000, received 1000100',
      '1120114 orderAccepted of 1500000',
      '1200000 rows of 1500000, received 1200000',
    ]);
  });

  it('reports after send has returned, and closes its source and pending tasks with the session', async () => {
    const received: string[] = [];
    const { session, pushed, clock } = await open(SEPARATE_TIMES, {
      rows: () => {},
      event: ({ type }) => received.push(type),
    });
    session.send([{ type: 'cancel', order: unchecked.order(7), market: unchecked.market(0) }]);
    expect(received).toEqual([]);
    while (clock.pending > 0) clock.runNext();
    expect(received).toEqual(['cancelRejected']);
    session.send([{ type: 'cancelAll' }]);
    await session.close();
    expect([pushed.isOpen, clock.pending]).toEqual([false, 0]);
  });

  it('fills orders in an added market on its own price grid', async () => {
    const { received, push, place, addMarket, harness } = await openWithAddMarket();
    addMarket(2, 100);
    push(2, 'bid 4000 10', 'ask 6000 10');
    place(2, 1, 4_000);
    place(2, 2, 4_050);
    harness.moveTo(1_200_000);
    push(2, 'sell 20 at 3900');
    harness.moveTo(1_400_000);
    expect(received).toEqual(['orderAccepted 1', 'orderRejected 2 INVALID_TICK', 'orderFilled 1']);
    expect(harness.venue.ledger.market(unchecked.market(2)).yes).toBe(2 * SHARE);
  });

  it('accepts orders in an added market only while it is open', async () => {
    const { received, place, addMarket, harness } = await openWithAddMarket();
    addMarket(2, 100, { status: 'OPEN', acceptingOrders: false });
    place(2, 1, 4_000);
    harness.moveTo(1_200_000);
    addMarket(2, 100);
    place(2, 2, 4_000);
    harness.moveTo(1_400_000);
    addMarket(2, 100, { status: 'PENDING_RESOLUTION', acceptingOrders: false });
    harness.moveTo(1_600_000);
    place(2, 3, 4_000);
    harness.moveTo(1_800_000);
    expect(received).toEqual([
      'orderRejected 1 MARKET_HALTED',
      'orderAccepted 2',
      'orderClosed 2 MARKET_NOT_OPEN',
      'orderRejected 3 MARKET_NOT_OPEN',
    ]);
  });

  it('closes the orders of a market that is added again with another grid, and keeps its position', async () => {
    const { received, push, place, addMarket, harness } = await openWithAddMarket();
    addMarket(2, 100);
    push(2, 'bid 4000 10', 'ask 6000 10');
    place(2, 1, 4_000);
    harness.moveTo(1_200_000);
    push(2, 'sell 11 at 4000');
    harness.moveTo(1_400_000);
    addMarket(2, 100);
    harness.moveTo(1_600_000);
    expect(received).toEqual(['orderAccepted 1', 'orderFilled 1']);
    addMarket(2, 50);
    harness.moveTo(1_800_000);
    expect(received.slice(2)).toEqual(['orderClosed 1 TICK_CHANGED']);
    push(2, 'bid 4050 10', 'ask 6000 10');
    place(2, 2, 4_050);
    harness.moveTo(2_000_000);
    push(2, 'sell 30 at 4000');
    harness.moveTo(2_200_000);
    expect(received.slice(3)).toEqual(['orderAccepted 2', 'orderFilled 2']);
    expect(harness.venue.ledger.market(unchecked.market(2)).yes).toBe(3 * SHARE);
  });
});

/** Opens a venue of two markets, to which a test adds others. */
async function openWithAddMarket() {
  const received: string[] = [];
  const harness = await open(SEPARATE_TIMES, {
    rows: () => {},
    event: (event) => {
      const { order, reason } = { order: '', reason: '', ...event };
      received.push([event.type, order, reason].filter((each) => each !== '').join(' '));
    },
  });
  harness.moveTo(1_000_100);
  return {
    harness,
    received,
    addMarket: (
      market: number,
      tickBps: number,
      state: PaperMarket['state'] = { status: 'OPEN', acceptingOrders: true },
    ) => harness.venue.addMarket({ market: unchecked.market(market), grid: { type: 'tick', tickBps }, state }),
    push: (market: number, ...texts: readonly string[]) => {
      const block = blockOf(
        harness.clock.now(),
        texts.map((text) => ({ ...row(text), market })),
      );
      harness.pushed.to?.rows(block, 0, block.count);
    },
    place: (market: number, order: number, price: number) =>
      harness.session.send([
        {
          type: 'place',
          order: unchecked.order(order),
          bot: unchecked.instance(0),
          market: unchecked.market(market),
          outcome: 'YES',
          side: 'BUY',
          price: priceBps(price),
          shares: microShares(2 * SHARE),
          timeInForce: 'GTC',
          postOnly: true,
          expiration: 0,
        },
      ]),
  };
}
