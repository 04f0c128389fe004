import { describe, expect, it } from 'vitest';
import { type Clock, RANK, SimClock } from '../../../src/clock/index.ts';
import { counted, epochMs, microShares, priceBps, SHARE } from '../../../src/domain/index.ts';
import { riskAverseQueue } from '../../../src/replay/index.ts';
import type { VenueSession, VenueSink } from '../../../src/runtime/index.ts';
import { type PaperMarket, PaperVenue } from '../../../src/venues/sim/index.ts';
import { blockOf, row } from './harness.ts';
import {
  booksOf,
  messagesOf,
  queuesOf,
  RandomBot,
  rowsOf,
  runFast,
  type Scenario,
  setupOf,
  startTimer,
} from './scenario.ts';

/** Nothing is on the way at the moment at which something else happens. */
const APART: Scenario = {
  seed: 1,
  markets: 2,
  messages: 400,
  queue: riskAverseQueue(),
  immutable: false,
  scale: 1_000,
  delays: { feed: 0, entry: 80_003, response: 40_011 },
};

/** A paper venue on a clock that stands still until it is moved, its market data pushed by hand. */
async function open(scenario: Scenario, sink: VenueSink) {
  const clock = new SimClock(epochMs(1_000_000));
  // Its own work before the timers of the bot, as in a replay.
  const own: Clock = {
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
  const venue = new PaperVenue({ ...setupOf(scenario), source, clock: own });
  const session = await venue.connect(sink);
  const moveTo = (time: number): void => {
    while (clock.nextTime() < time) clock.runNext();
    clock.advanceTo(time);
  };
  return { venue, clock, session, pushed, moveTo };
}

/** The same as `runFast`, pushed. */
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
  startTimer({ scenario, clock, bot, session, from: messages[0]?.tx ?? 0, forEver: false });
  for (const { tx, rows } of messages) {
    moveTo(tx);
    const block = blockOf(tx, rows);
    pushed.to?.rows(block, 0, block.count);
    expect(block).toEqual(blockOf(tx, rows));
  }
  bot.stop();
  while (clock.pending > 0) clock.runNext();
  return { log: bot.log, ...booksOf(scenario, venue) };
}

const isNoTimer = (entry: unknown): boolean => typeof entry !== 'object' || entry === null || !('timer' in entry);

describe('a paper venue', () => {
  it('reports and fills what a replay of the same market does, without writing in shared rows', async () => {
    const kinds = new Set<string>();
    for (let seed = 1; seed <= 25; seed += 1) {
      const scenario = { ...APART, seed, delays: { ...APART.delays, entry: 80_487 } };
      const replayed = await runFast(scenario);
      const paper = await runPaper(scenario);
      const [seen, all] = [paper.log.filter(isNoTimer), replayed.log.filter(isNoTimer)];
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
    const harness = await open(APART, {
      rows: (block, from) =>
        received.push(`${harness.clock.now()} rows of ${block.tx[from]}, received ${block.rx[from]}`),
      event: ({ type, time, ...rest }) =>
        received.push(`${time} ${type} of ${'venueTime' in rest ? rest.venueTime : 0}`),
    });
    const push = (tx: number, text: string) => harness.pushed.to?.rows(blockOf(tx, [row(text)]), 0, 1);
    harness.moveTo(1_000_100);
    push(1_500_000, 'bid 4000 10');
    const order = { type: 'place', order: counted.order(1), bot: counted.bot(0), market: counted.market(0) } as const;
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

  it('sends nothing, never answers during send, and ends its source', async () => {
    const received: string[] = [];
    const { session, pushed, clock } = await open(APART, { rows: () => {}, event: ({ type }) => received.push(type) });
    session.send([{ type: 'cancel', order: counted.order(7), market: counted.market(0) }]);
    expect(received).toEqual([]);
    while (clock.pending > 0) clock.runNext();
    expect(received).toEqual(['cancelRejected']);
    session.send([{ type: 'cancelAll' }]);
    await session.close();
    expect([pushed.isOpen, clock.pending]).toEqual([false, 0]);
  });

  it('fills orders in a market that was added meanwhile, at its own prices', async () => {
    const { received, push, place, added, harness } = await withAdded();
    added(2, 100);
    push(2, 'bid 4000 10', 'ask 6000 10');
    place(2, 1, 4_000);
    place(2, 2, 4_050);
    harness.moveTo(1_200_000);
    push(2, 'sell 20 at 3900');
    harness.moveTo(1_400_000);
    expect(received).toEqual(['orderAccepted 1', 'orderRejected 2 INVALID_TICK', 'orderFilled 1']);
    expect(harness.venue.ledger.market(counted.market(2)).yes).toBe(2 * SHARE);
  });

  it('takes orders in an added market only while it is open', async () => {
    const { received, place, added, harness } = await withAdded();
    added(2, 100, { status: 'OPEN', acceptingOrders: false });
    place(2, 1, 4_000);
    harness.moveTo(1_200_000);
    added(2, 100);
    place(2, 2, 4_000);
    harness.moveTo(1_400_000);
    added(2, 100, { status: 'PENDING_RESOLUTION', acceptingOrders: false });
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

  it('closes the orders of a market that comes back with other prices, and keeps what is held there', async () => {
    const { received, push, place, added, harness } = await withAdded();
    added(2, 100);
    push(2, 'bid 4000 10', 'ask 6000 10');
    place(2, 1, 4_000);
    harness.moveTo(1_200_000);
    push(2, 'sell 11 at 4000');
    harness.moveTo(1_400_000);
    added(2, 100);
    harness.moveTo(1_600_000);
    expect(received).toEqual(['orderAccepted 1', 'orderFilled 1']);
    added(2, 50);
    harness.moveTo(1_800_000);
    expect(received.slice(2)).toEqual(['orderClosed 1 TICK_CHANGED']);
    push(2, 'bid 4050 10', 'ask 6000 10');
    place(2, 2, 4_050);
    harness.moveTo(2_000_000);
    push(2, 'sell 30 at 4000');
    harness.moveTo(2_200_000);
    expect(received.slice(3)).toEqual(['orderAccepted 2', 'orderFilled 2']);
    expect(harness.venue.ledger.market(counted.market(2)).yes).toBe(3 * SHARE);
  });
});

/** A venue of two markets to which others are added. */
async function withAdded() {
  const received: string[] = [];
  const harness = await open(APART, {
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
    added: (market: number, tickBps: number, state: PaperMarket['state'] = { status: 'OPEN', acceptingOrders: true }) =>
      harness.venue.addMarket({ market: counted.market(market), grid: { type: 'tick', tickBps }, state }),
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
          order: counted.order(order),
          bot: counted.bot(0),
          market: counted.market(market),
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
