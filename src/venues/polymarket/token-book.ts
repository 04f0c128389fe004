/**
 * The book of a market's YES token, in whole lots. Levels below a lot (dust) are not in the ladder. The best prices
 * include dust, as the venue's best prices do.
 *
 * HOT: every change of every book passes `set`.
 */
import { BOOK_SIDE, type BookLevel, Ladder } from '../../book/index.ts';
import { FULL_BPS, LOT, type PriceGrid, unchecked } from '../../domain/index.ts';
import type { PolymarketBook, PolymarketPriceChange } from '../../protocol/polymarket/index.ts';

type PolymarketLevels = PolymarketBook['bids'];

/** Best prices in bps: 0 without bids, and 10000 without asks. */
export interface Touch {
  readonly bid: number;
  readonly ask: number;
}

export class TokenBook {
  /** Whole lots. */
  readonly ladder: Ladder;
  /** Prices of levels below a lot, by side. */
  readonly #dust = [new Set<number>(), new Set<number>()] as const;

  constructor(grid: PriceGrid) {
    this.ladder = Ladder.forGrid(grid);
  }

  get touch(): Touch {
    const [bids, asks] = this.#dust;
    const { topBid, topAsk } = this.ladder;
    return {
      bid: bids.size === 0 ? topBid : Math.max(topBid, ...bids),
      ask: asks.size === 0 ? topAsk : Math.min(topAsk, ...asks),
    };
  }

  isOnGrid(price: number): boolean {
    return price % this.ladder.tickBps === 0;
  }

  /** Sets a level. @param size micro-shares, rounded **down** to whole lots. @returns the new level */
  set(side: 0 | 1, price: number, size: number): BookLevel {
    const shares = size - (size % LOT);
    this.ladder.set(side, price, shares);
    const dust = this.#dust[side];
    if (size > 0 && shares === 0) dust.add(price);
    else if (dust.size > 0) dust.delete(price);
    return { price: unchecked.price(price), shares: unchecked.shares(shares) };
  }

  replace(bids: PolymarketLevels, asks: PolymarketLevels): void {
    this.ladder.clear();
    for (const prices of this.#dust) prices.clear();
    for (const { price, size } of bids) this.set(BOOK_SIDE.bid, price, size);
    for (const { price, size } of asks) this.set(BOOK_SIDE.ask, price, size);
  }

  /** Returns whether the levels equal those of another book of the token, in whole lots and without dust. */
  equals({ bids, asks }: PolymarketBook): boolean {
    const { ladder } = this;
    const isSame = (levels: PolymarketLevels, side: 'bid' | 'ask'): boolean => {
      const wholeLots = levels.filter(({ size }) => size >= LOT);
      const at = (price: number): number => (side === 'bid' ? ladder.bidAt(price) : ladder.askAt(price));
      if (wholeLots.length !== ladder.depth(side, FULL_BPS).length) return false;
      return wholeLots.every(({ price, size }) => at(price) === size - (size % LOT));
    };
    return isSame(bids, 'bid') && isSame(asks, 'ask');
  }
}

/** Finds the best prices of a received book, whose levels are in any order. */
export function findTouch({ bids, asks }: PolymarketBook): Touch {
  return {
    bid: bids.reduce((best, { price, size }) => (size > 0 ? Math.max(best, price) : best), 0),
    ask: asks.reduce((best, { price, size }) => (size > 0 ? Math.min(best, price) : best), FULL_BPS),
  };
}

export function isSameTouch(one: Touch, other: Touch): boolean {
  return one.bid === other.bid && one.ask === other.ask;
}

/** Returns the touch in prices of the other outcome. */
export function mirroredTouch({ bid, ask }: Touch): Touch {
  return { bid: FULL_BPS - ask, ask: FULL_BPS - bid };
}

/**
 * Compares the YES book's best prices with the best prices that each token's last change states.
 * @returns the difference; undefined for equal prices
 */
export function findContradiction(
  changes: PolymarketPriceChange['changes'],
  [yes, no]: readonly [string, string],
  touch: Touch,
): string | undefined {
  for (const asset of [yes, no]) {
    const last = changes.findLast((change) => change.asset === asset);
    if (last?.hasTouch !== true) continue;
    const stated = { bid: last.bestBid ?? 0, ask: last.bestAsk ?? FULL_BPS };
    const { bid, ask } = asset === yes ? stated : mirroredTouch(stated);
    if (bid !== touch.bid || ask !== touch.ask)
      return `its best prices are ${touch.bid} and ${touch.ask}, not ${bid} and ${ask}`;
  }
  return undefined;
}
