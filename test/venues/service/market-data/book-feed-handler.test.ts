import { describe, expect, it } from 'vitest';
import type { TradeFieldsFragment } from '../../../../src/protocol/index.ts';
import { type BookFeedHarness, bookFeedHarness } from './book-feed-harness.ts';
import { ownOrder } from './own-order.ts';
import { ScriptedBook } from './scripted-book.ts';

/** A book of 10 shares a side at 4990 and 5010. */
function begun() {
  const [harness, venue] = [bookFeedHarness(), new ScriptedBook()];
  venue.change([
    { side: 'bid', price: 4_990, shares: 10 },
    { side: 'ask', price: 5_010, shares: 10 },
  ]);
  harness.line.begun();
  harness.line.book(venue.snapshot());
  return { ...harness, harness, venue, seen: () => harness.core.messages.slice(1) };
}

function trade(seq: number, price = 5_010, shares = 4, more: Partial<TradeFieldsFragment> = {}): TradeFieldsFragment {
  return {
    id: `t${seq}`,
    marketId: '',
    outcome: 'YES',
    side: 'BUY',
    priceBps: price,
    lastTradePriceBps: price,
    shares,
    amountCents: 0,
    matchType: 'NORMAL',
    seq: String(seq),
    executedAt: '2023-11-14T22:13:20Z',
    ...more,
  };
}

describe('a book', () => {
  it('that does not change repeats one level now and then, so that its age is known', () => {
    const { line, venue, seen, harness } = begun();
    line.book(venue.idle());
    harness.now += 5_000;
    line.book(venue.idle());
    expect(seen()).toEqual(['bid 4990=10']);
    expect(line.seenAt).toBe(harness.now);
  });

  it('that missed a frame counts as current and correct again from the next snapshot', () => {
    const { line, venue, resyncs, harness } = begun();
    venue.change([{ side: 'bid', price: 4_990, shares: 11 }]);
    harness.now += 100;
    line.book(venue.change([{ side: 'bid', price: 4_990, shares: 12 }]));
    expect([line.isSynced, line.lostAt, line.resumesAt]).toEqual([false, harness.now, undefined]);
    expect(resyncs).toEqual(['from 11 to 12']);
    line.begun();
    line.book(venue.snapshot());
    expect([line.isSynced, line.lostAt, line.resumesAt]).toEqual([true, Number.POSITIVE_INFINITY, 13]);
  });

  it('is not set back by an old snapshot unless it was requested because the venue restarted', () => {
    const { line, venue, core } = begun();
    const [old, young] = [venue.snapshot(), new ScriptedBook()];
    line.book(venue.change([{ side: 'bid', price: 4_990, shares: 12 }]));
    line.book(old);
    expect(core.picture(0).bids).toEqual(['4990:12']);
    line.begun();
    line.book(young.snapshot());
    expect(core.picture(0).bids).toEqual([]);
    expect(line.resumesAt).toBe(10);
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
  ])('applies nothing of a frame with invalid %s: %j', (_what, wrong) => {
    const { line, venue, seen, resyncs } = begun();
    line.book({ ...venue.change([{ side: 'bid', price: 4_990, shares: 12 }]), ...wrong });
    expect([seen(), resyncs.length]).toEqual([[], 1]);
  });

  it('is halted while its state is unknown, and continues with the first frame that fits', () => {
    const { line, venue, seen } = begun();
    line.status.trust(false);
    line.writeStanding(0);
    line.writeStanding(0);
    line.book(venue.change([{ side: 'bid', price: 4_990, shares: 12 }]));
    expect(seen()).toEqual(['status HALTED', 'status OPEN bid 4990=12']);
  });

  it('whose changes are read too late is as old as they are, and stays halted until one is in time', () => {
    const { line, harness, venue, seen } = begun();
    harness.late = 20_000;
    const late = venue.change([{ side: 'bid', price: 4_990, shares: 12 }]);
    line.book(late);
    expect([line.seenAt, seen().at(-1)]).toEqual([Date.parse(late.at) - 20_000, 'bid 4990=12']);
    line.status.trust(false);
    line.writeStanding(0);
    line.book(venue.change([{ side: 'bid', price: 4_990, shares: 13 }]));
    expect(seen().slice(-2)).toEqual(['status HALTED', 'bid 4990=13']);
    harness.late = 0;
    line.book(venue.change([{ side: 'bid', price: 4_990, shares: 14 }]));
    expect([line.seenAt, seen().at(-1)]).toEqual([harness.now, 'status OPEN bid 4990=14']);
  });

  it('that is lost is a gap, which ends with the snapshot', () => {
    const { line, venue, seen } = begun();
    line.lost();
    line.lost();
    venue.change([{ side: 'bid', price: 4_990, shares: 11 }]);
    line.begun();
    line.book(venue.snapshot());
    expect(seen()).toEqual(['gap', 'clear bid 4990=11 ask 5010=10']);
  });

  it('that continues after a gap without a snapshot is written whole', () => {
    const { line, venue, seen } = begun();
    line.lost();
    line.book(venue.change([{ side: 'bid', price: 4_980, shares: 3 }]));
    expect(seen()).toEqual(['gap', 'bid 4980=3 clear bid 4990=10 bid 4980=3 ask 5010=10']);
  });

  it('that is halted when it is lost is a gap, too, and halted again when the halt outlasts the gap', () => {
    const { line, venue, harness, seen } = begun();
    line.status.halt(harness.now + 5_000);
    line.writeStanding(0);
    line.lost();
    line.book(venue.snapshot());
    expect(seen()).toEqual(['status HALTED', 'gap status OPEN', 'status HALTED clear bid 4990=10 ask 5010=10']);
  });

  it('that is followed no more is a gap', () => {
    const { line, venue, seen } = begun();
    line.leave();
    line.next({ orderBookUpdated: venue.snapshot() });
    expect(seen()).toEqual(['gap']);
  });

  it('that returns unchanged repeats its best level, so that its age is that of the answer', () => {
    const { line, venue, seen } = begun();
    line.status.trust(false);
    line.writeStanding(0);
    line.book(venue.idle());
    expect(seen()).toEqual(['status HALTED', expect.stringMatching(/^status OPEN bid \d+=\d+$/)]);
  });
});

describe('a market state', () => {
  it('is delivered once, the newest applies, and an end is final', () => {
    const { line, seen } = begun();
    const update = (...[status, accepts, at]: Parameters<typeof line.status.update>): void => {
      line.status.update(status, accepts, at);
      line.writeStanding(at);
    };
    update('OPEN', true, 5);
    update('PENDING_RESOLUTION', false, 20);
    update('OPEN', true, 10);
    update('RESOLVED', false, 30);
    update('PENDING_BLOCKCHAIN', false, 40);
    update('RESOLUTION_FAILED', false, 50);
    update('RESOLVED_UNCERTAIN', false, 60);
    update('OPEN', true, 70);
    expect(seen()).toEqual([
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
    const { line, seen } = begun();
    line.status.update(status, false, 1);
    line.writeStanding(1);
    expect(seen()).toEqual([`resolution ${payout}`]);
  });
});

describe('a print', () => {
  const OURS = { side: 'ask', price: 5_010, shares: 5e6 } as const;
  const flush = ({ line }: BookFeedHarness, ownSeq = 0): boolean => line.flushPrints(ownSeq);

  it('waits for its book and comes before it; without a book it is delivered at the end of the burst', () => {
    const { harness, line, venue, seen } = begun();
    line.trade(trade(12));
    line.trade(trade(15, 5_010, 1, { outcome: 'NO', side: 'BUY', priceBps: 4_990 }));
    expect(seen()).toEqual([]);
    line.book(venue.change([{ side: 'ask', price: 5_010, shares: 6 }]));
    expect(seen()).toEqual(['trade 5010x4 ask 5010=6']);
    expect(flush(harness)).toBe(false);
    expect(seen().at(-1)).toBe('trade 5010x1');
    expect(harness.core.prints.map(({ taker }) => taker)).toEqual(['BUY', 'SELL']);
  });

  it('is delivered once, whichever socket brings it', () => {
    const { harness, line } = begun();
    line.trade(trade(12));
    line.trade(trade(12));
    flush(harness);
    expect(harness.core.prints).toHaveLength(1);
  });

  it('at a price with an own order waits for the own-order stream, and has the flag of own trades if it was ours', () => {
    const { harness, line, ownTrades, core } = begun();
    line.own.addPending(ownOrder(OURS));
    line.trade(trade(12));
    line.trade(trade(13, 5_020));
    line.trade(trade(14));
    expect(flush(harness)).toBe(true);
    expect(core.prints.map(({ price }) => price)).toEqual([5_020]);
    ownTrades.add('t12');
    expect(flush(harness, 13)).toBe(true);
    expect(flush(harness, 14)).toBe(false);
    expect([core.prints.length, core.ownPrints.length]).toEqual([2, 1]);
  });

  it('that the own-order stream does not claim in time counts as a trade of others', () => {
    const { harness, line, core } = begun();
    line.own.addPending(ownOrder({ ...OURS, side: 'bid', price: 5_020 }));
    line.trade(trade(12));
    expect(flush(harness)).toBe(true);
    harness.now += 250;
    expect(flush(harness)).toBe(false);
    expect(core.prints).toHaveLength(1);
  });

  it('of our own trade, already reported, has the flag of own trades', () => {
    const { harness, line, ownTrades, core } = begun();
    ownTrades.add('t12');
    line.trade(trade(12));
    line.trade(trade(13, 5_010, 0));
    line.trade(trade(14, 5_010, 1, { outcome: 'CANCELLED' }));
    flush(harness);
    expect(core.prints).toEqual([]);
    expect(core.ownPrints).toHaveLength(1);
  });
});

describe('own orders', () => {
  const PLACE = { side: 'bid', price: 4_990, shares: 5e6 } as const;

  it('that never reached the book leave the level as it is', () => {
    const { line, core } = begun();
    const us = ownOrder(PLACE);
    line.own.addPending(us);
    line.own.addPending(us);
    expect(line.own.isEmpty).toBe(false);
    expect([line.own.drop(us), line.own.drop(us)]).toEqual([true, false]);
    line.reveal();
    expect([line.own.isEmpty, core.picture(0).bids]).toEqual([true, ['4990:10']]);
  });

  it('are removed from a snapshot, too', () => {
    const { line, venue, core, seen } = begun();
    const us = ownOrder(PLACE);
    line.own.addPending(us);
    line.own.setRemaining(us, { seq: 12, remaining: 5e6 });
    line.reveal();
    venue.change([
      { side: 'bid', price: 4_990, shares: 15 },
      { side: 'bid', price: 5_000, shares: 1 },
    ]);
    line.begun();
    line.book(venue.snapshot());
    expect(core.picture(0).bids).toEqual(['5000:1', '4990:10']);
    expect(seen()).toEqual(['clear bid 5000=1 bid 4990=10 ask 5010=10']);
  });

  it('found at the venue are removed from a book that already contains them', () => {
    const { line, core } = begun();
    const us = ownOrder(PLACE);
    line.own.addPending(us);
    line.own.setRemaining(us, { seq: 7, remaining: 5e6 });
    line.reveal();
    expect(core.picture(0).bids).toEqual(['4990:5']);
  });
});
