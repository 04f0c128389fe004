import { complement, FULL_BPS, type PriceBps, unchecked } from '../domain/index.ts';
import type { BookView } from './view.ts';

/** Returns a live view in NO terms: sides swapped, every price 10000 - p (docs/spec/venue.md#the-book). */
export function seenAsNo(yes: BookView): BookView {
  return {
    bestBid: () => complementOf(yes.bestAsk()),
    bestAsk: () => complementOf(yes.bestBid()),
    bidAt: (price) => yes.askAt(FULL_BPS - price),
    askAt: (price) => yes.bidAt(FULL_BPS - price),
    nextBid: (price) => complementOf(yes.nextAsk(FULL_BPS - price)),
    nextAsk: (price) => complementOf(yes.nextBid(FULL_BPS - price)),
    mid: () => inverted(yes.mid()),
    spread: () => yes.spread(),
    doubleMid() {
      const mid = yes.doubleMid();
      return mid === undefined ? undefined : unchecked.mid(2 * FULL_BPS - mid);
    },
    microprice: () => inverted(yes.microprice()),
    crossed: () => yes.crossed(),
    depth(side, count) {
      const levels = yes.depth(side === 'bid' ? 'ask' : 'bid', count);
      return levels.map(({ price, shares }) => ({ price: complement(price), shares }));
    },
  };
}

function complementOf(price: PriceBps | undefined): PriceBps | undefined {
  return price === undefined ? undefined : complement(price);
}

function inverted(price: number | undefined): number | undefined {
  return price === undefined ? undefined : FULL_BPS - price;
}
