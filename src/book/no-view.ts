import { complement, FULL_BPS, type PriceBps, unchecked } from '../domain/index.ts';
import type { BookView } from './view.ts';

/** Returns a live view in NO terms: sides swapped, every price 10000 - p (docs/spec/venue.md#the-book). */
export function seenAsNo(yes: BookView): BookView {
  return {
    bestBid: () => complementOrNone(yes.bestAsk()),
    bestAsk: () => complementOrNone(yes.bestBid()),
    bidAt: (price) => yes.askAt(FULL_BPS - price),
    askAt: (price) => yes.bidAt(FULL_BPS - price),
    nextBid: (price) => complementOrNone(yes.nextAsk(FULL_BPS - price)),
    nextAsk: (price) => complementOrNone(yes.nextBid(FULL_BPS - price)),
    mid: () => subtractedFromFull(yes.mid()),
    spread: () => yes.spread(),
    doubleMid() {
      const mid = yes.doubleMid();
      return mid === undefined ? undefined : unchecked.mid(2 * FULL_BPS - mid);
    },
    microprice: () => subtractedFromFull(yes.microprice()),
    crossed: () => yes.crossed(),
    depth(side, count) {
      const levels = yes.depth(side === 'bid' ? 'ask' : 'bid', count);
      return levels.map(({ price, shares }) => ({ price: complement(price), shares }));
    },
  };
}

function complementOrNone(price: PriceBps | undefined): PriceBps | undefined {
  return price === undefined ? undefined : complement(price);
}

function subtractedFromFull(price: number | undefined): number | undefined {
  return price === undefined ? undefined : FULL_BPS - price;
}
