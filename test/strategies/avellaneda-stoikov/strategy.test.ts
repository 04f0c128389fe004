import { describe, expect, it } from 'vitest';
import { epochMs, microShares, priceBps, unchecked } from '../../../src/domain/index.ts';
import type { StrategyHandlers } from '../../../src/strategy/index.ts';
import avellanedaStoikov from '../../../strategies/avellaneda-stoikov/strategy.ts';
import { contextOf } from '../../strategy/context.ts';
import { accountView, type MarketSpec, marketView } from '../../strategy/market-view.ts';
import { book, bookAround, moveMid, quoteTexts } from '../maker-quotes.ts';

const EXAMPLE = { gamma: 0.01, kappa: 50, horizon: 3_600, order_amount: 100, max_position: 5_000 };

function startStrategy(params: Record<string, unknown> = {}): StrategyHandlers {
  return avellanedaStoikov.create(avellanedaStoikov.params.parse({ ...EXAMPLE, ...params }), contextOf());
}

describe('avellaneda-stoikov', () => {
  it('quotes 5770 / 6180 at mid 6000, 500 shares long, with the sigma that it measured', () => {
    const handlers = startStrategy();
    moveMid(handlers, 6_000);
    expect(book(handlers, 150.001, { ...bookAround(6_000), yes: 500 })).toEqual(['bid 5770 x 100', 'ask 6180 x 100']);
  });

  it('quotes only a bid near certainty when the ask would be above the payout', () => {
    const handlers = startStrategy({ horizon: 36_000 });
    const nearCertain: MarketSpec = { bids: [[9610, 1_000]], asks: [[9790, 1_000]] };
    for (let step = 0; step <= 30; step++) {
      const shift = step < 24 && step % 2 === 1 ? 10 : 0;
      book(handlers, step * 5, { bids: [[9610 + shift, 1_000]], asks: [[9790 + shift, 1_000]] });
    }
    expect(book(handlers, 150.001, { ...nearCertain, no: 2_000 })).toEqual(['bid 9760 x 100']);
  });

  it('waits for 30 samples', () => {
    const handlers = startStrategy();
    for (let step = 0; step < 30; step++) {
      expect(book(handlers, step * 5, bookAround(step % 2 === 0 ? 6_000 : 6_010))).toEqual([]);
    }
    expect(book(handlers, 150, bookAround(6_000))).toEqual([]);
    expect(book(handlers, 150.001, bookAround(6_000))).toHaveLength(2);
  });

  it('withdraws in a halt and does not measure the jump over it', () => {
    const [halted, quiet] = [startStrategy(), startStrategy()];
    for (const handlers of [halted, quiet]) moveMid(handlers, 6_000);
    const stopped = marketView({ ...bookAround(6_000), state: { acceptingOrders: false } });
    expect(quoteTexts(halted.onMarket?.(stopped, accountView(stopped, 151)))).toEqual([]);
    expect(book(halted, 156, bookAround(8_000))).toEqual(book(quiet, 151, bookAround(8_000)));
  });

  it('limits the position to max_position', () => {
    const handlers = startStrategy({ max_position: 150 });
    moveMid(handlers, 6_000);
    expect(book(handlers, 151, { ...bookAround(6_000), yes: 120 }).map((line) => line.split(' x ')[1])).toEqual([
      '30',
      '100',
    ]);
    expect(book(handlers, 152, { ...bookAround(6_000), no: 150 }).map((line) => line.split(' ')[0])).toEqual(['bid']);
  });

  it('uses the scheduled resolution as its horizon and stops there', () => {
    const handlers = startStrategy({ horizon: undefined });
    const scheduledResolution = epochMs(150_001 + 3_600_000);
    moveMid(handlers, 6_000);
    const spec = { ...bookAround(6_000), yes: 500, scheduledResolution };
    expect(book(handlers, 150.001, spec)).toEqual(['bid 5770 x 100', 'ask 6180 x 100']);
    expect(book(handlers, 3_750.001, spec)).toEqual([]);
  });

  it('prefers a given horizon to the schedule', () => {
    const handlers = startStrategy();
    moveMid(handlers, 6_000);
    expect(book(handlers, 150.001, { ...bookAround(6_000), yes: 500, scheduledResolution: epochMs(150_002) })).toEqual([
      'bid 5770 x 100',
      'ask 6180 x 100',
    ]);
  });

  it('does not start without a horizon', () => {
    const market = marketView();
    expect(() => startStrategy({ horizon: undefined }).onStart?.(accountView(market))).toThrow(
      /params\.horizon.*no scheduled/,
    );
    expect(startStrategy().onStart?.(accountView(market))).toBeUndefined();
  });

  it('shifts quotes in proportion to the position, by max_skew_bps at max_position', () => {
    const quotesWith = (yes: number) => {
      const handlers = startStrategy({ gamma: undefined, max_skew_bps: 200, max_position: 1_000 });
      moveMid(handlers, 6_000);
      return book(handlers, 150.001, { ...bookAround(6_000), yes });
    };
    expect(quotesWith(0)).toEqual(['bid 5790 x 100', 'ask 6210 x 100']);
    // Half the position, half the shift: the centre is at 5899.6.
    expect(quotesWith(500)).toEqual(['bid 5690 x 100', 'ask 6110 x 100']);
  });

  it('quotes at least min_spread apart', () => {
    const handlers = startStrategy({ min_spread: 500 });
    moveMid(handlers, 6_000);
    expect(book(handlers, 151, bookAround(6_000))).toEqual(['bid 5750 x 100', 'ask 6250 x 100']);
  });

  it('quotes by the measured fill rate once there is one', () => {
    const handlers = startStrategy({ kappa: 'measured' });
    const trade = (seconds: number, price: number) => {
      const market = marketView(bookAround(6_000));
      const shares = microShares(1_000_000);
      const print = { market: unchecked.market(0), time: epochMs(seconds * 1_000), taker: 'unknown' as const, shares };
      handlers.onTrade?.({ ...print, price: priceBps(price) }, accountView(market, seconds));
    };
    moveMid(handlers, 6_000);
    expect(book(handlers, 150.5, bookAround(6_000))).toEqual([]);
    for (let step = 31; step < 60; step++) {
      book(handlers, step * 5, bookAround(6_000));
      trade(step * 5 + 1, 5_980);
      trade(step * 5 + 1, 6_020);
    }
    // Every trade is equally deep: a rate that does not fall with distance has no kappa.
    expect(book(handlers, 301, bookAround(6_000))).toEqual([]);
    for (let step = 61; step < 80; step++) for (const price of [5_900, 6_100]) trade(step * 5 + 1, price);
    expect(book(handlers, 401, bookAround(6_000))).toHaveLength(2);
  });

  it.each([
    ['kappa_min above kappa_max', { kappa_min: 50, kappa_max: 50 }],
    ['a window of the fill rate below five minutes', { fill_rate_window: 299 }],
    ['a weight above 1', { fit_weight: 1.01 }],
    ['both gamma and a target shift', { max_skew_bps: 100 }],
    ['neither gamma nor a target shift', { gamma: undefined }],
    ['a model that is a separate strategy', { model: 'glft' }],
    ['a window of 29 steps', { volatility_step: 5, volatility_window: 145 }],
    ['an unknown name', { kapa: 50 }],
  ])('refuses %s', (_, params) => {
    expect(() => startStrategy(params)).toThrow();
  });
});
