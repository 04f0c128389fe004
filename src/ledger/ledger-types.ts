/** What goes into a ledger, and what it is at one moment. */
import type { MarketNo, MicroShares, MicroUsd, Outcome, PriceBps, Side } from '../domain/index.ts';
import type { HoldingSnapshot } from './holding.ts';
import type { SplitSnapshot } from './pnl-split.ts';
import type { Settlement } from './position.ts';

/** What the ledger needs of a fill; `OrderFilled` has it. `price` in the terms of `outcome`, `fee` not negative. */
export interface LedgerFill {
  readonly market: MarketNo;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly price: PriceBps;
  readonly shares: MicroShares;
  readonly fee: MicroUsd;
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
