import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FastPathValidator } from '../../../src/exchange/engine/fast-path-validator.ts';
import { IS_SHORT, runs } from '../../runs.ts';
import { DOLLAR, eventTexts, Harness, SHARE, START } from './harness.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Two accounts with cash and shares, an unlimited account, and two markets. */
function newExchange(feeRateBps: number): Harness {
  const harness = new Harness();
  for (const dollars of [1000, 40]) harness.account(dollars);
  harness.unlimitedAccount(1000);
  harness.market({ feeRateBps, minOrderShares: 2 * SHARE });
  harness.market({ tickBps: 100 });
  for (const account of [1, 2]) harness.send('split', { account, market: 0, shares: 20 * DOLLAR });
  harness.send('createGroup', { maxFilled: 1000 * SHARE, window: 60_000 });
  harness.send('heartbeat', { account: 1, credential: 7, timeout: 5_000 });
  return harness;
}

const usually = <T>(usual: T, ...others: readonly T[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });
/** Mostly plain orders within all limits. */
const overridesList = fc.record({
  market: usually(0, 1, 2, -1, 0.5, Number.NaN),
  outcome: fc.constantFrom('YES' as const, 'NO' as const),
  side: fc.constantFrom('BUY' as const, 'SELL' as const),
  price: fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 450, max: 550 }).map((price) => 10 * price) },
    { weight: 1, arbitrary: fc.constantFrom(0, 5, 10, 9990, 10_000, 5000.5, Number.NaN, -10) },
  ),
  microShares: fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 1, max: 1200 }).map((lots) => 10_000 * lots) },
    { weight: 1, arbitrary: fc.constantFrom(0, 1, 15_000, 1e15, 1e15 + 10_000, 2 ** 53, Number.NaN, 6e7) },
  ),
  timeInForce: usually('GTC' as const, 'FAK', 'FOK', 'GTD'),
  postOnly: usually(false, true),
  selfTrade: usually('CANCEL_TAKER' as const, 'CANCEL_MAKER', 'CANCEL_BOTH'),
  expiration: usually(0, START + 60_000),
  replaces: usually(0, 1, -1),
  epoch: usually(0, 1),
  maxFeeBps: usually(1000, 0, Number.NaN),
  clockLag: usually(0, 3_000_000, -3_000_000, Number.NaN),
  group: usually(0, 1),
  hash: usually<string | undefined>(undefined, '0x1', '0x2'),
  clientOrderId: usually<string | undefined>(undefined, 'a', 'b'),
  restriction: usually<'CLOSE_ONLY' | 'GEO_BLOCKED' | undefined>(undefined, 'CLOSE_ONLY', 'GEO_BLOCKED'),
  account: fc.oneof(usually(1, 3, 0), usually(2, 4, 1.5)),
  credential: usually(0, 7, 8, -1, 0.5),
});
const moves = fc.array(
  fc.oneof(
    { weight: 20, arbitrary: overridesList },
    { weight: 1, arbitrary: fc.constantFrom('POST_ONLY', 'NORMAL', 'wait', 'revoke', 'halt', 'resume') },
  ),
  { minLength: 20, maxLength: 60 },
);

function execute(harness: Harness, move: typeof moves extends fc.Arbitrary<readonly (infer Move)[]> ? Move : never) {
  if (move === 'wait') {
    harness.time += 6_000;
    return harness.send('tick');
  }
  if (move === 'revoke') return harness.send('revokeCredential', { account: 2, credential: 8 });
  if (move === 'halt' || move === 'resume') return harness.send(move, { market: 0 });
  if (typeof move === 'string') return harness.send('setMode', { mode: move });
  const { microShares: shares, clockLag, ...terms } = move;
  return harness.send('place', { ...harness.terms(), ...terms, shares, timestampMs: harness.time - clockLag });
}

describe('the fast-path validator', () => {
  it('gives the same results as the full path', () => {
    const passes = vi.spyOn(FastPathValidator.prototype, 'passes');
    let fastCount = 0;
    fc.assert(
      fc.property(moves, fc.constantFrom(0, 100), (list, feeRateBps) => {
        const [fast, full] = [newExchange(feeRateBps), newExchange(feeRateBps)];
        for (const move of list) {
          const received = execute(fast, move);
          fastCount += passes.mock.results.filter(({ value }) => value === true).length;
          passes.mockClear();
          passes.mockReturnValueOnce(false);
          expect(execute(full, move)).toEqual(received);
          passes.mockReset();
        }
        expect(full.hash()).toBe(fast.hash());
      }),
      { numRuns: runs(60) },
    );
    expect(fastCount).toBeGreaterThan(IS_SHORT ? 0 : 100);
  });

  it.each([
    ['BUY', 'YES'],
    ['SELL', 'YES'],
    ['BUY', 'NO'],
    ['SELL', 'NO'],
  ] as const)('accepts a %s order for %s and the orders that it matches', (side, outcome) => {
    const passes = vi.spyOn(FastPathValidator.prototype, 'passes');
    const harness = newExchange(100);
    harness.order(1, { side, outcome, price: 5000, size: 3 });
    harness.order(2, { side, outcome: outcome === 'YES' ? 'NO' : 'YES', price: 5000, size: 3, hash: '0x1' });
    expect(passes.mock.results.map(({ value }) => value)).toEqual([true, true]);
  });

  it.each<[string, (harness: Harness) => object, object, number]>([
    ['the smallest size', () => ({ microShares: 2 * SHARE }), {}, 1000],
    ['the smallest bet', () => ({ price: 500, microShares: 2 * SHARE }), {}, 1000],
    ['the largest bet', () => ({ size: 20 }), { maxBetPerMarket: 10 * DOLLAR }, 1000],
    ['the exposure', () => ({ size: 20 }), { maxExposurePerMarket: 10 * DOLLAR }, 1000],
    // The fee is 25 micro-USD a lot at a price of 5000.
    ['the cash, with the fee of a taker', () => ({ size: 19.9 }), {}, 9.99975],
    ['the fee allowed', () => ({ maxFeeBps: 100 }), {}, 1000],
    ['a clock just behind', ({ time }) => ({ timestampMs: time - 30_000 }), {}, 1000],
    ['a clock just ahead', ({ time }) => ({ timestampMs: time + 30_000 }), {}, 1000],
    ['the lowest price', () => ({ price: 10, size: 100 }), {}, 1000],
    ['the highest price', () => ({ price: 9990 }), {}, 1000],
    ['the last shares', () => ({ side: 'SELL', size: 7 }), {}, 1000],
  ])('accepts an order exactly at its limit: %s', (_, overrides, config, dollars) => {
    const harness = new Harness();
    harness.unlimitedAccount(7);
    harness.account(dollars);
    harness.market({ feeRateBps: 100, minOrderShares: 2 * SHARE });
    harness.send('transfer', { account: 2, amount: 7 * DOLLAR });
    harness.send('split', { account: 2, market: 0, shares: 7 * SHARE });
    harness.send('configure', { config });
    const passes = vi.spyOn(FastPathValidator.prototype, 'passes');
    harness.order(2, { price: 5000, size: 3, ...overrides(harness) });
    expect(passes.mock.results.map(({ value }) => value)).toEqual([true]);
  });

  it.each([
    ['open orders', { openOrders: 2 }],
    ['holdings', { holdings: 2 }],
  ])('accepts the last order for which the exchange has capacity: %s', (_, limits) => {
    const harness = new Harness({ limits });
    for (let account = 1; account <= 3; account += 1) harness.account(1000);
    harness.market();
    const passes = vi.spyOn(FastPathValidator.prototype, 'passes');
    for (const account of [1, 2]) harness.order(account, { price: 5000, size: 3 });
    expect(eventTexts(harness.place(3, { price: 5000, size: 3 }))[0]).toMatch(/^refused 0 ABOVE_MAX/);
    expect(passes.mock.results.map(({ value }) => value)).toEqual([true, true, false]);
  });

  it('accepts orders of accounts with a holding when the exchange has no room for more holdings', () => {
    const harness = new Harness({ limits: { holdings: 1 } });
    harness.account(1000);
    harness.market();
    const passes = vi.spyOn(FastPathValidator.prototype, 'passes');
    for (let count = 0; count < 2; count += 1) harness.order(1, { price: 5000, size: 3 });
    expect(passes.mock.results.map(({ value }) => value)).toEqual([true, true]);
  });
});
