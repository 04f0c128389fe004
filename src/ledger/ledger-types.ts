/** Inputs, views and snapshots of a ledger. */
import type { MarketNo, MicroShares, MicroUsd, Outcome, PriceBps, Side } from '../domain/index.ts';
import type { HoldingSnapshot } from './holding.ts';
import type { SplitSnapshot } from './pnl-split.ts';

/** How a market ended: the payout of a YES share in bps, or cancelled. */
export type Settlement = PriceBps | 'CANCELLED';

export interface PositionView {
  readonly yes: MicroShares;
  readonly no: MicroShares;
  /** YES minus NO, micro-shares, signed. */
  readonly net: number;
  /** `net` in shares: 12.5 is long 12.5 YES, -3 is long 3 NO. A float, exact to the lot. */
  readonly shares: number;
  /** Total cost of the shares held, by outcome. */
  readonly yesCost: MicroUsd;
  readonly noCost: MicroUsd;
  /** By cost basis, after fees and with rewards. */
  readonly realized: MicroUsd;
  /** Cash received less cash paid in this market. */
  readonly netCash: MicroUsd;
  /** Fees and commission paid here and not refunded. */
  readonly fees: MicroUsd;
}

/** Holdings in one market, read-only and live. */
export interface Position extends PositionView {
  /** Undefined until the market is final. */
  readonly settlement: Settlement | undefined;
  /** The amount that a claim would pay now; 0 until the market is final. */
  readonly owed: MicroUsd;
}

/** The fields of `OrderFilled` that the ledger uses. `price` is in terms of `outcome`, `fee` is not negative. */
export interface LedgerFill {
  readonly market: MarketNo;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly price: PriceBps;
  readonly shares: MicroShares;
  readonly fee: MicroUsd;
}

/** The effect of a fill, stored so that it can be undone. */
export interface FillEffect {
  /** P&L realised by a sale, before its fee; 0 for a purchase. */
  readonly gained: MicroUsd;
  /** The double mid at which the fill was booked. */
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
  /** By market number; null for a market without postings. */
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
