/** What goes into a ledger, and what it is at one moment. */
import type { MarketNo, MicroShares, MicroUsd, Outcome, PriceBps, Side } from '../domain/index.ts';
import type { HoldingSnapshot } from './holding.ts';
import type { SplitSnapshot } from './pnl-split.ts';

/** How a market ended: the payout of a YES share in bps, or void. */
export type Settlement = PriceBps | 'CANCELLED';

/** Holdings in one market, read-only and live. */
export interface Position {
  readonly yes: MicroShares;
  readonly no: MicroShares;
  /** YES minus NO, micro-shares, signed. */
  readonly net: number;
  /** The same in shares, a float. */
  readonly shares: number;
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

/** What the ledger needs of a fill; `OrderFilled` has it. `price` in the terms of `outcome`, `fee` not negative. */
export interface LedgerFill {
  readonly market: MarketNo;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly price: PriceBps;
  readonly shares: MicroShares;
  readonly fee: MicroUsd;
}

/** What has to be known of a fill to undo it later. */
export interface FillEffect {
  /** What a sale realised before its fee; 0 of a purchase. */
  readonly gained: MicroUsd;
  /** The double mid at which it was booked. */
  readonly mark: number;
}

export interface TrialBalance {
  readonly cash: MicroUsd;
  readonly outside: MicroUsd;
  readonly collateral: MicroUsd;
  readonly fees: MicroUsd;
}

export interface LedgerSnapshot extends TrialBalance {
  readonly deposited: MicroUsd;
  readonly held: number;
  /** By number; null for one in which nothing ever happened. */
  readonly markets: readonly (MarketAccountSnapshot | null)[];
}

export interface MarketAccountSnapshot {
  readonly holding: HoldingSnapshot;
  readonly split: SplitSnapshot;
  readonly pairs: MicroShares;
  readonly netCash: MicroUsd;
  readonly fees: MicroUsd;
  readonly commission: MicroUsd;
  readonly feesOwed: MicroUsd;
  readonly rewards: MicroUsd;
  readonly settlement: Settlement | null;
  readonly owed: MicroUsd;
  readonly claimed: MicroUsd;
  readonly refunded: boolean;
  readonly collateral: MicroUsd;
  readonly counted: number;
}
