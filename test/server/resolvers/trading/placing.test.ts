/** Placing orders: replies, rejections and batches. */
import { beforeEach, describe, expect, it } from 'vitest';
import { marketId, unchecked } from '../../../../src/domain/index.ts';
import type { Restriction } from '../../../../src/exchange/index.ts';
import { ALL_OPERATIONS } from '../../../protocol/generated/operations.ts';
import type { OrderRequest } from './signed-orders.ts';
import { openVenueForTest, START, type Trader, type Venue } from './venue.ts';

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

const place = (trader: Trader, request: OrderRequest = {}) => venue.place(trader, { marketId: market, ...request });

describe('placeOrder', () => {
  it('returns the order, its fills and the seq of the answer', async () => {
    const resting = await place(alice, { priceBps: 6000, size: 10, clientOrderId: 'a-1' });
    expect(resting).toMatchObject({
      accepted: true,
      duplicate: false,
      fills: [],
      rejection: null,
      seq: String(venue.view.seq),
      order: {
        clientOrderId: 'a-1',
        marketId: market,
        outcome: 'YES',
        side: 'BUY',
        priceBps: 6000,
        shares: 10,
        filledShares: 0,
        remainingShares: 10,
        averageFillPriceBps: null,
        timeInForce: 'GTC',
        postOnly: false,
        expiresAt: null,
        status: 'LIVE',
        cancelReason: null,
        groupId: null,
        reservedCents: 600,
        feeCents: 0,
        queueAheadShares: 0,
        createdAt: '2027-01-15T08:00:00Z',
        updatedAt: '2027-01-15T08:00:00Z',
      },
    });
    expect(resting.order?.id).toBe(resting.order?.orderHash);
    // Matches Alice's order at her price and mints a pair: NO costs 40 cents.
    const taking = await place(bob, { outcome: 'NO', priceBps: 4500, size: 4 });
    expect(taking).toMatchObject({
      order: { status: 'FILLED', filledShares: 4, remainingShares: 0, averageFillPriceBps: 4000, reservedCents: 0 },
      fills: [
        {
          orderId: taking.order?.id,
          marketId: market,
          outcome: 'NO',
          side: 'BUY',
          priceBps: 4000,
          shares: 4,
          amountCents: 160,
          amountMicros: '1600000',
          feeMicros: '0',
          role: 'TAKER',
          matchType: 'MINT',
        },
      ],
    });
    const { order } = await venue.execute(alice, ALL_OPERATIONS.order, { clientOrderId: 'a-1' });
    expect(order).toMatchObject({
      found: true,
      order: { status: 'PARTIALLY_FILLED', filledShares: 4, remainingShares: 6, reservedCents: 360 },
      fills: [{ tradeId: taking.fills[0]?.tradeId, role: 'MAKER', clientOrderId: 'a-1', priceBps: 6000 }],
    });
  });

  it('returns the stored order for repeated signed bytes, whatever its state', async () => {
    const input = venue.input(alice, { marketId: market, clientOrderId: 'once' });
    const first = await venue.execute(alice, ALL_OPERATIONS.placeOrder, { input });
    const id = first.placeOrder?.order?.id ?? '';
    await venue.execute(alice, ALL_OPERATIONS.cancelOrder, { id });
    venue.clock.advanceTo(START + 3_600_000);
    const hash = venue.hash();
    const again = await venue.execute(alice, ALL_OPERATIONS.placeOrder, { input });
    expect(again.placeOrder).toMatchObject({ accepted: true, duplicate: true, order: { id, status: 'CANCELLED' } });
    // Another account cannot query an order by its bytes.
    const stolen = await venue.execute(bob, ALL_OPERATIONS.placeOrder, { input });
    expect(stolen.placeOrder).toMatchObject({
      accepted: false,
      order: null,
      rejection: { reason: 'SIGNER_NOT_ALLOWED' },
    });
    expect(venue.hash()).toBe(hash);
  });

  it('accepts the signature of a valid delegate', async () => {
    const { key } = bob;
    const request = { signer: key.address, signedBy: key };
    expect((await place(alice, request)).rejection).toMatchObject({ reason: 'SIGNER_NOT_ALLOWED', field: 'signer' });
    venue.stubs.delegates.add(`${alice.address} ${key.address}`);
    expect((await place(alice, request)).accepted).toBe(true);
    // A delegate may sign for an account, but not send its orders.
    const foreign = venue.input(alice, { marketId: market, ...request });
    const answer = await venue.execute(bob, ALL_OPERATIONS.placeOrder, { input: foreign });
    expect(answer.placeOrder?.rejection).toMatchObject({ reason: 'SIGNER_NOT_ALLOWED', field: 'maker' });
  });

  it('recognises repeated bytes after their signer lost its grant', async () => {
    venue.stubs.delegates.add(`${alice.address} ${bob.address}`);
    const input = venue.input(alice, { marketId: market, signer: bob.address, signedBy: bob.key });
    await venue.execute(alice, ALL_OPERATIONS.placeOrder, { input });
    venue.stubs.delegates.clear();
    const again = await venue.execute(alice, ALL_OPERATIONS.placeOrder, { input });
    expect(again.placeOrder).toMatchObject({ accepted: true, duplicate: true });
  });

  it('refuses an order that replaces another order, whether that order exists or not', async () => {
    const { order } = await place(alice);
    for (const replaces of [order?.id, `0x${'cd'.repeat(32)}`]) {
      const { rejection } = await place(alice, { replaces: `0x${(replaces ?? '').slice(2)}` });
      expect(rejection).toMatchObject({ reason: 'CONFLICT', field: 'replaces' });
    }
  });

  /** Faults in reverse order of the checks. The test accumulates them, so each order has one more fault. */
  const faults: readonly (readonly [reason: string, request: () => OrderRequest, setup?: () => unknown])[] = [
    ['FOK_NOT_FILLABLE', () => ({ timeInForce: 'FOK', size: 20 })],
    ['INSUFFICIENT_BALANCE', () => ({ size: 5000 })],
    ['EXPOSURE_LIMIT', () => ({ size: 5000 }), () => configure({ maxExposurePerMarket: 1_000_000 })],
    ['ABOVE_MAX', () => ({ size: 300_000 }), () => configure({ maxBetPerMarket: 1_000_000 })],
    ['BELOW_MIN', () => ({ shares: 10_000 })],
    ['FEE_ABOVE_MAX', () => ({ maxFeeBps: 0 })],
    ['STALE_EPOCH', () => ({ epoch: 7 })],
    ['STALE_TIMESTAMP', () => ({ timestampMs: START - 60_000 })],
    ['EXPIRED_PARAMS', () => ({ timeInForce: 'GTD', expiration: START - 1 })],
    ['INVALID_LOT', () => ({ shares: 10_001 })],
    ['INVALID_TICK', () => ({ priceBps: 5001 })],
    ['INVALID_ORDER', () => ({ expiration: START + 1, timeInForce: 'GTC' })],
    ['MARKET_HALTED', () => ({}), () => venue.send({ type: 'halt', time: venue.now(), market: marketNo(), note: '' })],
    ['VENUE_MODE', () => ({}), () => venue.send({ type: 'setMode', time: venue.now(), mode: 'CANCEL_ONLY' })],
    ['EMAIL_NOT_VERIFIED', () => ({}), () => restrict('EMAIL_NOT_VERIFIED')],
    ['GEO_BLOCKED', () => ({}), () => restrict('GEO_BLOCKED')],
    ['CONFLICT', () => ({ clientOrderId: 'taken' })],
    ['NOT_FOUND', () => ({ groupId: '11111111-2222-4333-8444-555555555555' })],
    ['SIGNER_NOT_ALLOWED', () => ({ signer: bob.address, signedBy: bob.key })],
    ['BAD_SIGNATURE', () => ({ signature: `0x${'00'.repeat(65)}` })],
    ['RATE_LIMITED', () => ({}), () => limit(0)],
  ];
  const marketNo = () => unchecked.market(venue.view.marketById(marketId(market))?.number ?? -1);
  const restrict = (restriction: Restriction): void => {
    venue.stubs.restriction = restriction;
  };
  const limit = (tokens: number): void => {
    venue.stubs.tokens.order = tokens;
  };
  const configure = (config: object) => venue.send({ type: 'configure', time: venue.now(), config });

  it('returns the first rejection in the order of RejectReason and changes nothing', async () => {
    market = await venue.market({ feeRateBps: 200 });
    await place(alice, { clientOrderId: 'taken', size: 1 });
    let request: OrderRequest = {};
    for (const [reason, fault, setup] of faults) {
      await setup?.();
      // A later fault overwrites an earlier one of the same field, because it is checked earlier.
      request = { ...request, ...fault() };
      const before = venue.hash();
      const { accepted, order, rejection, fills } = await place(alice, request);
      expect({ accepted, order, fills, reason: rejection?.reason }).toEqual({
        accepted: false,
        order: null,
        fills: [],
        reason,
      });
      expect(rejection?.message).not.toBe('');
      expect(venue.hash()).toBe(before);
    }
  });

  it('returns the compared numbers and the time to wait in a rejection', async () => {
    expect((await place(alice, { size: 5000 })).rejection).toEqual({
      reason: 'INSUFFICIENT_BALANCE',
      field: 'shares',
      limit: '1000000000',
      value: '2500000000',
      unit: 'MICRO_USD',
      message: expect.stringContaining('not enough cash'),
      retryAfterMs: null,
    });
    venue.stubs.tokens.order = 0;
    expect((await place(alice)).rejection).toEqual({
      reason: 'RATE_LIMITED',
      message: 'too many requests',
      field: null,
      limit: null,
      value: null,
      unit: null,
      retryAfterMs: 40,
    });
    venue.stubs.tokens.order = undefined;
    await venue.send({ type: 'setMode', time: venue.now(), mode: 'CANCEL_ONLY' });
    expect((await place(alice)).rejection).toMatchObject({ reason: 'VENUE_MODE', retryAfterMs: 1_000 });
  });

  it('refuses invalid arguments with errors', async () => {
    const input = venue.input(alice, { marketId: market });
    const errorsFor = async (change: object) => {
      const { data, errors } = await venue.request(alice, ALL_OPERATIONS.placeOrder, {
        input: { ...input, ...change },
      });
      expect(data).toEqual({ placeOrder: null });
      return errors.map(({ message }) => message);
    };
    expect(await errorsFor({ clientOrderId: 'x'.repeat(65) })).toEqual([
      expect.stringMatching(/^invalid argument: clientOrderId/),
    ]);
    expect(await errorsFor({ clientOrderId: '' })).toEqual([expect.stringMatching(/^invalid argument: clientOrderId/)]);
    expect(await errorsFor({ groupId: 'x' })).toEqual([expect.stringMatching(/^invalid group ID/)]);
    expect(await errorsFor({ order: { ...input.order, marketId: 'x' } })).toEqual([
      expect.stringMatching(/^invalid market ID/),
    ]);
    expect(await errorsFor({ order: { ...input.order, signature: 'x' } })).toEqual([
      expect.stringMatching(/^invalid argument: signature/),
    ]);
    expect(
      (await venue.request(alice, ALL_OPERATIONS.placeOrder, { input: { ...input, clientOrderId: '😀'.repeat(64) } }))
        .errors,
    ).toEqual([]);
  });
});

describe('placeOrders', () => {
  it('returns a result for each order, in the same order, also for refused orders', async () => {
    const stored = venue.input(alice, { marketId: market, priceBps: 1000 });
    await venue.execute(alice, ALL_OPERATIONS.placeOrder, { input: stored });
    const orders = [
      venue.input(alice, { marketId: market, priceBps: 4000 }),
      venue.input(alice, { marketId: market, signature: `0x${'11'.repeat(65)}` }),
      stored,
      venue.input(alice, { marketId: market, priceBps: 4001 }),
      venue.input(alice, { marketId: market, signer: bob.address, signedBy: bob.key }),
      venue.input(alice, { marketId: '99999999-0000-4000-8000-000000000000' }),
      venue.input(alice, { marketId: market, priceBps: 4010 }),
    ];
    const { placeOrders } = await venue.execute(alice, ALL_OPERATIONS.placeOrders, { input: { orders } });
    const reported = placeOrders?.results.map((result) =>
      result.accepted ? `${result.order?.priceBps}${result.duplicate ? ' again' : ''}` : result.rejection?.reason,
    );
    expect(reported).toEqual([
      '4000',
      'BAD_SIGNATURE',
      '1000 again',
      'INVALID_TICK',
      'SIGNER_NOT_ALLOWED',
      'NOT_FOUND',
      '4010',
    ]);
    expect(venue.stubs.taken).toEqual(['order 1', 'order 7']);
  });

  it('places an order once when the batch contains it twice', async () => {
    const input = venue.input(alice, { marketId: market });
    const { placeOrders } = await venue.execute(alice, ALL_OPERATIONS.placeOrders, {
      input: { orders: [input, input] },
    });
    expect(placeOrders?.results.map(({ duplicate }) => duplicate)).toEqual([false, true]);
    expect(new Set(placeOrders?.results.map(({ order }) => order?.id)).size).toBe(1);
  });

  it('is refused as a whole with too few tokens, and is an error with too many orders', async () => {
    venue.stubs.tokens.order = 1;
    const orders = [1000, 2000].map((priceBps) => venue.input(alice, { marketId: market, priceBps }));
    const { placeOrders } = await venue.execute(alice, ALL_OPERATIONS.placeOrders, { input: { orders } });
    expect(placeOrders?.results.map(({ rejection }) => rejection?.reason)).toEqual(['RATE_LIMITED', 'RATE_LIMITED']);
    const many = Array.from({ length: 21 }, () => venue.input(alice, { marketId: market }));
    const { errors } = await venue.request(alice, ALL_OPERATIONS.placeOrders, { input: { orders: many } });
    expect(errors).toEqual([
      { message: 'invalid argument: orders: expected at most 20 orders, got 21', path: ['placeOrders'] },
    ]);
    const none = await venue.execute(alice, ALL_OPERATIONS.placeOrders, { input: { orders: [] } });
    expect(none.placeOrders?.results).toEqual([]);
  });
});
