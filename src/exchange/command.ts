/**
 * The commands of the exchange: plain data with a time. The same commands in the same order give the same state on every
 * machine. Deadlines due by `time` (expirations, heartbeats, dates) are processed first. The exchange's clock never goes
 * back: a command with an earlier time executes at the time of the last event.
 *
 * Guarantees:
 * - The host has authenticated `account` and `credential`, and a credential's number always belongs to one account. The
 *   exchange stores a credential only while it is armed, lapsed or revoked, and then refuses it to other accounts in
 *   `heartbeat`, `disarmHeartbeat` and `revokeCredential` (NOT_FOUND). Closing the orders of a credential closes only
 *   those of the command's account.
 * - The host has checked signatures, and that signed bytes name the account that sends them; it sets `time`,
 *   `restriction` and `hash`. Commands without an account (accounts, transfers, reversals, modes, configuration,
 *   operation of markets, chain and resolver) are for the operator: the host accepts them only from the operator.
 * - The exchange checks every number of an order, group or market: another account's order or group is NOT_FOUND in
 *   `cancel`, `reduce`, `replace`, `replaces`, `updateGroup`, `deleteGroup` and an order's `group`. Cancels by market,
 *   by credential or of all orders never affect another account's orders.
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

/** A new order. The exchange numbers accepted orders 1, 2, 3 … */
export interface Place extends AccountCommand, OrderTerms {
  readonly type: 'place';
}

/** Places up to `maxBatchOrders` orders, in order, each with its own result; a longer batch is refused, INVALID_ORDER. */
export interface PlaceBatch extends AccountCommand {
  readonly type: 'placeBatch';
  readonly orders: readonly OrderTerms[];
}

/** Cancels up to `maxBatchCancels` open orders, each with its own result; a longer list is refused as a whole. */
export interface Cancel extends AccountCommand {
  readonly type: 'cancel';
  readonly orders: readonly OrderNo[];
}

/** Reduces an open order, which keeps its queue priority. A reduction by its remaining size or more cancels it. */
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
  /** The last event that the client has received. If an order to be cancelled has a later fill, the replace is refused. */
  readonly ifNoFillSince: number | undefined;
  /** Whether there must be one cancel and one place, which names it in `replaces` (`replaceOrder`). */
  readonly mustReplace: boolean;
}

/** Cancels the account's orders in one market, optionally of one outcome or side. */
export interface CancelMarketOrders extends AccountCommand {
  readonly type: 'cancelMarketOrders';
  readonly market: MarketNo;
  readonly outcome: Outcome | undefined;
  readonly side: Side | undefined;
}

/** Cancels all of the account's orders and adds 1 to its epoch. */
export interface CancelAllOrders extends AccountCommand {
  readonly type: 'cancelAllOrders';
}

/** Arms or renews the credential's dead-man's switch. */
export interface Heartbeat extends AccountCommand {
  readonly type: 'heartbeat';
  readonly timeout: DurationMs;
}

/** Disarms the credential's switch. */
export interface DisarmHeartbeat extends AccountCommand {
  readonly type: 'disarmHeartbeat';
}

/** Revokes a credential: its orders are cancelled (KEY_REVOKED), and it can only cancel and reduce. */
export interface RevokeCredential extends AccountCommand {
  readonly type: 'revokeCredential';
}

/** Creates a group; the exchange numbers them. */
export interface CreateGroup extends AccountCommand {
  readonly type: 'createGroup';
  readonly maxFilled: MicroShares;
  readonly window: DurationMs;
}

/** Changes the given members; `reset` empties the window and admits orders again. */
export interface UpdateGroup extends AccountCommand {
  readonly type: 'updateGroup';
  readonly group: GroupNo;
  readonly maxFilled: MicroShares | undefined;
  readonly window: DurationMs | undefined;
  readonly reset: boolean;
}

/** Removes a group; its orders stay. */
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

/** Claims the payout of a final market, or of all of them if `market` is undefined. */
export interface Claim extends AccountCommand {
  readonly type: 'claim';
  readonly market: MarketNo | undefined;
}

/** Opens an account; the exchange numbers them. */
export interface OpenAccount {
  readonly type: 'openAccount';
  readonly time: EpochMs;
  /** Lower-case; breaks ties of refunds. */
  readonly address: string;
  /** No limits, no signatures, and cash may be negative: for the house maker and the outside world of tapes. */
  readonly unlimited: boolean;
}

/** Deposits cash (positive), or withdraws at most the available cash (negative). */
export interface Transfer {
  readonly type: 'transfer';
  readonly time: EpochMs;
  readonly account: AccountNo;
  readonly amount: MicroUsd;
}

/** Lets later trades be reversed within `window`; 0 for never. Earlier trades are final. */
export interface AllowReversals {
  readonly type: 'allowReversals';
  readonly time: EpochMs;
  readonly window: DurationMs;
}

/**
 * Reverses a trade and its fee. Orders that reserve the needed cash or shares are closed (ADMIN). If a side no longer has
 * them, the command is refused: INSUFFICIENT_SHARES or INSUFFICIENT_BALANCE.
 */
export interface ReverseTrade {
  readonly type: 'reverseTrade';
  readonly time: EpochMs;
  /** Number of the trade's event. */
  readonly trade: number;
}

/** Sets the venue's mode. */
export interface SetMode {
  readonly type: 'setMode';
  readonly time: EpochMs;
  readonly mode: VenueMode;
}

/** Changes the given members of the configuration, for all later commands. */
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
