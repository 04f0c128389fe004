/** The limits on one order alone, whatever its market, other orders and holdings. */
import type { MicroShares, MicroUsd, PriceBps, Sign } from '../domain/index.ts';
import type { LimitKey, RiskLimits } from './limits.ts';

/** One line of a quote set, or a take, in YES terms, with the amounts that limits compare. */
export interface Candidate {
  /** A take pays a fee and never rests. */
  readonly isTake: boolean;
  readonly sign: Sign;
  /** Price of the line in YES terms; a BUY pays `legPrice`. All limits except those on costs and losses use this price. */
  readonly price: PriceBps;
  readonly shares: MicroShares;
  /**
   * Its part of the side's cost at the worst price at which an order can rest for it, including the fee of a take,
   * micro-USD. Limits on costs compare this, limits on losses `worst`.
   */
  readonly cost: number;
  /** Worst case of the market including it, micro-USD. */
  readonly worst: number;
  /** Micro-shares that must be bought because holdings do not cover them. */
  readonly bought: MicroShares;
  /** Cost of `bought`, micro-USD. Lines use up the holdings in the order of the set; execution can allocate them differently. */
  readonly bet: MicroUsd;
  /** Reserved cash: `bet` and the fee of a take, micro-USD. */
  readonly reserve: number;
}

/** A limit, and the larger figure that was compared with it, in the unit of refusals. */
interface ExceededLimit {
  readonly key: LimitKey;
  readonly limit: number;
  readonly was: number;
}

/**
 * Compares an order with these limits. `flatten` splits its takes by `max_order` only, so any other limit must skip orders
 * with `isTake`.
 */
export function exceededOrderLimit(
  { maxOrder }: RiskLimits,
  { shares }: Pick<Candidate, 'isTake' | 'shares' | 'cost'>,
): ExceededLimit | undefined {
  return shares > maxOrder ? { key: 'max_order', limit: maxOrder, was: shares } : undefined;
}
