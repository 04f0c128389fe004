import { complement, type DoubleMid, FULL_BPS, type MicroShares, type PriceBps, unchecked } from '../domain/index.ts';

export type BookSide = 'bid' | 'ask';

export interface BookLevel {
  readonly price: PriceBps;
  readonly shares: MicroShares;
}

/** A live view of one market's book, in YES terms, or in NO terms from `inNoTerms`. Only `depth` allocates. */
export interface BookView {
  /** Returns the highest bid; undefined if there is none. */
  bestBid(): PriceBps | undefined;
  /** Returns the lowest ask; undefined if there is none. */
  bestAsk(): PriceBps | undefined;
  /** Returns the size of the bid at this price (1 … 9999); 0 if there is none or the price is off the tick. */
  bidAt(price: number): MicroShares;
  /** Returns the size of the ask at this price (1 … 9999); 0 if there is none or the price is off the tick. */
  askAt(price: number): MicroShares;
  /** Returns the highest bid strictly below `price` (0 … 10000); undefined if there is none. */
  nextBid(price: number): PriceBps | undefined;
  /** Returns the lowest ask strictly above `price` (0 … 10000); undefined if there is none. */
  nextAsk(price: number): PriceBps | undefined;
  /** Returns the mean of best bid and best ask in bps, whole or ending in .5; undefined if a side is empty. */
  mid(): number | undefined;
  /** Returns best ask - best bid in bps, 0 or negative in a crossed book; undefined if a side is empty. */
  spread(): number | undefined;
  /** Returns best bid + best ask, twice the mid (docs/spec/models.md#mark); undefined if a side is empty. */
  doubleMid(): DoubleMid | undefined;
  /**
   * Returns `(bid * askSize + ask * bidSize) / (bidSize + askSize)` in bps, a float for estimators
   * (docs/spec/models.md#microprice). Undefined if a side is empty.
   */
  microprice(): number | undefined;
  /** Returns whether the best bid is at or above the best ask, a state that every venue resolves at once. */
  crossed(): boolean;
  /** Returns a copy of the best `count` levels of a side, best first. */
  depth(side: BookSide, count: number): readonly BookLevel[];
}

/** Returns a live view in NO terms: sides swapped, every price 10000 - p (docs/spec/venue.md#the-book). */
export function inNoTerms(yes: BookView): BookView {
  return {
    bestBid: () => complementOrNone(yes.bestAsk()),
    bestAsk: () => complementOrNone(yes.bestBid()),
    bidAt: (price) => yes.askAt(FULL_BPS - price),
    askAt: (price) => yes.bidAt(FULL_BPS - price),
    nextBid: (price) => complementOrNone(yes.nextAsk(FULL_BPS - price)),
    nextAsk: (price) => complementOrNone(yes.nextBid(FULL_BPS - price)),
    mid: () => complementMid(yes.mid()),
    spread: () => yes.spread(),
    doubleMid() {
      const mid = yes.doubleMid();
      return mid === undefined ? undefined : unchecked.mid(2 * FULL_BPS - mid);
    },
    microprice: () => complementMid(yes.microprice()),
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

function complementMid(price: number | undefined): number | undefined {
  return price === undefined ? undefined : FULL_BPS - price;
}
