/** Amounts that a replace reserves, and their limits. */
import { describe, expect, it } from 'vitest';
import { MAX_ORDER_SHARES, type Outcome, takerFee, unchecked } from '../../../src/domain/index.ts';
import { eventTexts, Harness, replace, SHARE } from './harness.ts';

const FEE_BPS = 200;

/** A market with two levels on each side, and an account with exactly `micros` of cash. */
function bookFor(micros: number): { readonly harness: Harness; readonly account: number } {
  const harness = new Harness();
  const maker = harness.account();
  const account = harness.account(0);
  harness.market({ feeRateBps: FEE_BPS });
  for (const outcome of ['YES', 'NO'] as const) {
    harness.buy(maker, outcome, 4900, 2, { postOnly: true });
    harness.buy(maker, outcome, 4800, 4, { postOnly: true });
  }
  harness.send('transfer', { account, amount: micros });
  return { harness, account };
}

describe('a replace', () => {
  // The other outcome's bids at 4900 and 4800 are asks at 5100 and 5200.
  it.each<readonly [outcome: Outcome, price: number, taken: number]>([
    ['YES', 5100, 2],
    ['NO', 5100, 2],
    ['YES', 5150, 2],
    ['NO', 5150, 2],
    ['YES', 5200, 6],
    ['NO', 5200, 6],
    ['YES', 5050, 0],
  ])('reserves the fee of a purchase of %s at %i on the %i shares that the book offers', (outcome, price, taken) => {
    const fee = takerFee(FEE_BPS, unchecked.shares(taken * SHARE), unchecked.price(price));
    const needed = 10 * price * 100 + fee + 10 * 1000 * 100;
    const place = [
      { outcome, price, size: 10 },
      { outcome, price: 1000, size: 10, postOnly: true },
    ];
    const exact = bookFor(needed);
    expect(eventTexts(replace(exact.harness, exact.account, { place })).join()).not.toContain('refused');
    const short = bookFor(needed - 1);
    expect(eventTexts(replace(short.harness, short.account, { place }))[0]).toBe(
      'refused 1 INSUFFICIENT_BALANCE shares',
    );
  });

  it('limits the total size of its orders at each price, not the total over all prices', () => {
    const harness = new Harness();
    const account = harness.unlimitedAccount();
    harness.market();
    const orders = (count: number, price: number) =>
      Array.from({ length: count }, () => ({ price, microShares: MAX_ORDER_SHARES, postOnly: true }));
    const place = [...orders(9, 10), ...orders(2, 20)];
    const texts = eventTexts(replace(harness, account, { place: [...place, ...orders(1, 10)] }));
    expect(texts[0]).toBe('refused 11 ABOVE_MAX shares');
    expect(eventTexts(replace(harness, account, { place })).join()).not.toContain('refused');
  });
});
