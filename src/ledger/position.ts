import type { MicroShares, MicroUsd, PriceBps } from '../domain/index.ts';

/** How a market ended: the payout of a YES share in bps, or void. */
export type Settlement = PriceBps | 'CANCELLED';

/** Holdings in one market, read-only and live. */
export interface Position {
  readonly yes: MicroShares;
  readonly no: MicroShares;
  /** YES minus NO, micro-shares, signed. */
  readonly net: number;
  /** Total cost of what is held, per outcome. */
  readonly yesCost: MicroUsd;
  readonly noCost: MicroUsd;
  /** By cost basis, after fees and with rewards. */
  readonly realized: MicroUsd;
  /** Cash in and out of this market, without fees; paid is negative. */
  readonly netCash: MicroUsd;
  /** Fees and commission paid here and not given back. */
  readonly fees: MicroUsd;
  /** How the market ended; undefined before that. */
  readonly settlement: Settlement | undefined;
  /** What a claim would pay now; 0 before the end. */
  readonly owed: MicroUsd;
}
