/** Books for makers that measure, and the quotes they answer. */
import type { Intents, StrategyHandlers } from '../../src/strategy/index.ts';
import { type Seen, seenAccount, seenMarket } from '../strategy/seen-market.ts';

/** A wide book, so that no quote is stopped by the touch. */
export function around(mid: number): Seen {
  return { bids: [[mid - 300, 100]], asks: [[mid + 300, 100]] };
}

/** A message at a time in seconds, and the resulting quotes: `bid 5770 x 100`. */
export function book(handlers: StrategyHandlers, seconds: number, seen: Seen): readonly string[] {
  const market = seenMarket(seen);
  return text(handlers.onBook?.(market, seenAccount(market, seconds)));
}

export function text(intents: Intents): readonly string[] {
  return (intents ?? []).flatMap((intent) =>
    intent.type === 'quote'
      ? intent.quotes.map(({ side, price, shares }) => `${side} ${price} x ${shares / 1_000_000}`)
      : intent.type,
  );
}

/** 30 steps of five seconds with a sum of squares of 2,400 bps²: sigma .0004, the last mid is `mid`. */
export function moved(handlers: StrategyHandlers, mid: number): void {
  for (let step = 0; step <= 30; step++) {
    book(handlers, step * 5, around(step < 24 && step % 2 === 1 ? mid + 10 : mid));
  }
}
