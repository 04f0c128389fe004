import type { DoubleMid, MicroShares, PriceBps } from '../domain/index.ts';

export type BookSide = 'bid' | 'ask';

export interface BookLevel {
  readonly price: PriceBps;
  readonly shares: MicroShares;
}

/**
 * One market's book, read-only and live: each call returns the present state. Prices are in the terms of one outcome,
 * YES unless it came from `seenAsNo`. Only `depth` allocates.
 */
export interface BookView {
  /** Highest bid; undefined when there is none. */
  bestBid(): PriceBps | undefined;
  /** Lowest ask; undefined when there is none. */
  bestAsk(): PriceBps | undefined;
  /** What stands on the bid side at exactly this price (1..9999); 0 for nothing, also off the tick. */
  bidAt(price: number): MicroShares;
  /** What stands on the ask side at exactly this price (1..9999); 0 for nothing, also off the tick. */
  askAt(price: number): MicroShares;
  /** The highest bid strictly below `price` (0..10000): walks down from the best. */
  nextBid(price: number): PriceBps | undefined;
  /** The lowest ask strictly above `price` (0..10000): walks up from the best. */
  nextAsk(price: number): PriceBps | undefined;
  /** Half-way between best bid and best ask, bps, whole or ending in .5; undefined unless both sides stand. */
  mid(): number | undefined;
  /** Best ask less best bid, bps, not above 0 in a crossed book; undefined unless both sides stand. */
  spread(): number | undefined;
  /** Best bid + best ask, twice the mid (docs/spec/models.md#mark); undefined unless both sides stand. */
  doubleMid(): DoubleMid | undefined;
  /**
   * Mid weighted by the opposite sizes, in bps, a float for estimators: `(bid * askSize + ask * bidSize) / (both)`
   * (docs/spec/models.md#microprice). Undefined unless both sides stand.
   */
  microprice(): number | undefined;
  /** Whether the best bid is at or above the best ask: a state that no venue shows at rest. */
  crossed(): boolean;
  /** The best `count` levels of a side, best first, as a copy that stays as it is. */
  depth(side: BookSide, count: number): readonly BookLevel[];
}
