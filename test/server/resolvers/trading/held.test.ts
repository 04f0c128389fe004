/** Orders of markets whose tape holds new ones. */
import { afterEach, describe, expect, it } from 'vitest';
import { marketId } from '../../../../src/domain/index.ts';
import { OPERATIONS } from '../../../../src/protocol/index.ts';
import type { DelayedOrders } from '../../../../src/server/replay/placing-delays.ts';
import { openVenue, type Venue } from './venue.ts';

const open: Venue[] = [];
afterEach(async () => {
  for (const venue of open.splice(0)) {
    expect(venue.stops).toEqual([]);
    await venue.close();
  }
});

/** A venue that holds orders until `pass` is called. */
async function holding() {
  const asked: (readonly string[])[] = [];
  const interrupted = new Set<string>();
  const { promise: passed, resolve: pass } = Promise.withResolvers<void>();
  const hold = (markets: readonly string[]): DelayedOrders | undefined => {
    asked.push(markets);
    return markets.length === 0 ? undefined : { passed, isInterrupted: (market) => interrupted.has(market) };
  };
  const venue = await openVenue({ delays: { hold, isIdle: false } });
  open.push(venue);
  const market = await venue.market();
  const player = await venue.player('alice', 1000);
  return { venue, market, player, asked, interrupted, pass };
}

describe('a delayed order', () => {
  it('is placed after the delay and not before', async () => {
    const { venue, market, player, asked, pass } = await holding();
    const answer = venue.place(player, { marketId: market, priceBps: 6000 });
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect([asked, venue.view.orderCount]).toEqual([[[market]], 0]);
    pass();
    expect(await answer).toMatchObject({ accepted: true, order: { status: 'LIVE' } });
  });

  it('is refused when its market was halted meanwhile, even if it is open again', async () => {
    const { venue, market, player, interrupted, pass } = await holding();
    const before = venue.hash();
    const answer = venue.place(player, { marketId: market, priceBps: 6000 });
    interrupted.add(marketId(market));
    pass();
    expect(await answer).toMatchObject({ accepted: false, rejection: { reason: 'MARKET_HALTED' } });
    expect(venue.hash()).toBe(before);
  });

  it('is refused for the first failed check like any order', async () => {
    const { venue, market, player, interrupted, pass } = await holding();
    venue.stubs.restriction = 'GEO_BLOCKED';
    const answer = venue.place(player, { marketId: market, priceBps: 6000 });
    interrupted.add(marketId(market));
    pass();
    expect(await answer).toMatchObject({ rejection: { reason: 'GEO_BLOCKED' } });
  });

  it('is refused after a cancel of all orders, because it was signed for an earlier epoch', async () => {
    const { venue, market, player, pass } = await holding();
    const answer = venue.place(player, { marketId: market, priceBps: 6000 });
    await venue.got(player, OPERATIONS.cancelAllOrders, {});
    pass();
    expect(await answer).toMatchObject({ rejection: { reason: 'STALE_EPOCH' } });
  });

  it('is not delayed when it is known, also in a replace, but waits together with a new one', async () => {
    const { venue, market, player, asked, pass } = await holding();
    const input = venue.input(player, { marketId: market, priceBps: 6000 });
    const first = venue.got(player, OPERATIONS.placeOrder, { input });
    pass();
    expect(await first).toMatchObject({ placeOrder: { accepted: true, duplicate: false } });
    const again = await venue.got(player, OPERATIONS.placeOrder, { input });
    expect(again).toMatchObject({ placeOrder: { accepted: true, duplicate: true } });
    const spoilt = { ...input, order: { ...input.order, priceBps: 6010 } };
    const bad = await venue.got(player, OPERATIONS.placeOrder, { input: spoilt });
    expect(bad).toMatchObject({ placeOrder: { rejection: { reason: 'BAD_SIGNATURE' } } });
    expect(asked).toEqual([[market]]);
    const other = venue.input(player, { marketId: market, priceBps: 6010 });
    await venue.got(player, OPERATIONS.placeOrders, { input: { orders: [input, other] } });
    expect(asked).toEqual([[market], [market]]);
  });

  it('delays its whole replace, while cancels alone are not delayed', async () => {
    const { venue, market, player, asked, pass } = await holding();
    const cancels = { marketId: market, cancelOrderIds: null, cancelAllInMarket: true, place: [], ifNoFillSince: null };
    await venue.got(player, OPERATIONS.replaceOrders, { input: cancels });
    const place = [venue.input(player, { marketId: market, priceBps: 6000 })];
    const answer = venue.got(player, OPERATIONS.replaceOrders, { input: { ...cancels, place } });
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect([asked, venue.view.orderCount]).toEqual([[[market]], 0]);
    pass();
    expect(await answer).toMatchObject({ replaceOrders: { committed: true } });
  });
});
