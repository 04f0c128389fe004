/**
 * The commands of the exchange: plain data with a time. The same commands in the same order give the same state on
 * every machine. Before a command, the exchange processes all due deadlines: expirations, heartbeats, dates of markets.
 * The clock never runs backwards, so a command with an earlier time executes at the time of the last event.
 *
 * Who checks what (the host is the program that applies the commands):
 * - The host authenticates `account` and `credential`, and never gives two accounts the same credential number.
 * - The host checks signatures, and that signed bytes name the sending account.
 * - The host sets `time`, `restriction` and `hash`.
 * - The host accepts commands without an account only from the operator: accounts, transfers, reversals, modes,
 *   configuration, operation of markets, chain and resolver.
 * - The exchange stores only credentials that are revoked or whose dead-man's switch is armed or lapsed. In
 *   `heartbeat`, `disarmHeartbeat` and `revokeCredential`, another account's stored credential is NOT_FOUND.
 * - The exchange refuses another account's order or group (NOT_FOUND) in `cancel`, `reduce`, `replace`, `replaces`,
 *   `updateGroup`, `deleteGroup` and an order's `group`. Cancels by market, by credential or of all orders affect only
 *   orders of the command's account.
 */
import type {
  AccountNo,
  DurationMs,
  EpochMs,
  GroupNo,
  MarketNo,
  MicroShares,
  MicroUsd,
  OrderNo,
  Outcome,
  Side,
  VenueMode,
} from '../domain/index.ts';
import type { ExchangeConfig } from './config.ts';
import type { MarketCommand } from './market-command.ts';
import type { AccountCommand, OrderTerms } from './order-terms.ts';
import type { TapeCommand } from './tape-command.ts';

/** Places an order. The exchange numbers accepted orders 1, 2, 3 … */
export interface Place extends AccountCommand, OrderTerms {
  readonly type: 'place';
}

/** Places up to `maxBatchOrders` orders in sequence, each with its own result. Refuses a longer batch as a whole. */
export interface PlaceBatch extends AccountCommand {
  readonly type: 'placeBatch';
  readonly orders: readonly OrderTerms[];
}

/** Cancels up to `maxBatchCancels` open orders, each with its own result. Refuses a longer list as a whole. */
export interface Cancel extends AccountCommand {
  readonly type: 'cancel';
  readonly orders: readonly OrderNo[];
}

/** Reduces an open order, which keeps its priority. A reduction by the remaining size or more cancels the order. */
export interface Reduce extends AccountCommand {
  readonly type: 'reduce';
  readonly order: OrderNo;
  readonly by: MicroShares;
}

/** Cancels and places orders of one market atomically (docs/spec/venue.md#replace). */
export interface Replace extends AccountCommand {
  readonly type: 'replace';
  readonly market: MarketNo;
  /** `all` cancels all open orders of the account in the market. */
  readonly cancel: readonly OrderNo[] | 'all';
  readonly place: readonly OrderTerms[];
  /** Number of the last event that the client received. Refuses the replace if a cancelled order has a later fill. */
  readonly ifNoFillSince: number | undefined;
  /** Whether `cancel` and `place` must have one order each, and the new order must name the old order in `replaces`. */
  readonly mustReplace: boolean;
}

/** Cancels the account's orders in one market, optionally of one outcome or side. */
export interface CancelMarketOrders extends AccountCommand {
  readonly type: 'cancelMarketOrders';
  readonly market: MarketNo;
  readonly outcome: Outcome | undefined;
  readonly side: Side | undefined;
}

/** Cancels all orders of the account, and adds 1 to its epoch: orders signed for the old epoch are refused. */
export interface CancelAllOrders extends AccountCommand {
  readonly type: 'cancelAllOrders';
}

/** Arms or renews the credential's dead-man's switch. */
export interface Heartbeat extends AccountCommand {
  readonly type: 'heartbeat';
  readonly timeout: DurationMs;
}

export interface DisarmHeartbeat extends AccountCommand {
  readonly type: 'disarmHeartbeat';
}

/** Revokes a credential, which then can only cancel and reduce. Cancels the credential's orders (KEY_REVOKED). */
export interface RevokeCredential extends AccountCommand {
  readonly type: 'revokeCredential';
}

/** Creates an order group. The exchange numbers groups. */
export interface CreateGroup extends AccountCommand {
  readonly type: 'createGroup';
  readonly maxFilled: MicroShares;
  readonly window: DurationMs;
}

/** Changes the defined members of a group; `reset` empties its window and admits orders again. */
export interface UpdateGroup extends AccountCommand {
  readonly type: 'updateGroup';
  readonly group: GroupNo;
  readonly maxFilled: MicroShares | undefined;
  readonly window: DurationMs | undefined;
  readonly reset: boolean;
}

/** Removes a group. The orders of the group stay open. */
export interface DeleteGroup extends AccountCommand {
  readonly type: 'deleteGroup';
  readonly group: GroupNo;
}

/** Converts cash to pairs, or pairs to cash; `shares` counts pairs. */
export interface Convert extends AccountCommand {
  readonly type: 'split' | 'merge';
  readonly market: MarketNo;
  readonly shares: MicroShares;
}

/** Claims the payout of a final market, or of all final markets if `market` is undefined. */
export interface Claim extends AccountCommand {
  readonly type: 'claim';
  readonly market: MarketNo | undefined;
}

/** Opens an account. The exchange numbers accounts. */
export interface OpenAccount {
  readonly type: 'openAccount';
  readonly time: EpochMs;
  /** Lower-case. Of accounts with equal remainders in a refund, the lower address gets the leftover micro-USD. */
  readonly address: string;
  /** Whether the account has no limits, needs no signatures and may owe cash, such as the account of tape traders. */
  readonly unlimited: boolean;
}

/** Deposits cash (positive), or withdraws at most the available cash (negative). */
export interface Transfer {
  readonly type: 'transfer';
  readonly time: EpochMs;
  readonly account: AccountNo;
  readonly amount: MicroUsd;
}

/** Sets how long a trade can be reversed; 0 for never. A trade that is already final stays final. */
export interface AllowReversals {
  readonly type: 'allowReversals';
  readonly time: EpochMs;
  readonly window: DurationMs;
}

/** Reverses a trade and its fee, and closes orders (ADMIN) if needed. Refused if a side lacks the cash or shares. */
export interface ReverseTrade {
  readonly type: 'reverseTrade';
  readonly time: EpochMs;
  /** Number of the trade's event. */
  readonly trade: number;
}

export interface SetMode {
  readonly type: 'setMode';
  readonly time: EpochMs;
  readonly mode: VenueMode;
}

/** Changes the given members of the configuration for all later commands. */
export interface Configure {
  readonly type: 'configure';
  readonly time: EpochMs;
  readonly config: Partial<ExchangeConfig>;
}

/** Advances the clock and processes due deadlines. */
interface Tick {
  readonly type: 'tick';
  readonly time: EpochMs;
}

export type ExchangeCommand =
  | Place
  | PlaceBatch
  | Cancel
  | Reduce
  | Replace
  | CancelMarketOrders
  | CancelAllOrders
  | Heartbeat
  | DisarmHeartbeat
  | RevokeCredential
  | CreateGroup
  | UpdateGroup
  | DeleteGroup
  | Convert
  | Claim
  | OpenAccount
  | Transfer
  | AllowReversals
  | ReverseTrade
  | SetMode
  | Configure
  | Tick
  | TapeCommand
  | MarketCommand;
