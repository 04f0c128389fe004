import type { MarketNo, MicroShares, MicroUsd, Outcome, PriceBps, Side } from '../domain/index.ts';
import type { HoldingSnapshot } from './holding.ts';
import type { SplitSnapshot } from './pnl-split.ts';

/** The result of a market: the payout of a YES share in bps, or CANCELLED. */
export type Settlement = PriceBps | 'CANCELLED';

export interface PositionView {
  readonly yes: MicroShares;
  readonly no: MicroShares;
  /** YES minus NO, micro-shares, signed. */
  readonly net: number;
  /** `net` in shares, exact to the lot: 12.5 for 12.5 more YES than NO, -3 for 3 more NO than YES. */
  readonly shares: number;
  /** Total cost of the held YES shares. */
  readonly yesCost: MicroUsd;
  readonly noCost: MicroUsd;
  /** Realized P&L by cost basis, after fees and with rewards. */
  readonly realized: MicroUsd;
  /** Received cash less paid cash in this market. */
  readonly netCash: MicroUsd;
  /** Paid fees and commission in this market, less refunds. */
  readonly fees: MicroUsd;
}

/** Holdings in one market, read-only and live. */
export interface Position extends PositionView {
  /** Undefined until the market is final. */
  readonly settlement: Settlement | undefined;
  /** The amount that a claim would pay now; 0 until the market is final. */
  readonly owed: MicroUsd;
}

/** The fields of `OrderFilled` that the ledger uses. `price` is the price of `outcome`; `fee` is not negative. */
export interface LedgerFill {
  readonly market: MarketNo;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly price: PriceBps;
  readonly shares: MicroShares;
  readonly fee: MicroUsd;
}

/** The effect of a fill, which `Ledger.reverse` needs. */
export interface FillEffect {
  /** P&L that a sale realized, before its fee; 0 for a purchase. */
  readonly gained: MicroUsd;
  /** The double mid (twice the mid, bps) at which the ledger booked the fill. */
  readonly mark: number;
}

export type TrialBalance = Readonly<Record<'cash' | 'outside' | 'collateral' | 'fees', MicroUsd>>;

export interface LedgerSnapshot extends TrialBalance {
  readonly deposited: MicroUsd;
  /** Value of all holdings in half micro-USD. */
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
  /** This holding's part of `LedgerSnapshot.held`, in half micro-USD. */
  readonly counted: number;
}
