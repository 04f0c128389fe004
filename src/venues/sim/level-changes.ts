import type { SimMarket } from './sim-market.ts';

/** Outside levels of which own orders consumed something in the present step: the public feed has to show it. */
export class LevelChanges {
  count = 0;
  readonly #markets: SimMarket[] = [];
  readonly #sides: number[] = [];
  readonly #prices: number[] = [];

  add(market: SimMarket, side: number, price: number): void {
    this.#markets[this.count] = market;
    this.#sides[this.count] = side;
    this.#prices[this.count] = price;
    this.count += 1;
  }

  market(at: number): SimMarket {
    return this.#markets[at]!;
  }
  side(at: number): number {
    return this.#sides[at]!;
  }
  price(at: number): number {
    return this.#prices[at]!;
  }

  clear(): void {
    this.count = 0;
  }
}
