/** Tests each limit from both sides: a value at the limit is accepted, the next value beyond it is refused. */
import { describe, expect, it } from 'vitest';
import type { ExchangeEvent } from '../../../src/exchange/index.ts';
import { eventTexts, Harness, SHARE } from './harness.ts';

const LOT = 10_000;
const BID = { price: 5000, size: 10 };

/** Returns the reason of the first refusal, or `accepted`. */
function resultOf(events: readonly ExchangeEvent[]): string {
  const refusal = events.find((event) => event.type === 'refused');
  return refusal === undefined ? 'accepted' : refusal.refusal.reason;
}

function exchangeWithMarket(config: object = {}, dollars = 1000): Harness {
  const harness = new Harness();
  harness.account(dollars);
  harness.account(1000);
  harness.market({ feeRateBps: 100 });
  harness.send('configure', { config });
  return harness;
}

type Place = Parameters<Harness['place']>[1];
const lots = (count: number) => ({ microShares: count * LOT });

describe('an order', () => {
  it.each<[string, (harness: Harness) => Place, (harness: Harness) => Place, string, object, number]>([
    [
      'clock behind',
      ({ time }) => withTimestamp(time - 30_000),
      ({ time }) => withTimestamp(time - 30_001),
      'STALE_TIMESTAMP',
      {},
      1000,
    ],
    [
      'clock ahead',
      ({ time }) => withTimestamp(time + 30_000),
      ({ time }) => withTimestamp(time + 30_001),
      'STALE_TIMESTAMP',
      {},
      1000,
    ],
    ['expiration', ({ time }) => expiringAt(time + 1), ({ time }) => expiringAt(time), 'EXPIRED_PARAMS', {}, 1000],
    ['lowest price', () => ({ price: 10, size: 100 }), () => ({ price: 9, size: 100 }), 'INVALID_TICK', {}, 1000],
    ['highest price', () => ({ price: 9990 }), () => ({ price: 9991 }), 'INVALID_TICK', {}, 1000],
    ['fee', () => ({ maxFeeBps: 100 }), () => ({ maxFeeBps: 99 }), 'FEE_ABOVE_MAX', {}, 1000],
    ['smallest size', () => lots(100), () => lots(99), 'BELOW_MIN', {}, 1000],
    [
      'smallest bet',
      () => ({ price: 1000, ...lots(100) }),
      () => ({ price: 990, ...lots(101) }),
      'BELOW_MIN',
      {},
      1000,
    ],
    ['largest bet', () => lots(2000), () => lots(2001), 'ABOVE_MAX', { maxBetPerMarket: 10_000_000 }, 1000],
    ['exposure', () => lots(2000), () => lots(2001), 'EXPOSURE_LIMIT', { maxExposurePerMarket: 10_000_000 }, 1000],
    // The fee is 25 micro-USD a lot at a price of 5000.
    ['cash, as a taker', () => lots(1990), () => lots(1991), 'INSUFFICIENT_BALANCE', {}, 9.99975],
    ['cash, at rest', () => postOnly(2000), () => postOnly(2001), 'INSUFFICIENT_BALANCE', {}, 10],
  ])('is accepted at its limit and refused beyond it: %s', (_name, within, beyond, reason, config, dollars) => {
    const harness = exchangeWithMarket(config, dollars);
    expect(resultOf(harness.place(1, { ...BID, ...beyond(harness) }))).toBe(reason);
    expect(resultOf(harness.place(1, { ...BID, ...within(harness) }))).toBe('accepted');
  });

  it('sells the available shares and is refused for one lot more', () => {
    const harness = exchangeWithMarket();
    harness.send('split', { market: 0, shares: 5 * SHARE });
    expect(resultOf(harness.place(1, { side: 'SELL', price: 6000, ...lots(501) }))).toBe('INSUFFICIENT_SHARES');
    expect(resultOf(harness.place(1, { side: 'SELL', price: 6000, ...lots(500) }))).toBe('accepted');
  });

  it('at the creation of a market has its own maximum size', () => {
    const harness = exchangeWithMarket({ maxInitialBet: 10_000_000 });
    harness.createMarket({ initialOrder: harness.terms({ ...BID, ...lots(2001) }) });
    expect(harness.view.markets).toHaveLength(1);
    const id = '00000000-0000-4000-8000-0000000000aa';
    harness.createMarket({ id, initialOrder: harness.terms({ ...BID, ...lots(2000) }) });
    expect(harness.view.markets).toHaveLength(2);
  });
});

describe('a list', () => {
  it.each([
    ['placeBatch', 'orders', 20],
    ['cancel', 'orders', 200],
  ] as const)('has a maximum length: %s', (type, member, max) => {
    const harness = exchangeWithMarket();
    const entry = type === 'cancel' ? 999 : harness.terms({ size: 1 });
    const send = (count: number) => harness.send(type, { [member]: Array.from({ length: count }, () => entry) });
    expect(eventTexts(send(max + 1))).toEqual([expect.stringContaining('refused -1 INVALID_ORDER')]);
    expect(send(max)).toHaveLength(max);
  });
});

describe('a heartbeat', () => {
  it.each([
    [1000, 'accepted'],
    [999, 'BELOW_MIN'],
    [300_000, 'accepted'],
    [300_001, 'ABOVE_MAX'],
  ])('with a timeout of %d ms gets the result %s', (timeout, expected) => {
    expect(resultOf(exchangeWithMarket().send('heartbeat', { credential: 7, timeout }))).toBe(expected);
  });
});

describe('an order group', () => {
  /** Account 1 has a resting order in a group that allows fills of 5 shares per second. */
  function exchangeWithGroup(): Harness {
    const harness = exchangeWithMarket();
    harness.send('createGroup', { maxFilled: 5 * SHARE, window: 1000 });
    harness.place(1, { ...BID, size: 50, group: 1 as never });
    return harness;
  }
  const take = (harness: Harness, count: number) => harness.place(2, { outcome: 'NO', price: 5000, ...lots(count) });
  const trips = (events: readonly ExchangeEvent[]) =>
    eventTexts(events).some((line) => line.includes('ORDER_GROUP_LIMIT'));

  it('trips when fills exceed its limit, not when they equal it', () => {
    const harness = exchangeWithGroup();
    expect(trips(take(harness, 400))).toBe(false);
    expect(trips(take(harness, 100))).toBe(false);
    expect(trips(take(harness, 100))).toBe(true);
  });

  it.each([
    [1000, false],
    [999, true],
  ])('counts a fill that is %d ms old: %s', (ms, counts) => {
    const harness = exchangeWithGroup();
    take(harness, 500);
    harness.time += ms;
    expect(trips(take(harness, 100))).toBe(counts);
  });
});

describe('a market question', () => {
  it.each([
    [300, 2],
    [301, 1],
  ])('of %d characters creates %d markets', (length, markets) => {
    const harness = exchangeWithMarket();
    // Each character has two UTF-16 units: the limit counts code points.
    harness.createMarket({ id: '00000000-0000-4000-8000-0000000000aa', question: '\u{1f4a5}'.repeat(length) });
    expect(harness.view.markets).toHaveLength(markets);
  });
});

function withTimestamp(timestampMs: number): Place {
  return { timestampMs: timestampMs as never };
}

function expiringAt(expiration: number): Place {
  return { timeInForce: 'GTD', expiration };
}

function postOnly(count: number): Place {
  return { postOnly: true, ...lots(count) };
}
