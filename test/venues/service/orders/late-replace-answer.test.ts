/** A replace whose answer comes after its outcome became known, because one of its orders had ended meanwhile. */
import { describe, expect, it } from 'vitest';
import { epochMs, microShares, type PlaceOrder, priceBps, unchecked } from '../../../../src/domain/index.ts';
import type { Operation } from '../../../../src/protocol/index.ts';
import { VenueOrder } from '../../../../src/venues/base/index.ts';
import { MissingOrders } from '../../../../src/venues/service/orders/missing-orders.ts';
import { OrderSender } from '../../../../src/venues/service/orders/order-sender.ts';
import { UnknownOrderResolver } from '../../../../src/venues/service/orders/unknown-order-resolver.ts';
import type { Answer } from '../../../../src/venues/service/transport/index.ts';
import { ownRecord } from '../market-data/own-order.ts';

const MARKET = unchecked.market(0);
const SHARES = microShares(1_000_000);
const noop = (): void => {};

function place(number: number): PlaceOrder {
  return {
    type: 'place',
    order: unchecked.order(number),
    bot: unchecked.instance(0),
    market: MARKET,
    outcome: 'YES',
    side: 'BUY',
    price: priceBps(5_000),
    shares: SHARES,
    timeInForce: 'GTC',
    postOnly: true,
    expiration: 0,
  };
}

function fixture() {
  const orders = new Map<number, VenueOrder>();
  const add = (number: number): VenueOrder => {
    const order = new VenueOrder(ownRecord({ number, side: 'bid', price: 5_000, shares: SHARES }));
    orders.set(number, order);
    return order;
  };
  const refused: string[] = [];
  const rejected: number[] = [];
  const answers: ((answer: Answer<unknown>) => void)[] = [];
  const deps = {
    clock: { now: () => epochMs(1_000) },
    terms: () => ({ maxPlaces: 10, maxClockSkew: 60_000 }),
    records: { epoch: 0, addSigned: noop },
    view: { now: epochMs(1), market: () => ({ limits: { feeRateBps: 0 }, acceptedFeeBps: 0, info: { id: 'm' } }) },
    signer: { sign: ({ order }: PlaceOrder) => ({ order }), precomputeSalts: noop },
    orders: {
      byNumber: (number: number) => orders.get(number),
      add: ({ order }: { order: number }) => add(order),
      addPending: noop,
      markLeaving: noop,
    },
    transport: {
      offset: { offsetMs: 0 },
      send: (_: Operation<unknown, unknown>, __: unknown, onAnswer: (answer: Answer<unknown>) => void) => {
        answers.push(onAnswer);
      },
      query: async () => ({ type: 'data', data: { order: { found: false } }, errors: [] }),
    },
    timers: { isClosed: false, defer: noop, after: noop },
    stream: { seq: 0, catchUp: noop },
    heldRefusals: { hold: (_: unknown, release: () => void) => release() },
    cancels: { cancel: noop },
    onProblem: noop,
    reporter: {
      reportUncertain: ({ life }: VenueOrder) => life.onUncertain(),
      reportCancelRefused: ({ order }: { order: number }, reason: string) => refused.push(`${order} ${reason}`),
      reportRejected: (order: VenueOrder) => order.life.onRejected() && rejected.push(order.record.order),
    },
  };
  const resolver = new UnknownOrderResolver(deps as never);
  const missing = new MissingOrders(deps as never);
  const sender = new OrderSender({ ...deps, resolver, missing } as never);
  const replace = (cancels: readonly number[], places: readonly number[]): void => {
    const requested = cancels.map((order) => ({ order: unchecked.order(order), remaining: SHARES }));
    sender.replace({ type: 'replace', market: MARKET, cancels: requested, places: places.map(place) });
  };
  /** Answers a request: the venue refused the replace for these reasons of its cancels. */
  const refuse = (request: number, reasons: readonly (string | null)[]): void => {
    const cancelled = reasons.map((reason) => ({
      filledShares: 0,
      rejection: reason === null ? null : { reason, retryAfterMs: null },
    }));
    const replaceOrders = { committed: false, cancelled, placed: [], rejection: { reason: 'ALREADY_FINAL' } };
    answers[request]?.({ type: 'data', data: { replaceOrders }, errors: [] });
  };
  const refuseAsTooMany = (request: number): void =>
    answers[request]?.({ type: 'errors', errors: [{ message: 'RATE_LIMITED', path: [] }], retryAfterMs: 10 } as never);
  return {
    add,
    replace,
    refuse,
    refuseAsTooMany,
    refused,
    rejected,
    resolver,
    order: (number: number) => orders.get(number),
  };
}

describe('a refused replace', () => {
  it.each([
    ['an answer', ({ refuse }: ReturnType<typeof fixture>) => refuse(0, [null, 'ALREADY_FINAL'])],
    ['HTTP 429', ({ refuseAsTooMany }: ReturnType<typeof fixture>) => refuseAsTooMany(0)],
  ])(
    'does not report a cancel as refused while a later replace is in flight (refused by %s)',
    async (_, refuseFirst) => {
      const created = fixture();
      const { add, replace, refuse, refused, rejected, resolver, order } = created;
      for (const number of [1, 2]) add(number).life.onAccepted();
      replace([1, 2], [3]);
      order(2)?.life.onFilled(microShares(0));
      const third = order(3);
      if (third !== undefined) resolver.resolveOverdue(third);
      await new Promise((resolve) => setImmediate(resolve));
      expect([refused, rejected]).toEqual([['1 CONFLICT'], [3]]);

      replace([1], [4]);
      const later = order(1)?.cancellingReplace;
      refuseFirst(created);
      expect(refused.filter((text) => text.startsWith('1 '))).toEqual(['1 CONFLICT']);
      expect([order(1)?.cancellingReplace, later?.places.map(({ record }) => record.order)]).toEqual([later, [4]]);

      refuse(1, ['CONFLICT']);
      expect(refused.filter((text) => text.startsWith('1 '))).toEqual(['1 CONFLICT', '1 CONFLICT']);
      expect(rejected).toEqual([3, 4]);
    },
  );
});
