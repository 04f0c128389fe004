/** What recorded markets show beside orders, as it was told. */

/** A level of the outside: a sum without owners, which counts as one order. */
export interface OutsideLevel {
  readonly isBid: boolean;
  readonly price: number;
  readonly shares: number;
}

/** Numbers of a level as the exchange tells it: 1 for a bid, price, micro-shares. */
const WIDTH = 3;

/** All markets'. */
export class OutsideLevels {
  /** By market, then by twice the price and 1 for a bid; never 0. */
  readonly #levels = new Map<number, Map<number, number>>();

  /** Everything of a market, as `ExchangeView.recordedLevels` tells it. */
  reset(market: number, told: readonly number[]): void {
    this.#levels.delete(market);
    for (const { isBid, price, shares } of levelsIn(told)) this.set(market, isBid, price, shares);
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

/** Levels as the exchange tells them. */
export function levelsIn(told: readonly number[]): readonly OutsideLevel[] {
  const levels: OutsideLevel[] = [];
  for (let at = 0; at < told.length; at += WIDTH) {
    levels.push({ isBid: told[at] === 1, price: told[at + 1] ?? 0, shares: told[at + 2] ?? 0 });
  }
  return levels;
}

function keyOf(isBid: boolean, price: number): number {
  return 2 * price + (isBid ? 1 : 0);
}
