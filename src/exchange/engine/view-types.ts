import type { Outcome, Side } from '../../domain/index.ts';

/** Cash of an account, micro-USD. */
export interface AccountView {
  readonly address: string;
  readonly unlimited: boolean;
  readonly available: number;
  /** Reserved for open BUY orders. */
  readonly reserved: number;
  readonly epoch: number;
}

/** Holdings of an account in a market; money in micro-USD, sizes in micro-shares. */
export interface HoldingView {
  readonly account: number;
  readonly market: number;
  readonly yes: PositionView;
  readonly no: PositionView;
  /** Reserved by open BUY orders in the market. */
  readonly reserved: number;
  /** Buys and splits less sales and merges, without fees. */
  readonly netPaid: number;
  readonly fees: number;
  /** As the venue limits it (docs/spec/venue.md#limits). */
  readonly exposure: number;
  /** The unclaimed payout of a final market, with the fees of a cancelled one. */
  readonly owed: number;
  /** Claimed payout, micro-USD. */
  readonly paid: number;
  readonly claimed: boolean;
}

/** Shares of one outcome. */
export interface PositionView {
  readonly shares: number;
  /** In open SELL orders. */
  readonly held: number;
  readonly cost: number;
  /** After fees. */
  readonly realized: number;
}

export interface OpenOrderView {
  readonly order: number;
  readonly account: number;
  readonly market: number;
  readonly outcome: Outcome;
  readonly side: Side;
  /** In the terms of its outcome, bps. */
  readonly price: number;
  readonly remaining: number;
  /** 0 for none. */
  readonly expiration: number;
  /** 0 for none. */
  readonly credential: number;
  /** 0 for none. */
  readonly group: number;
  /** `seq` of its last fill, 0 for none. */
  readonly lastFill: number;
  /** Whether it is in a public book; false for an initial order before its market opens. */
  readonly isShown: boolean;
}
