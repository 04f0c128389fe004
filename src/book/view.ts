import type { DoubleMid, MicroShares, PriceBps } from '../domain/index.ts';

export type BookSide = 'bid' | 'ask';

export interface BookLevel {
  readonly price: PriceBps;
  readonly shares: MicroShares;
}

/**
 * A live, read-only view of one market's book. Prices are in terms of one outcome: YES, or NO in a view from
 * `seenAsNo`. Only `depth` allocates.
 */
export interface BookView {
  /** Highest bid; undefined if there is none. */
  bestBid(): PriceBps | undefined;
  /** Lowest ask; undefined if there is none. */
  bestAsk(): PriceBps | undefined;
  /** Size of the bid at exactly this price (1..9999); 0 if there is none or the price is off the tick. */
  bidAt(price: number): MicroShares;
  /** Size of the ask at exactly this price (1..9999); 0 if there is none or the price is off the tick. */
  askAt(price: number): MicroShares;
  /** Highest bid strictly below `price` (0..10000): the next level down. */
  nextBid(price: number): PriceBps | undefined;
  /** Lowest ask strictly above `price` (0..10000): the next level up. */
  nextAsk(price: number): PriceBps | undefined;
  /** Half-way between best bid and best ask, bps, whole or ending in .5; undefined if a side is empty. */
  mid(): number | undefined;
  /** Best ask - best bid, bps, 0 or negative in a crossed book; undefined if a side is empty. */
  spread(): number | undefined;
  /** Best bid + best ask, twice the mid (docs/spec/models.md#mark); undefined if a side is empty. */
  doubleMid(): DoubleMid | undefined;
  /**
   * Mid weighted by the opposite sizes, in bps, a float for estimators: `(bid * askSize + ask * bidSize) / (bidSize +
   * askSize)` (docs/spec/models.md#microprice). Undefined if a side is empty.
   */
  microprice(): number | undefined;
  /** Returns whether the best bid is at or above the best ask, a state that every venue resolves at once. */
  crossed(): boolean;
  /** Returns a copy of the best `count` levels of a side, best first. */
  depth(side: BookSide, count: number): readonly BookLevel[];
}
