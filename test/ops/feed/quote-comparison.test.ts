import { describe, expect, it } from 'vitest';
import { unchecked } from '../../../src/domain/index.ts';
import { compareQuotes } from '../../../src/ops/feed/quote-comparison.ts';
import type { WantedQuotes } from '../../../src/runtime/index.ts';
import type { OpenOrder } from '../../../src/state/index.ts';

const MARKET = unchecked.market(0);
const BOT = unchecked.instance(0);
const shares = (value: number) => unchecked.shares(value * 1_000_000);

function wanted(isDeferred: boolean, ...quotes: readonly ['bid' | 'ask', number, number][]): readonly WantedQuotes[] {
  const lines = quotes.map(([side, price, size]) => ({ side, price: unchecked.price(price), shares: shares(size) }));
  return [{ bot: BOT, isDeferred, intent: { type: 'quote', market: MARKET, quotes: lines } }];
}

function order(
  sign: 1 | -1,
  price: number,
  remaining: number,
  phase: OpenOrder['phase'] = 'live',
  rests = true,
): OpenOrder {
  return {
    order: unchecked.order(1),
    bot: BOT,
    market: MARKET,
    outcome: 'YES',
    side: sign === 1 ? 'BUY' : 'SELL',
    price: unchecked.price(price),
    sign,
    yesPrice: unchecked.price(price),
    remaining: shares(remaining),
    phase,
    since: unchecked.time(0),
    rests,
  };
}

describe('the comparison of quotes with open orders', () => {
  it('lists levels from the highest price to the lowest, numbered from the mid', () => {
    const rows = compareQuotes(
      wanted(false, ['bid', 6_100, 5], ['bid', 6_000, 5], ['ask', 6_300, 5], ['ask', 6_400, 5]),
      [],
      undefined,
    );
    expect(rows.map(({ side, level, wantedPrice }) => `${side} ${level} ${wantedPrice}`)).toEqual([
      'ASK 2 6400',
      'ASK 1 6300',
      'BID 1 6100',
      'BID 2 6000',
    ]);
  });

  it.each([
    ['same', 'live', 5, false],
    ['sending', 'new', 5, false],
    ['cancelling', 'cancelling', 5, false],
    ['unknown', 'unknown', 5, false],
    ['replacing', 'reducing', 7, false],
    ['filled', 'live', 4, false],
    ['replacing', 'live', 7, false],
    ['waits', 'live', 7, true],
  ] as const)('is %s for an order in phase %s with %s of 5 shares', (difference, phase, size, isDeferred) => {
    const [row] = compareQuotes(wanted(isDeferred, ['bid', 6_100, 5]), [order(1, 6_100, size, phase)], undefined);
    expect(row?.difference).toBe(difference);
  });

  it('names the limit that refused a level without orders, or the reason of its delay', () => {
    expect(compareQuotes(wanted(false, ['bid', 6_100, 5]), [], 'MAX_POSITION')[0]?.difference).toBe('MAX_POSITION');
    expect(compareQuotes(wanted(true, ['bid', 6_100, 5]), [], 'MAX_POSITION')[0]?.difference).toBe('waits');
    expect(compareQuotes(wanted(false, ['bid', 6_100, 5]), [], undefined)[0]?.difference).toBe('sending');
  });

  it('shows orders without a quote, sums orders at one price, and omits taker orders', () => {
    const rows = compareQuotes(
      [],
      [order(-1, 6_300, 2), order(-1, 6_300, 3), order(-1, 6_200, 9, 'live', false)],
      undefined,
    );
    expect(rows).toEqual([
      expect.objectContaining({
        side: 'ASK',
        wantedPrice: null,
        restingPrice: 6_300,
        restingShares: 5_000_000,
        difference: 'replacing',
      }),
    ]);
  });
});
