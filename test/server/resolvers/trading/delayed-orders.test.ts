/** Orders in markets whose recording delays new orders. */
import { afterEach, describe, expect, it } from 'vitest';
import { marketId } from '../../../../src/domain/index.ts';
import type { DelayedOrders } from '../../../../src/server/replay/placing-delays.ts';
import { ALL_OPERATIONS } from '../../../protocol/generated/operations.ts';
import { openVenue, type Venue } from './venue.ts';

const venues: Venue[] = [];
afterEach(async () => {
  for (const venue of venues.splice(0)) {
    expect(venue.stops).toEqual([]);
    await venue.close();
  }
});

/** A venue that delays orders until `endDelay` is called. `delayed` has the markets of each delayed request. */
async function openDelayingVenue() {
  const delayed: (readonly string[])[] = [];
  const interrupted = new Set<string>();
  const { promise: passed, resolve: endDelay } = Promise.withResolvers<void>();
  const delayOrders = (markets: readonly string[]): DelayedOrders | undefined => {
    delayed.push(markets);
    return markets.length === 0 ? undefined : { passed, isInterrupted: (market) => interrupted.has(market) };
  };
  const venue = await openVenue({ delays: { delayOrders, isIdle: false } });
  venues.push(venue);
  const market = await venue.market();
  const trader = await venue.trader('alice', 1000);
  return { venue, market, trader, delayed, interrupted, endDelay };
}

describe('a delayed order', () => {
  it('is placed after the delay and not before', async () => {
    const { venue, market, trader, delayed, endDelay } = await openDelayingVenue();
    const answer = venue.place(trader, { marketId: market, priceBps: 6000 });
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect([delayed, venue.view.orderCount]).toEqual([[[market]], 0]);
    endDelay();
    expect(await answer).toMatchObject({ accepted: true, order: { status: 'LIVE' } });
  });

  it('is refused when its market was halted meanwhile, even if it is open again', async () => {
    const { venue, market, trader, interrupted, endDelay } = await openDelayingVenue();
    const before = venue.hash();
    const answer = venue.place(trader, { marketId: market, priceBps: 6000 });
    interrupted.add(marketId(market));
    endDelay();
    expect(await answer).toMatchObject({ accepted: false, rejection: { reason: 'MARKET_HALTED' } });
    expect(venue.hash()).toBe(before);
  });

  it('is refused for the first failed check, like any order', async () => {
    const { venue, market, trader, interrupted, endDelay } = await openDelayingVenue();
    venue.stubs.restriction = 'GEO_BLOCKED';
    const answer = venue.place(trader, { marketId: market, priceBps: 6000 });
    interrupted.add(marketId(market));
    endDelay();
    expect(await answer).toMatchObject({ rejection: { reason: 'GEO_BLOCKED' } });
  });

  it('is refused after a cancel of all orders, because it was signed for an earlier epoch', async () => {
    const { venue, market, trader, endDelay } = await openDelayingVenue();
    const answer = venue.place(trader, { marketId: market, priceBps: 6000 });
    await venue.execute(trader, ALL_OPERATIONS.cancelAllOrders, {});
    endDelay();
    expect(await answer).toMatchObject({ rejection: { reason: 'STALE_EPOCH' } });
  });

  it('is not delayed when it is sent again, unless a new order is sent with it', async () => {
    const { venue, market, trader, delayed, endDelay } = await openDelayingVenue();
    const input = venue.input(trader, { marketId: market, priceBps: 6000 });
    const first = venue.execute(trader, ALL_OPERATIONS.placeOrder, { input });
    endDelay();
    expect(await first).toMatchObject({ placeOrder: { accepted: true, duplicate: false } });
    const again = await venue.execute(trader, ALL_OPERATIONS.placeOrder, { input });
    expect(again).toMatchObject({ placeOrder: { accepted: true, duplicate: true } });
    const tampered = { ...input, order: { ...input.order, priceBps: 6010 } };
    const bad = await venue.execute(trader, ALL_OPERATIONS.placeOrder, { input: tampered });
    expect(bad).toMatchObject({ placeOrder: { rejection: { reason: 'BAD_SIGNATURE' } } });
    expect(delayed).toEqual([[market]]);
    const other = venue.input(trader, { marketId: market, priceBps: 6010 });
    await venue.execute(trader, ALL_OPERATIONS.placeOrders, { input: { orders: [input, other] } });
    expect(delayed).toEqual([[market], [market]]);
  });

  it('delays its whole replace, but a replace with only cancels is not delayed', async () => {
    const { venue, market, trader, delayed, endDelay } = await openDelayingVenue();
    const cancels = { marketId: market, cancelOrderIds: null, cancelAllInMarket: true, place: [], ifNoFillSince: null };
    await venue.execute(trader, ALL_OPERATIONS.replaceOrders, { input: cancels });
    const place = [venue.input(trader, { marketId: market, priceBps: 6000 })];
    const answer = venue.execute(trader, ALL_OPERATIONS.replaceOrders, { input: { ...cancels, place } });
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect([delayed, venue.view.orderCount]).toEqual([[[market]], 0]);
    endDelay();
    expect(await answer).toMatchObject({ replaceOrders: { committed: true } });
  });
});
