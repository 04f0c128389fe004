/** The terms of an order, and the caller of a command. */
import type { AccountNo, CredentialNo, EpochMs, GroupNo, OrderNo, PlaceOrder } from '../domain/index.ts';

/** Orders to cancel if a taker would match an order of the same account (docs/spec/venue.md#self-trade-prevention). */
export const SELF_TRADE_MODES = ['CANCEL_TAKER', 'CANCEL_MAKER', 'CANCEL_BOTH'] as const;
export type SelfTradeMode = (typeof SELF_TRADE_MODES)[number];

/** CLOSE_ONLY still allows sales. HALTED_MEANWHILE refuses an order whose market was halted during the host's delay. */
export type Restriction = 'GEO_BLOCKED' | 'CLOSE_ONLY' | 'EMAIL_NOT_VERIFIED' | 'HALTED_MEANWHILE';

/** The common fields of an account's commands. */
export interface AccountCommand {
  readonly time: EpochMs;
  readonly account: AccountNo;
  /** The credential that sent the command; 0 for none (operator, house, tests). */
  readonly credential: CredentialNo;
}

type PlaceOrderField = 'market' | 'outcome' | 'side' | 'price' | 'shares' | 'timeInForce' | 'postOnly' | 'expiration';

/** The terms of an order. The exchange checks all numbers, in the order of `REJECT_REASONS`. */
export interface OrderTerms extends Pick<PlaceOrder, PlaceOrderField> {
  /** The client's signed time; not checked for unlimited accounts. */
  readonly timestampMs: EpochMs;
  /** The account's epoch when the client signed the order; not checked for unlimited accounts. */
  readonly epoch: number;
  /** Highest accepted fee rate. */
  readonly maxFeeBps: number;
  /** The order that this order replaces; 0 for none, -1 for an unknown order. */
  readonly replaces: OrderNo | 0 | -1;
  readonly selfTrade: SelfTradeMode;
  /** 0 for none. */
  readonly group: GroupNo;
  readonly restriction: Restriction | undefined;
  /** EIP-712 digest of the signed bytes; a known digest is a `duplicate`. Undefined for an unsigned order. */
  readonly hash: string | undefined;
  /** An account can use each id only once, also after the order was closed. */
  readonly clientOrderId: string | undefined;
}
