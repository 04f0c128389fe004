/**
 * The commands of the exchange: plain data with a time. The same commands in the same order give the same state, on
 * every machine. What is due by `time` (expirations, heartbeats, dates) happens first. The exchange's clock never goes
 * back: a command with an earlier time happens at the time of the last event.
 *
 * Guarantees:
 * - The host has authenticated `account` and `credential`, and a credential's number always belongs to one account. The
 *   exchange stores a credential only while it is armed, lapsed or revoked, and then refuses it to other accounts in
 *   `heartbeat`, `disarmHeartbeat` and `revokeCredential` (NOT_FOUND). Whatever closes the orders of a credential
 *   closes only those of the command's account.
 * - The host has checked signatures, and that signed bytes name the account that sends them; it sets `time`,
 *   `restriction` and `hash`. Commands without an account (accounts, transfers, reversals, modes, configuration,
 *   markets' operation, chain and resolver) are the operator's: the host accepts them from no one else.
 * - The exchange tests every number that names an order, a group or a market: another account's order or group is
 *   NOT_FOUND in `cancel`, `reduce`, `replace`, `replaces`, `updateGroup`, `deleteGroup` and an order's `group`;
 *   cancels by market, of all, or by credential never touch another account's orders.
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
} from '../domain/index.ts';
import type { ExchangeConfig, VenueMode } from './config.ts';
import type { MarketCommand } from './market-command.ts';
import type { AccountCommand, OrderTerms } from './order-terms.ts';
import type { TapeCommand } from './tape-command.ts';

/** A new order. The exchange numbers accepted orders 1, 2, 3 … */
export interface Place extends AccountCommand, OrderTerms {
  readonly type: 'place';
}

/** Up to `maxBatchOrders`, taken in order, each with its own result; a longer one is refused whole, INVALID_ORDER. */
export interface PlaceBatch extends AccountCommand {
  readonly type: 'placeBatch';
  readonly orders: readonly OrderTerms[];
}

/** Cancels open orders of the account, each with its own result; more than `maxBatchCancels` are refused as a whole. */
export interface Cancel extends AccountCommand {
  readonly type: 'cancel';
  readonly orders: readonly OrderNo[];
}

/** Takes micro-shares off an open order, which keeps its place; all that remains, or more, cancels it. */
export interface Reduce extends AccountCommand {
  readonly type: 'reduce';
  readonly order: OrderNo;
  readonly by: MicroShares;
}

/** Cancels and places of one market in one step, or nothing at all (docs/spec/venue.md#replace). */
export interface Replace extends AccountCommand {
  readonly type: 'replace';
  readonly market: MarketNo;
  /** `all` cancels all open orders of the account there. */
  readonly cancel: readonly OrderNo[] | 'all';
  readonly place: readonly OrderTerms[];
  /** The last event the client has seen: a fill of an order to be cancelled after it stops the whole. */
  readonly ifNoFillSince: number | undefined;
  /** Whether the one place has to name the one cancel in `replaces` (`replaceOrder`). */
  readonly mustReplace: boolean;
}

/** Cancels the account's orders in one market, of one outcome or side where given. */
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

/** A credential ends: the orders placed with it are cancelled (KEY_REVOKED) and it can only cancel and reduce. */
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

/** Cash into pairs, or pairs into cash; `shares` counts pairs. */
export interface Convert extends AccountCommand {
  readonly type: 'split' | 'merge';
  readonly market: MarketNo;
  readonly shares: MicroShares;
}

/** Claims the payout of a final market; of all markets when `market` is undefined. */
export interface Claim extends AccountCommand {
  readonly type: 'claim';
  readonly market: MarketNo | undefined;
}

/** A new account; the exchange numbers them. */
export interface OpenAccount {
  readonly type: 'openAccount';
  readonly time: EpochMs;
  /** Lower-case; decides ties of refunds. */
  readonly address: string;
  /** House maker, a tape's outside world: no limits, no signatures, cash may be negative. */
  readonly unlimited: boolean;
}

/** Cash comes in (positive) or goes out; an account's available cash bounds what goes out. */
export interface Transfer {
  readonly type: 'transfer';
  readonly time: EpochMs;
  readonly account: AccountNo;
  readonly amount: MicroUsd;
}

/** From now on a trade can be reversed for so long after it; 0 for never. Trades from before are final. */
export interface AllowReversals {
  readonly type: 'allowReversals';
  readonly time: EpochMs;
  readonly window: DurationMs;
}

/**
 * A trade is taken back: both sides have what they had, the fee comes back. Orders that hold what is needed are closed
 * (ADMIN); a side that has given it away keeps the trade: INSUFFICIENT_SHARES or INSUFFICIENT_BALANCE.
 */
export interface ReverseTrade {
  readonly type: 'reverseTrade';
  readonly time: EpochMs;
  /** Number of the trade's event. */
  readonly trade: number;
}

/** The operator changes the mode. */
export interface SetMode {
  readonly type: 'setMode';
  readonly time: EpochMs;
  readonly mode: VenueMode;
}

/** The operator changes the given members of the configuration, for all later commands. */
export interface Configure {
  readonly type: 'configure';
  readonly time: EpochMs;
  readonly config: Partial<ExchangeConfig>;
}

/** Time passes: due deadlines are processed. */
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
