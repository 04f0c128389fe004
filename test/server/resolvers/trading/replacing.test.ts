/** Operations that replace orders. */
import { beforeEach, describe, expect, it } from 'vitest';
import { ALL_OPERATIONS } from '../../../protocol/generated/operations.ts';
import type { OrderRequest } from './signed-orders.ts';
import { openVenueForTest, type Trader, type Venue } from './venue.ts';

let venue: Venue;
let alice: Trader;
let bob: Trader;
let market: string;

beforeEach(async () => {
  venue = await openVenueForTest();
  market = await venue.market();
  alice = await venue.trader('alice', 1000);
  bob = await venue.trader('bob', 1000);
});

const UNKNOWN = `0x${'ee'.repeat(32)}`;
const input = (request: OrderRequest = {}) => venue.input(alice, { marketId: market, ...request });

async function place(request: OrderRequest = {}, trader = alice): Promise<string> {
  const { order, rejection } = await venue.place(trader, { marketId: market, ...request });
  if (order === null) throw new Error(JSON.stringify(rejection));
  return order.id;
}

const refusals = (results: readonly { readonly rejection: { readonly reason: string } | null }[] | undefined) =>
  results?.map(({ rejection }) => rejection?.reason ?? null);

describe('replaceOrder and replaceOrders', () => {
  it('cancel and place atomically', async () => {
    const id = await place({ priceBps: 4000 });
    const { replaceOrder } = await venue.execute(alice, ALL_OPERATIONS.replaceOrder, {
      id,
      input: input({ priceBps: 4100, replaces: id as `0x${string}` }),
    });
    expect(replaceOrder).toMatchObject({
      committed: true,
      rejection: null,
      cancelled: [{ orderId: id, cancelled: true, remainingShares: 0 }],
      placed: [{ accepted: true, order: { priceBps: 4100, status: 'LIVE' } }],
    });
    expect(venue.stubs.taken.slice(-2)).toEqual(['order 1', 'order 1, cancel 1']);
    const { order } = await venue.execute(alice, ALL_OPERATIONS.order, { id });
    expect(order?.order).toMatchObject({ status: 'CANCELLED', cancelReason: 'REPLACED' });
  });

  it('change nothing when one part fails, and return its reason', async () => {
    const [first, second] = [await place({ priceBps: 4000 }), await place({ priceBps: 4010 })];
    const hash = venue.hash();
    const replace = async (change: object) => {
      const replaceInput = {
        marketId: market,
        cancelOrderIds: [first, second],
        place: [input({ priceBps: 3000 })],
        ...change,
      };
      const { replaceOrders } = await venue.execute(alice, ALL_OPERATIONS.replaceOrders, { input: replaceInput });
      expect(replaceOrders?.committed).toBe(false);
      expect(venue.hash()).toBe(hash);
      const { cancelled, placed, rejection } = replaceOrders ?? {};
      expect(cancelled?.every((each) => !each.cancelled) ?? true).toBe(true);
      return [refusals(cancelled), refusals(placed), rejection?.reason];
    };
    expect(await replace({ cancelOrderIds: [first, UNKNOWN, second] })).toEqual([
      [null, 'NOT_FOUND', null],
      [null],
      'NOT_FOUND',
    ]);
    expect(await replace({ place: [input(), input({ priceBps: 5001 })] })).toEqual([
      [null, null],
      [null, 'INVALID_TICK'],
      'INVALID_TICK',
    ]);
    expect(await replace({ place: [input(), input({ signature: `0x${'11'.repeat(65)}` })] })).toEqual([
      [null, null],
      [null, 'BAD_SIGNATURE'],
      'BAD_SIGNATURE',
    ]);
    expect(await replace({ marketId: '99999999-0000-4000-8000-000000000000' })).toEqual([
      [null, null],
      [null],
      'NOT_FOUND',
    ]);
    venue.stubs.tokens.order = 1;
    expect(await replace({ place: [input(), input()] })).toEqual([
      [null, null],
      ['RATE_LIMITED', 'RATE_LIMITED'],
      'RATE_LIMITED',
    ]);
    Object.assign(venue.stubs.tokens, { order: 2, cancel: 1 });
    expect(await replace({ place: [input(), input()] })).toEqual([
      [null, null],
      ['RATE_LIMITED', 'RATE_LIMITED'],
      'RATE_LIMITED',
    ]);
    expect(venue.stubs.tokens).toEqual({ order: 2, cancel: 1 });
    Object.assign(venue.stubs.tokens, { order: undefined, cancel: undefined });
    const { errors } = await venue.request(alice, ALL_OPERATIONS.replaceOrders, {
      input: { marketId: market, cancelOrderIds: [first], cancelAllInMarket: true, place: [] },
    });
    expect(errors[0]?.message).toMatch(/^invalid argument: cancelOrderIds/);
    const wrong = await venue.execute(alice, ALL_OPERATIONS.replaceOrder, { id: first, input: input() });
    expect(wrong.replaceOrder).toMatchObject({
      committed: false,
      rejection: { reason: 'CONFLICT', field: 'replaces' },
    });
  });

  it('return duplicates for stored signed orders and change nothing', async () => {
    const stored = input({ priceBps: 2000 });
    await venue.execute(alice, ALL_OPERATIONS.placeOrder, { input: stored });
    const hash = venue.hash();
    const { replaceOrders } = await venue.execute(alice, ALL_OPERATIONS.replaceOrders, {
      input: { marketId: market, place: [input({ priceBps: 2500 }), stored] },
    });
    expect(replaceOrders).toMatchObject({
      committed: false,
      placed: [{ accepted: false }, { accepted: true, duplicate: true, order: { priceBps: 2000 } }],
      rejection: { reason: 'CONFLICT' },
    });
    expect(venue.hash()).toBe(hash);
  });

  it('cancel partly filled orders unless a fill is newer than ifNoFillSince', async () => {
    const [first, second] = [await place({ priceBps: 4000 }), await place({ priceBps: 4010 })];
    const seqBeforeFill = String(venue.view.seq);
    await venue.place(bob, { marketId: market, outcome: 'NO', priceBps: 5990, size: 3 });
    const all = { marketId: market, cancelAllInMarket: true, place: [input({ priceBps: 3000 })] };
    const stopped = await venue.execute(alice, ALL_OPERATIONS.replaceOrders, {
      input: { ...all, ifNoFillSince: seqBeforeFill },
    });
    expect(stopped.replaceOrders).toMatchObject({
      committed: false,
      rejection: { reason: 'CONFLICT', field: 'ifNoFillSince', limit: seqBeforeFill },
    });
    const now = String(venue.view.seq);
    const done = await venue.execute(alice, ALL_OPERATIONS.replaceOrders, { input: { ...all, ifNoFillSince: now } });
    expect(done.replaceOrders).toMatchObject({
      committed: true,
      cancelled: [
        { orderId: first, filledShares: 0 },
        { orderId: second, filledShares: 3 },
      ],
      placed: [{ accepted: true }],
    });
  });
});
