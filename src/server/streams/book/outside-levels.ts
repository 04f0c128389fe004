/** Recorded levels of markets with a tape. */

/** A recorded level. It has no owner and counts as one order. */
export interface OutsideLevel {
  readonly isBid: boolean;
  readonly price: number;
  readonly shares: number;
}

/** Numbers per level in events: 1 for a bid, price, micro-shares. */
const WIDTH = 3;

export class OutsideLevels {
  /** Shares by market and `keyOf`; never 0. */
  readonly #levels = new Map<number, Map<number, number>>();

  /** Replaces the levels of a market. @param numbers of `ExchangeView.recordedLevels` */
  reset(market: number, numbers: readonly number[]): void {
    this.#levels.delete(market);
    for (const { isBid, price, shares } of levelsIn(numbers)) this.set(market, isBid, price, shares);
  }

  at(market: number, isBid: boolean, price: number): number {
    return this.#levels.get(market)?.get(keyOf(isBid, price)) ?? 0;
  }

  set(market: number, isBid: boolean, price: number, shares: number): void {
    const levels = this.#levels.get(market) ?? new Map<number, number>();
    this.#levels.set(market, levels);
    if (shares === 0) levels.delete(keyOf(isBid, price));
    else levels.set(keyOf(isBid, price), shares);
  }

  of(market: number): readonly OutsideLevel[] {
    const levels = this.#levels.get(market);
    if (levels === undefined) return [];
    return [...levels].map(([key, shares]) => ({ isBid: (key & 1) === 1, price: key >> 1, shares }));
  }
}

/** Decodes the levels of an event. */
export function levelsIn(numbers: readonly number[]): readonly OutsideLevel[] {
  const levels: OutsideLevel[] = [];
  for (let at = 0; at < numbers.length; at += WIDTH) {
    levels.push({ isBid: numbers[at] === 1, price: numbers[at + 1] ?? 0, shares: numbers[at + 2] ?? 0 });
  }
  return levels;
}

function keyOf(isBid: boolean, price: number): number {
  return 2 * price + (isBid ? 1 : 0);
}
