/** Books for strategies that measure, and the quotes that they return. */
import type { Intents, StrategyHandlers } from '../../src/strategy/index.ts';
import { accountView, type MarketSpec, marketView } from '../strategy/market-view.ts';

/** A book so wide that the best prices limit no quote. */
export function bookAround(mid: number): MarketSpec {
  return { bids: [[mid - 300, 100]], asks: [[mid + 300, 100]] };
}

/** Delivers a book at a time in seconds. Returns the quotes, such as `bid 5770 x 100`. */
export function book(handlers: StrategyHandlers, seconds: number, spec: MarketSpec): readonly string[] {
  const market = marketView(spec);
  return quoteTexts(handlers.onBook?.(market, accountView(market, seconds)));
}

export function quoteTexts(intents: Intents): readonly string[] {
  return (intents ?? []).flatMap((intent) =>
    intent.type === 'quote'
      ? intent.quotes.map(({ side, price, shares }) => `${side} ${price} x ${shares / 1_000_000}`)
      : intent.type,
  );
}

/** Delivers 30 steps of five seconds with a sum of squares of 2,400 bps² (sigma .0004), which end at `mid`. */
export function moveMid(handlers: StrategyHandlers, mid: number): void {
  for (let step = 0; step <= 30; step++) {
    book(handlers, step * 5, bookAround(step < 24 && step % 2 === 1 ? mid + 10 : mid));
  }
}
