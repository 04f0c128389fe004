/** The terms of an order, and the caller of a command. */
import type { AccountNo, CredentialNo, EpochMs, GroupNo, OrderNo, PlaceOrder } from '../domain/index.ts';

/**
 * Whose order goes when a taker meets an order of its own account; the taker's choice counts
 * (docs/spec/venue.md#self-trade-prevention).
 */
export const SELF_TRADE_MODES = ['CANCEL_TAKER', 'CANCEL_MAKER', 'CANCEL_BOTH'] as const;
/** A name of `SELF_TRADE_MODES`. */
export type SelfTradeMode = (typeof SELF_TRADE_MODES)[number];

/**
 * What location and status keep the caller from; `undefined` for nothing. Close-only still sells. An order that
 * the host held back by a placing delay, while its market was halted, is refused as if it still were.
 */
export type Restriction = 'GEO_BLOCKED' | 'CLOSE_ONLY' | 'EMAIL_NOT_VERIFIED' | 'HALTED_MEANWHILE';

/** The common fields of an account's commands. */
export interface AccountCommand {
  readonly time: EpochMs;
  readonly account: AccountNo;
  /** The credential it came by; 0 for none (operator, house, tests). */
  readonly credential: CredentialNo;
}

type Placed = 'market' | 'outcome' | 'side' | 'price' | 'shares' | 'timeInForce' | 'postOnly' | 'expiration';

/**
 * The terms of an order. Numbers may be anything a client can send: they are checked here, in the order of
 * `REJECT_REASONS`, and a refusal changes nothing.
 */
export interface OrderTerms extends Pick<PlaceOrder, Placed> {
  /** The signed clock of the client; not tested for accounts without limits. */
  readonly timestampMs: EpochMs;
  /** The account's epoch it was signed for; not tested for accounts without limits. */
  readonly epoch: number;
  /** The highest fee rate it accepts. */
  readonly maxFeeBps: number;
  /** The order it replaces, 0 for none, -1 for an unknown one. */
  readonly replaces: OrderNo | 0 | -1;
  readonly selfTrade: SelfTradeMode;
  /** 0 for none. */
  readonly group: GroupNo;
  readonly restriction: Restriction | undefined;
  /** The signed bytes' EIP-712 digest: known bytes are answered `duplicate`. `undefined` where nothing was signed. */
  readonly hash: string | undefined;
  /** Unique per account, permanently. */
  readonly clientOrderId: string | undefined;
}
