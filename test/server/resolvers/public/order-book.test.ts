import { beforeEach, describe, expect, it } from 'vitest';
import type { AccountNo } from '../../../../src/domain/index.ts';
import { vectors } from '../../../spec-vectors.ts';
import { idOf } from './commands.ts';
import { openVenueWithMakers, type Venue } from './venue.ts';

const SHARE = 1_000_000;
const BOOK = `query ($id: ID!, $outcome: BetOutcome, $depth: Int) { orderBook(marketId: $id, outcome: $outcome, depth: $depth) {
  marketId outcome seq checksum bids { priceBps shares orderCount } asks { priceBps shares orderCount }
  bestBidBps bestAskBps midpointBps lastTradePriceBps tickSizeBps asOf } }`;

let venue: Venue;
let makers: readonly [AccountNo, AccountNo];

beforeEach(async () => {
  ({ venue, makers } = await openVenueWithMakers());
});

describe('an order book', () => {
  it.each(vectors.bookChecksum)('has the checksum of the specification: $name', async ({ bids, asks, checksum }) => {
    const no = await venue.open(makers[0], { tickBps: 1, minOrderShares: 0 as never });
    for (const { priceBps, shares } of bids) {
      await venue.place(makers[0], no, 'BUY', 'YES', priceBps, Math.round(shares * SHARE));
    }
    for (const { priceBps, shares } of asks) {
      await venue.place(makers[1], no, 'BUY', 'NO', 10_000 - priceBps, Math.round(shares * SHARE));
    }
    const level = ({ priceBps, shares }: { priceBps: number; shares: number }) => ({ priceBps, shares, orderCount: 1 });
    const book = await venue.read<Record<string, unknown>>(BOOK, { id: idOf(0) });
    expect(book).toMatchObject({ checksum, bids: bids.map(level), asks: asks.map(level), outcome: 'YES' });
    const shallow = await venue.read<Record<string, unknown>>(BOOK, { id: idOf(0), depth: 1 });
    expect(shallow).toMatchObject({ bids: bids.slice(0, 1).map(level), asks: asks.slice(0, 1).map(level) });
    const { checksum: shallowSum } = shallow;
    expect(shallowSum === checksum).toBe(bids.length <= 1 && asks.length <= 1);
  });

  it('is returned for either outcome with order counts and the time of its last change', async () => {
    const no = await venue.open(makers[0]);
    await venue.trade(no, makers, 4_500, SHARE);
    await venue.place(makers[0], no, 'BUY', 'YES', 4_000, SHARE);
    await venue.place(makers[1], no, 'BUY', 'YES', 4_000, 2 * SHARE);
    await venue.place(makers[0], no, 'BUY', 'YES', 3_990, 3 * SHARE);
    await venue.place(makers[1], no, 'BUY', 'NO', 5_000 - 10, 4_560_000);
    const { seq } = venue.view;
    await venue.execute({ type: 'setMode', time: venue.clock.now(), mode: 'POST_ONLY' });
    venue.pass(1_234);
    const yes = {
      marketId: idOf(0),
      outcome: 'YES',
      seq: String(seq),
      tickSizeBps: 10,
      asOf: '2026-11-20T12:00:01.234Z',
      bids: [
        { priceBps: 4_000, shares: 3, orderCount: 2 },
        { priceBps: 3_990, shares: 3, orderCount: 1 },
      ],
      asks: [{ priceBps: 5_010, shares: 4.56, orderCount: 1 }],
      bestBidBps: 4_000,
      bestAskBps: 5_010,
      midpointBps: 4_505,
      lastTradePriceBps: 4_500,
    };
    expect(await venue.read(BOOK, { id: idOf(0) })).toMatchObject(yes);
    expect(await venue.read(BOOK, { id: idOf(0), outcome: null, depth: null })).toMatchObject(yes);
    expect(await venue.read(BOOK, { id: idOf(0), outcome: 'NO' })).toMatchObject({
      outcome: 'NO',
      seq: String(seq),
      bids: [{ priceBps: 4_990, shares: 4.56, orderCount: 1 }],
      asks: [
        { priceBps: 6_000, shares: 3, orderCount: 2 },
        { priceBps: 6_010, shares: 3, orderCount: 1 },
      ],
      bestBidBps: 4_990,
      bestAskBps: 6_000,
      midpointBps: 5_495,
      lastTradePriceBps: 5_500,
    });
  });

  it('has a NO midpoint of 10000 minus the YES midpoint, also for a fractional midpoint', async () => {
    const no = await venue.open(makers[0], { tickBps: 1 });
    await venue.place(makers[0], no, 'BUY', 'YES', 4_000, SHARE);
    await venue.place(makers[1], no, 'BUY', 'NO', 10_000 - 4_003, SHARE);
    expect(await venue.read(BOOK, { id: idOf(0) })).toMatchObject({ midpointBps: 4_001 });
    expect(await venue.read(BOOK, { id: idOf(0), outcome: 'NO' })).toMatchObject({ midpointBps: 5_999 });
  });

  it('is empty and has a new seq after the market has closed', async () => {
    const no = await venue.open(makers[0]);
    await venue.place(makers[0], no, 'BUY', 'YES', 4_000, SHARE);
    const { seq: before } = await venue.read<{ seq: string }>(BOOK, { id: idOf(0) });
    await venue.execute({ type: 'closeEarly', time: venue.clock.now(), market: no, note: '' });
    const closed = await venue.read<{ seq: string }>(BOOK, { id: idOf(0) });
    expect(closed).toMatchObject({ bids: [], asks: [], bestBidBps: null, midpointBps: null, checksum: '0x8bb1d29a' });
    expect(Number(closed.seq)).toBeGreaterThan(Number(before));
  });

  it('is refused for an invalid market, outcome or depth and null for an unknown market', async () => {
    expect(await venue.read(BOOK, { id: idOf(3) })).toBeNull();
    expect(await venue.refusal(BOOK, { id: 'x' })).toMatch(/^invalid market ID: .* @ orderBook$/);
    expect(await venue.refusal(BOOK, { id: idOf(0), outcome: 'CANCELLED' })).toMatch(
      /^invalid argument: outcome: expected YES or NO, got "CANCELLED" @ orderBook$/,
    );
    for (const depth of [0, 501, -1]) {
      expect(await venue.refusal(BOOK, { id: idOf(0), depth })).toMatch(/^invalid argument: depth: expected 1 to 500/);
    }
    expect(await venue.read(BOOK, { id: idOf(3), depth: 500 })).toBeNull();
  });
});
