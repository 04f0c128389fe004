/** What the check of a line compares with limits. */
import type { MicroShares, MicroUsd, PriceBps, Sign } from '../domain/index.ts';

/** One line of a quote set, or a take, in YES terms, with its cost. */
export interface Candidate {
  readonly sign: Sign;
  /** The line's own, in YES terms; `legPrice` is what a BUY pays for it. Every limit but those on losses goes by this price. */
  readonly price: PriceBps;
  readonly shares: MicroShares;
  /**
   * Its part of the side's cost, with the fee of a take, micro-USD: at the worst price at which an order may rest for it.
   * Limits on losses compare it, or `worst`.
   */
  readonly cost: number;
  /** Worst case of the market including it, micro-USD. */
  readonly worst: number;
  /** Micro-shares that holdings do not cover, so they must be bought. */
  readonly bought: MicroShares;
  /** Cost of that part, micro-USD; with the holdings given to the lines in the order of the set. Execution may give them out differently. */
  readonly bet: MicroUsd;
  /** Cash that it reserves: `bet` and the fee of a take, micro-USD. */
  readonly reserve: number;
}
