/** How things of the exchange are shown on the wire: a port, filled by those who answer the same objects in queries. */
import type { EpochMs } from '../../domain/index.ts';
import type { FillRow, OrderRow, RecordedVote, TradeRow } from '../../exchange/index.ts';

/** What stands for an object of the contract, ready for the projection. Called while the engine stands where the disk does. */
export interface Shows {
  /** A `Market`. @param market its number */
  market(market: number): unknown;
  /** A `Trade`. */
  trade(row: TradeRow): unknown;
  /** A `Resolution`. */
  resolution(market: number): unknown;
  /** A `ModelVote`. */
  vote(vote: RecordedVote): unknown;
  /** A `BettingConfig`. */
  bettingConfig(): unknown;
  /** A `MarketConfig`. */
  marketConfig(): unknown;
  /** What the operator says besides; undefined for nothing. */
  notice(): VenueNotice | undefined;
  /** An `Order`, as it is in the row, which may be older than now. */
  order(row: OrderRow): unknown;
  /** A `Fill`. */
  fill(row: FillRow): unknown;
  /** Every position that the account has or had in a market: by outcome, those without shares too. */
  positions(account: number, market: number): readonly ShownPosition[];
  /** Markets in which it has any that a stream opens with: shares, or something to claim. */
  positionMarkets(account: number): readonly number[];
  /** A `Balance`. */
  balance(account: number): ShownBalance;
}

/** A message of the operator to everybody. */
export interface VenueNotice {
  readonly message?: string | undefined;
  readonly nextRestartAt?: EpochMs | undefined;
}

/** A `Position`. */
export interface ShownPosition {
  readonly outcome: 'YES' | 'NO' | 'CANCELLED';
  /** Number of its last change; 0 for never. */
  readonly seq: number;
  /** Whether it is one that a stream opens with. */
  readonly isPresent: boolean;
  readonly value: unknown;
}

/** A `Balance`, and what it says in one text: another text is a change. */
export interface ShownBalance {
  readonly mark: string;
  readonly value: unknown;
}
