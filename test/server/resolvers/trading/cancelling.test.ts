/** Operations that cancel and reduce orders. */
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

async function statusOf(id: string, trader = alice) {
  const { order } = await venue.execute(trader, ALL_OPERATIONS.order, { id });
  return order?.order?.status;
}

const refusals = (results: readonly { readonly rejection: { readonly reason: string } | null }[] | undefined) =>
  results?.map(({ rejection }) => rejection?.reason ?? null);

describe('cancelOrder and cancelOrders', () => {
  it('accept each kind of key', async () => {
    const [first, second, third] = [await place(), await place(), await place({ clientOrderId: 'mine' })];
    for (const key of [
      { id: first.toUpperCase().replace('0X', '0x') },
      { orderHash: second },
      { clientOrderId: 'mine' },
    ]) {
      const { cancelOrder } = await venue.execute(alice, ALL_OPERATIONS.cancelOrder, key);
      expect(cancelOrder).toMatchObject({
        results: [{ cancelled: true, remainingShares: 0, filledShares: 0, rejection: null }],
        seq: String(venue.view.seq),
      });
    }
    expect(await Promise.all([first, second, third].map((id) => statusOf(id)))).toEqual([
      'CANCELLED',
      'CANCELLED',
      'CANCELLED',
    ]);
    const { errors } = await venue.request(alice, ALL_OPERATIONS.cancelOrder, { id: first, orderHash: first });
    expect(errors[0]?.message).toBe(
      'invalid argument: expected exactly one of id, orderHash, clientOrderId, got id and orderHash',
    );
  });

  it('return a result for each order and reveal nothing about orders of other accounts', async () => {
    const [open, done, foreign] = [await place(), await place(), await place({}, bob)];
    await venue.execute(alice, ALL_OPERATIONS.cancelOrder, { id: done });
    const { cancelOrders } = await venue.execute(alice, ALL_OPERATIONS.cancelOrders, {
      ids: [open, done, foreign, UNKNOWN],
    });
    expect(refusals(cancelOrders?.results)).toEqual([null, 'ALREADY_FINAL', 'NOT_FOUND', 'NOT_FOUND']);
    expect(cancelOrders?.results.map(({ cancelled, remainingShares }) => [cancelled, remainingShares])).toEqual([
      [true, 0],
      [false, 0],
      [false, null],
      [false, null],
    ]);
    expect(cancelOrders?.results.map(({ orderId }) => orderId)).toEqual([open, done, foreign, UNKNOWN]);
    expect(await statusOf(foreign, bob)).toBe('LIVE');
    expect(venue.stubs.taken.slice(-2)).toEqual(['cancel 1', 'cancel 4']);
  });

  it('return rejections and do not change the exchange', async () => {
    const id = await place();
    const hash = venue.hash();
    venue.stubs.tokens.cancel = 0;
    const limited = await venue.execute(alice, ALL_OPERATIONS.cancelOrders, { ids: [id] });
    expect(limited.cancelOrders?.results).toMatchObject([
      { cancelled: false, remainingShares: 10, rejection: { reason: 'RATE_LIMITED', retryAfterMs: 40 } },
    ]);
    venue.stubs.tokens.cancel = undefined;
    const many = await venue.request(alice, ALL_OPERATIONS.cancelOrders, {
      ids: Array.from({ length: 201 }, () => id),
    });
    expect(many.errors[0]?.message).toBe('invalid argument: ids: expected at most 200 orders, got 201');
    const none = await venue.request(alice, ALL_OPERATIONS.cancelOrder, { id: '0x12' });
    expect(none.errors[0]?.message).toMatch(/^invalid order ID: expected 0x and 64 hex digits/);
    expect(venue.hash()).toBe(hash);
    await venue.send({ type: 'setMode', time: venue.now(), mode: 'HALTED' });
    const halted = await venue.execute(alice, ALL_OPERATIONS.cancelOrders, { ids: [id, UNKNOWN] });
    expect(refusals(halted.cancelOrders?.results)).toEqual(['VENUE_MODE', 'VENUE_MODE']);
  });
});

describe('a rejection', () => {
  it('names the argument of the operation', async () => {
    const done = await place({ clientOrderId: 'mine' });
    await venue.execute(alice, ALL_OPERATIONS.cancelOrder, { id: done });
    for (const [argument, value] of [
      ['id', done],
      ['orderHash', done],
      ['clientOrderId', 'mine'],
    ]) {
      const { cancelOrder } = await venue.execute(alice, ALL_OPERATIONS.cancelOrder, { [argument ?? '']: value });
      expect(cancelOrder?.results).toMatchObject([{ rejection: { reason: 'ALREADY_FINAL', field: argument } }]);
    }
    const { cancelOrders } = await venue.execute(alice, ALL_OPERATIONS.cancelOrders, { ids: [UNKNOWN] });
    expect(cancelOrders?.results).toMatchObject([{ rejection: { reason: 'NOT_FOUND', field: 'ids' } }]);
    const { reduceOrder } = await venue.execute(alice, ALL_OPERATIONS.reduceOrder, { id: done, byShares: '10000' });
    expect(reduceOrder?.results).toMatchObject([
      { rejection: { field: 'id', message: expect.stringMatching(/^id: /) } },
    ]);
    const replaceInput = { id: done, input: input({ replaces: done as `0x${string}` }) };
    const { replaceOrder } = await venue.execute(alice, ALL_OPERATIONS.replaceOrder, replaceInput);
    expect(replaceOrder).toMatchObject({
      rejection: { reason: 'ALREADY_FINAL', field: 'id' },
      cancelled: [{ rejection: { field: 'id' } }],
      // The new order itself did not fail, so it has no rejection.
      placed: [{ accepted: false, rejection: null }],
    });
    const set = { marketId: market, cancelOrderIds: [done], place: [] };
    const { replaceOrders } = await venue.execute(alice, ALL_OPERATIONS.replaceOrders, { input: set });
    expect(replaceOrders).toMatchObject({ cancelled: [{ rejection: { field: 'cancelOrderIds' } }] });
  });
});

describe('cancelMarketOrders and cancelAllOrders', () => {
  it('cancel the selected orders of a market', async () => {
    const other = await venue.market();
    const yes = await place({ priceBps: 3000 });
    const no = await place({ priceBps: 3000, outcome: 'NO' });
    const elsewhere = await place({ marketId: other });
    const { cancelMarketOrders } = await venue.execute(alice, ALL_OPERATIONS.cancelMarketOrders, {
      marketId: market,
      outcome: 'NO',
    });
    expect(cancelMarketOrders?.results).toMatchObject([{ orderId: no, cancelled: true }]);
    const rest = await venue.execute(alice, ALL_OPERATIONS.cancelMarketOrders, { marketId: market, side: 'BUY' });
    expect(rest.cancelMarketOrders?.results).toMatchObject([{ orderId: yes, cancelled: true }]);
    expect(await statusOf(elsewhere)).toBe('LIVE');
    const wrong = await venue.request(alice, ALL_OPERATIONS.cancelMarketOrders, {
      marketId: market,
      outcome: 'CANCELLED',
    });
    expect(wrong.errors[0]?.message).toMatch(/^invalid argument: outcome/);
    const unknown = await venue.request(alice, ALL_OPERATIONS.cancelMarketOrders, {
      marketId: '99999999-0000-4000-8000-000000000000',
    });
    expect(unknown.errors[0]?.message).toMatch(/^invalid argument: marketId/);
    expect(venue.stubs.taken.at(-1)).toBe('cancel 1');
  });

  it('cancel all orders and refuse orders that were signed before', async () => {
    const late = input();
    const ids = [await place(), await place({ outcome: 'NO', priceBps: 2000 })];
    const { cancelAllOrders } = await venue.execute(alice, ALL_OPERATIONS.cancelAllOrders, {});
    expect(cancelAllOrders).toEqual({ cancelledIds: ids, newEpoch: '1', seq: String(venue.view.seq) });
    const { placeOrder } = await venue.execute(alice, ALL_OPERATIONS.placeOrder, { input: late });
    expect(placeOrder?.rejection).toMatchObject({ reason: 'STALE_EPOCH', limit: '1', value: '0' });
    expect((await venue.place(alice, { marketId: market })).accepted).toBe(true);
  });

  it('return an error when cancelAllOrders is refused', async () => {
    venue.stubs.tokens.cancel = 0;
    const limited = await venue.request(alice, ALL_OPERATIONS.cancelAllOrders, {});
    expect(limited.errors).toEqual([{ message: 'rate limited: retry in 40 ms', path: ['cancelAllOrders'] }]);
    venue.stubs.tokens.cancel = undefined;
    await venue.send({ type: 'setMode', time: venue.now(), mode: 'HALTED' });
    const halted = await venue.request(alice, ALL_OPERATIONS.cancelAllOrders, {});
    expect(halted).toMatchObject({
      data: { cancelAllOrders: null },
      errors: [{ message: 'refused: the current mode of the venue does not allow this: retry in 1000 ms' }],
    });
    const group = await venue.request(alice, ALL_OPERATIONS.createOrderGroup, {
      input: { label: 'mine', maxFilledShares: 1, windowSeconds: 1 },
    });
    expect(group.errors).toEqual([
      {
        message: 'refused: the current mode of the venue does not allow this: retry in 1000 ms',
        path: ['createOrderGroup'],
      },
    ]);
  });

  it('return a rejection for each order when cancelMarketOrders is refused', async () => {
    const yes = await place({ priceBps: 3000 });
    const no = await place({ priceBps: 3000, outcome: 'NO' });
    await place({ marketId: await venue.market() });
    const hash = venue.hash();
    const cancelMarket = async (outcome?: 'YES' | 'NO') => {
      const named = outcome === undefined ? {} : { outcome };
      const { data, errors } = await venue.request(alice, ALL_OPERATIONS.cancelMarketOrders, {
        marketId: market,
        ...named,
      });
      expect(errors).toEqual([]);
      return data?.cancelMarketOrders?.results;
    };
    venue.stubs.tokens.cancel = 0;
    expect(await cancelMarket()).toMatchObject([
      { orderId: yes, cancelled: false, remainingShares: 10, rejection: { reason: 'RATE_LIMITED', retryAfterMs: 40 } },
      { orderId: no, cancelled: false, remainingShares: 10, rejection: { reason: 'RATE_LIMITED', retryAfterMs: 40 } },
    ]);
    venue.stubs.tokens.cancel = undefined;
    expect(venue.hash()).toBe(hash);
    await venue.send({ type: 'setMode', time: venue.now(), mode: 'HALTED' });
    expect(await cancelMarket('NO')).toMatchObject([
      { orderId: no, cancelled: false, rejection: { reason: 'VENUE_MODE', retryAfterMs: 1_000 } },
    ]);
    expect(await statusOf(no)).toBe('LIVE');
  });
});

describe('reduceOrder', () => {
  it('reduces an order and cancels it at zero', async () => {
    const id = await place({ size: 10 });
    const some = await venue.execute(alice, ALL_OPERATIONS.reduceOrder, { id, byShares: '4000000' });
    expect(some.reduceOrder?.results).toEqual([
      { orderId: id, cancelled: false, remainingShares: 6, filledShares: 0, rejection: null },
    ]);
    const { order } = await venue.execute(alice, ALL_OPERATIONS.order, { id });
    expect(order?.order).toMatchObject({ shares: 6, remainingShares: 6, status: 'LIVE', reservedCents: 300 });
    const all = await venue.execute(alice, ALL_OPERATIONS.reduceOrder, { id, byShares: '6000000' });
    expect(all.reduceOrder?.results).toMatchObject([{ cancelled: true, remainingShares: 0 }]);
    const finished = await venue.execute(alice, ALL_OPERATIONS.reduceOrder, { id, byShares: '10000' });
    expect(refusals(finished.reduceOrder?.results)).toEqual(['ALREADY_FINAL']);
    const invalid = await venue.execute(alice, ALL_OPERATIONS.reduceOrder, { id: await place(), byShares: '10001' });
    expect(invalid.reduceOrder?.results).toMatchObject([
      { cancelled: false, remainingShares: 10, rejection: { reason: 'INVALID_LOT' } },
    ]);
    const never = await venue.execute(alice, ALL_OPERATIONS.reduceOrder, { id: UNKNOWN, byShares: '1' });
    expect(never.reduceOrder?.results).toMatchObject([{ remainingShares: null, rejection: { reason: 'NOT_FOUND' } }]);
  });
});
