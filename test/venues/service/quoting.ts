/** Intents of bots in tests. */
import { type Intent, type MarketNo, microShares, priceBps, type Quote, unchecked } from '../../../src/domain/index.ts';
import { SHARE } from './harness.ts';

export const FIRST: MarketNo = unchecked.market(0);

/** A quote intent. Each level is side, price in YES bps and whole shares. */
export function quotes(...levels: readonly (readonly ['bid' | 'ask', number, number])[]): Intent {
  const list = levels.map(
    ([side, price, count]): Quote => ({ side, price: priceBps(price), shares: microShares(count * SHARE) }),
  );
  return { type: 'quote', market: FIRST, quotes: list };
}

export function take(side: 'BUY' | 'SELL', price: number, count: number): Intent {
  return {
    type: 'take',
    market: FIRST,
    outcome: 'YES',
    side,
    limit: priceBps(price),
    shares: microShares(count * SHARE),
  };
}

export function pairs(type: 'split' | 'merge', count: number): Intent {
  return { type, market: FIRST, shares: microShares(count * SHARE) };
}
