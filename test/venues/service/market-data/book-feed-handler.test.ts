import { describe, expect, it } from 'vitest';
import type { MarketStatus } from '../../../../src/domain/index.ts';
import type { WireTrade } from '../../../../src/venues/service/market-data/book-frame-codec.ts';
import { type BookFeedHarness, bookFeedHarness } from './book-feed-harness.ts';
import { ownOrder } from './own-order.ts';
import { ScriptedBook } from './scripted-book.ts';

/** A handler with a book of 10 shares at 4990 and 10 at 5010. */
function startedHandler() {
  const [harness, venue] = [bookFeedHarness(), new ScriptedBook()];
  venue.change([
    { side: 'bid', price: 4_990, shares: 10 },
    { side: 'ask', price: 5_010, shares: 10 },
  ]);
  harness.handler.onBegin();
  harness.handler.onBookEvent(venue.snapshot());
  return { ...harness, harness, venue, newMessages: () => harness.core.messages.slice(1) };
}

function trade(seq: number, price = 5_010, shares = 4, more: Partial<WireTrade> = {}): WireTrade {
  return {
    id: `t${seq}`,
    marketId: '',
    outcome: 'YES',
    side: 'BUY',
    priceBps: price,
    lastTradePriceBps: price,
    shares,
    seq: String(seq),
    executedAt: '2023-11-14T22:13:20Z',
    ...more,
  };
}

describe('a book', () => {
  it('that does not change repeats one level periodically, so that its age is known', () => {
    const { handler, venue, newMessages, harness } = startedHandler();
    handler.onBookEvent(venue.idle());
    harness.now += 5_000;
    handler.onBookEvent(venue.idle());
    expect(newMessages()).toEqual(['bid 4990=10']);
    expect(handler.seenAt).toBe(harness.now);
  });

  it('that missed a frame is out of sync until the next snapshot', () => {
    const { handler, venue, resyncs, harness } = startedHandler();
    venue.change([{ side: 'bid', price: 4_990, shares: 11 }]);
    harness.now += 100;
    handler.onBookEvent(venue.change([{ side: 'bid', price: 4_990, shares: 12 }]));
    expect([handler.isSynced, handler.differsSince, handler.resumeSeq]).toEqual([false, harness.now, undefined]);
    expect(resyncs).toEqual(['the events after 11 up to 12 are missing']);
    handler.onBegin();
    handler.onBookEvent(venue.snapshot());
    expect([handler.isSynced, handler.differsSince, handler.resumeSeq]).toEqual([true, Number.POSITIVE_INFINITY, 13]);
  });

  it('ignores an old snapshot except after a new subscription', () => {
    const { handler, venue, core } = startedHandler();
    const [oldSnapshot, restarted] = [venue.snapshot(), new ScriptedBook()];
    handler.onBookEvent(venue.change([{ side: 'bid', price: 4_990, shares: 12 }]));
    handler.onBookEvent(oldSnapshot);
    expect(core.levels(0).bids).toEqual(['4990:12']);
    handler.onBegin();
    handler.onBookEvent(restarted.snapshot());
    expect(core.levels(0).bids).toEqual([]);
    expect(handler.resumeSeq).toBe(10);
  });

  it.each([
    ['a number', { seq: 'x' }],
    ['a time', { at: 'x' }],
    ['a checksum', { checksum: 'x' }],
    ['a size', { bids: [{ priceBps: 4_990, shares: 0.001, orderCount: 1 }] }],
    ['a size', { bids: [{ priceBps: 4_990, shares: -1, orderCount: 1 }] }],
    ['a size', { bids: [{ priceBps: 4_990, shares: 1_000_000_001, orderCount: 1 }] }],
    ['a price', { asks: [{ priceBps: 10_000, shares: 1, orderCount: 1 }] }],
    ['a price', { asks: [{ priceBps: 5_015, shares: 1, orderCount: 1 }] }],
  ])('applies nothing of a frame with invalid %s: %j', (_field, invalid) => {
    const { handler, venue, newMessages, resyncs } = startedHandler();
    handler.onBookEvent({ ...venue.change([{ side: 'bid', price: 4_990, shares: 12 }]), ...invalid });
    expect([newMessages(), resyncs.length]).toEqual([[], 1]);
  });

  it('is halted while its state is unknown, and reopens with the next valid frame', () => {
    const { handler, venue, newMessages } = startedHandler();
    handler.status.setTrusted(false);
    handler.writeStatus(0);
    handler.writeStatus(0);
    handler.onBookEvent(venue.change([{ side: 'bid', price: 4_990, shares: 12 }]));
    expect(newMessages()).toEqual(['status HALTED', 'status OPEN bid 4990=12']);
  });

  it('with late changes has their age, and stays halted until a change is in time', () => {
    const { handler, harness, venue, newMessages } = startedHandler();
    harness.clockOffsetMs = 20_000;
    const late = venue.change([{ side: 'bid', price: 4_990, shares: 12 }]);
    handler.onBookEvent(late);
    expect([handler.seenAt, newMessages().at(-1)]).toEqual([Date.parse(late.at) - 20_000, 'bid 4990=12']);
    handler.status.setTrusted(false);
    handler.writeStatus(0);
    handler.onBookEvent(venue.change([{ side: 'bid', price: 4_990, shares: 13 }]));
    expect(newMessages().slice(-2)).toEqual(['status HALTED', 'bid 4990=13']);
    harness.clockOffsetMs = 0;
    handler.onBookEvent(venue.change([{ side: 'bid', price: 4_990, shares: 14 }]));
    expect([handler.seenAt, newMessages().at(-1)]).toEqual([harness.now, 'status OPEN bid 4990=14']);
  });

  it('that is lost writes one gap, which ends with the next snapshot', () => {
    const { handler, venue, newMessages } = startedHandler();
    handler.onLost();
    handler.onLost();
    venue.change([{ side: 'bid', price: 4_990, shares: 11 }]);
    handler.onBegin();
    handler.onBookEvent(venue.snapshot());
    expect(newMessages()).toEqual(['gap', 'clear bid 4990=11 ask 5010=10']);
  });

  it('that continues after a gap without a snapshot is written completely', () => {
    const { handler, venue, newMessages } = startedHandler();
    handler.onLost();
    handler.onBookEvent(venue.change([{ side: 'bid', price: 4_980, shares: 3 }]));
    expect(newMessages()).toEqual(['gap', 'bid 4980=3 clear bid 4990=10 bid 4980=3 ask 5010=10']);
  });

  it('that is lost during a halt writes a gap, and is halted again when the halt outlasts the gap', () => {
    const { handler, venue, harness, newMessages } = startedHandler();
    handler.status.halt(harness.now + 5_000);
    handler.writeStatus(0);
    handler.onLost();
    handler.onBookEvent(venue.snapshot());
    expect(newMessages()).toEqual(['status HALTED', 'gap status OPEN', 'status HALTED clear bid 4990=10 ask 5010=10']);
  });

  it('that is unsubscribed writes a gap and ignores further frames', () => {
    const { handler, venue, newMessages } = startedHandler();
    handler.endInGap();
    handler.next({ orderBookUpdated: venue.snapshot() });
    expect(newMessages()).toEqual(['gap']);
  });

  it('that reopens unchanged repeats its best level, so that its age is known', () => {
    const { handler, venue, newMessages } = startedHandler();
    handler.status.setTrusted(false);
    handler.writeStatus(0);
    handler.onBookEvent(venue.idle());
    expect(newMessages()).toEqual(['status HALTED', expect.stringMatching(/^status OPEN bid \d+=\d+$/)]);
  });
});

describe('a market state', () => {
  it('is written once, the newest one applies, and a final state never changes', () => {
    const { handler, newMessages } = startedHandler();
    const update = (status: MarketStatus, acceptingOrders: boolean, at: number): void => {
      handler.status.update({ status, acceptingOrders }, at);
      handler.writeStatus(at);
    };
    update('OPEN', true, 5);
    update('PENDING_RESOLUTION', false, 20);
    update('OPEN', true, 10);
    update('RESOLVED', false, 30);
    update('PENDING_BLOCKCHAIN', false, 40);
    update('RESOLUTION_FAILED', false, 50);
    update('RESOLVED_UNCERTAIN', false, 60);
    update('OPEN', true, 70);
    expect(newMessages()).toEqual([
      'status PENDING_RESOLUTION',
      'status RESOLVED',
      'status PENDING_BLOCKCHAIN',
      'status RESOLUTION_FAILED',
      'resolution 5000',
    ]);
  });

  it.each([
    ['RESOLVED_YES', 10_000],
    ['RESOLVED_NO', 0],
    ['CANCELLED', 65_535],
  ] as const)('%s pays %i', (status, payout) => {
    const { handler, newMessages } = startedHandler();
    handler.status.update({ status, acceptingOrders: false }, 1);
    handler.writeStatus(1);
    expect(newMessages()).toEqual([`resolution ${payout}`]);
  });
});

describe('a print', () => {
  const OURS = { side: 'ask', price: 5_010, shares: 5e6 } as const;
  const flush = ({ handler }: BookFeedHarness, ownSeq = 0): boolean => handler.flushPrints(ownSeq);

  it('is written right before its book frame, or by the next flush when no frame arrives', () => {
    const { harness, handler, venue, newMessages } = startedHandler();
    handler.onTrade(trade(12));
    handler.onTrade(trade(15, 5_010, 1, { outcome: 'NO', side: 'BUY', priceBps: 4_990 }));
    expect(newMessages()).toEqual([]);
    handler.onBookEvent(venue.change([{ side: 'ask', price: 5_010, shares: 6 }]));
    expect(newMessages()).toEqual(['trade 5010x4 ask 5010=6']);
    expect(flush(harness)).toBe(false);
    expect(newMessages().at(-1)).toBe('trade 5010x1');
    expect(harness.core.prints.map(({ taker }) => taker)).toEqual(['BUY', 'SELL']);
  });

  it('that arrives twice is written once', () => {
    const { harness, handler } = startedHandler();
    handler.onTrade(trade(12));
    handler.onTrade(trade(12));
    flush(harness);
    expect(harness.core.prints).toHaveLength(1);
  });

  it('at the price of an own order waits for the own-order stream, and is flagged if it was our trade', () => {
    const { harness, handler, ownTrades, core } = startedHandler();
    handler.ownLevels.addPending(ownOrder(OURS));
    handler.onTrade(trade(12));
    handler.onTrade(trade(13, 5_020));
    handler.onTrade(trade(14));
    expect(flush(harness)).toBe(true);
    expect(core.prints.map(({ price }) => price)).toEqual([5_020]);
    ownTrades.add('t12');
    expect(flush(harness, 13)).toBe(true);
    expect(flush(harness, 14)).toBe(false);
    expect([core.prints.length, core.ownPrints.length]).toEqual([2, 1]);
  });

  it('that the own-order stream does not report in time counts as a trade of others', () => {
    const { harness, handler, core } = startedHandler();
    handler.ownLevels.addPending(ownOrder({ ...OURS, side: 'bid', price: 5_020 }));
    handler.onTrade(trade(12));
    expect(flush(harness)).toBe(true);
    harness.now += 250;
    expect(flush(harness)).toBe(false);
    expect(core.prints).toHaveLength(1);
  });

  it('of our own trade is flagged when the own-order stream reported it before', () => {
    const { harness, handler, ownTrades, core } = startedHandler();
    ownTrades.add('t12');
    handler.onTrade(trade(12));
    handler.onTrade(trade(13, 5_010, 0));
    handler.onTrade(trade(14, 5_010, 1, { outcome: 'CANCELLED' }));
    flush(harness);
    expect(core.prints).toEqual([]);
    expect(core.ownPrints).toHaveLength(1);
  });
});

describe('own orders', () => {
  const PLACE = { side: 'bid', price: 4_990, shares: 5e6 } as const;

  it('that never reached the book leave the level unchanged', () => {
    const { handler, core } = startedHandler();
    const us = ownOrder(PLACE);
    handler.ownLevels.addPending(us);
    handler.ownLevels.addPending(us);
    expect(handler.ownLevels.isEmpty).toBe(false);
    expect([handler.ownLevels.drop(us), handler.ownLevels.drop(us)]).toEqual([true, false]);
    handler.publishWithoutOwnOrders();
    expect([handler.ownLevels.isEmpty, core.levels(0).bids]).toEqual([true, ['4990:10']]);
  });

  it('are removed from a snapshot', () => {
    const { handler, venue, core, newMessages } = startedHandler();
    const us = ownOrder(PLACE);
    handler.ownLevels.addPending(us);
    handler.ownLevels.setRemaining(us, { seq: 12, remaining: 5e6 });
    handler.publishWithoutOwnOrders();
    venue.change([
      { side: 'bid', price: 4_990, shares: 15 },
      { side: 'bid', price: 5_000, shares: 1 },
    ]);
    handler.onBegin();
    handler.onBookEvent(venue.snapshot());
    expect(core.levels(0).bids).toEqual(['5000:1', '4990:10']);
    expect(newMessages()).toEqual(['clear bid 5000=1 bid 4990=10 ask 5010=10']);
  });

  it('found at the venue are removed from a book that already contains them', () => {
    const { handler, core } = startedHandler();
    const us = ownOrder(PLACE);
    handler.ownLevels.addPending(us);
    handler.ownLevels.setRemaining(us, { seq: 7, remaining: 5e6 });
    handler.publishWithoutOwnOrders();
    expect(core.levels(0).bids).toEqual(['4990:5']);
  });
});
