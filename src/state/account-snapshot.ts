/** What an account begins with, and what it is at one moment. */
import type { Conversion, EpochMs, MicroUsd } from '../domain/index.ts';
import type { MarketSetup, MarketSnapshot } from './market-setup.ts';
import type { MoneySnapshot } from './money.ts';
import type { OwnOrdersSnapshot } from './own-orders.ts';
import type { VenueState } from './view.ts';

export interface AccountOptions {
  /** Cash at the start, reserves included. */
  readonly cash: MicroUsd;
  /** In the order of their numbers: 0, 1, 2 … */
  readonly markets: readonly MarketSetup[];
}

/** All that is known of an account at one moment, but for the books: plain data, so that JSON keeps it. */
export interface AccountSnapshot {
  readonly now: EpochMs;
  readonly venue: VenueState;
  readonly external: number;
  readonly money: MoneySnapshot;
  readonly markets: readonly MarketSnapshot[];
  readonly orders: OwnOrdersSnapshot;
  readonly conversions: readonly Conversion[];
}
