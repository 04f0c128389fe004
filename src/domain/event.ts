/** Events of the venue, except market data. The bot received the event at `time`; the event happened at `venueTime`. */
import type { InstanceNo, MarketNo, OrderNo } from './ids.ts';
import type { MarketLimits } from './market.ts';
import type { Outcome, Side } from './order.ts';
import type { EpochMs, MicroShares, MicroUsd, PriceBps } from './units.ts';

/** Why a venue rejected a command. The first failed check decides, in the order of docs/api/types.md#rejectreason. */
export const REJECT_REASONS = [
  'RATE_LIMITED',
  'BAD_SIGNATURE',
  'SIGNER_NOT_ALLOWED',
  'NOT_FOUND',
  'CONFLICT',
  'GEO_BLOCKED',
  'EMAIL_NOT_VERIFIED',
  'VENUE_MODE',
  'MARKET_NOT_OPEN',
  'MARKET_HALTED',
  'ALREADY_FINAL',
  'INVALID_ORDER',
  'INVALID_TICK',
  'INVALID_LOT',
  'EXPIRED_PARAMS',
  'STALE_TIMESTAMP',
  'STALE_EPOCH',
  'HEARTBEAT_LAPSED',
  'GROUP_TRIPPED',
  'FEE_ABOVE_MAX',
  'BELOW_MIN',
  'ABOVE_MAX',
  'EXPOSURE_LIMIT',
  'INSUFFICIENT_BALANCE',
  'INSUFFICIENT_SHARES',
  'POST_ONLY_WOULD_CROSS',
  'FOK_NOT_FILLABLE',
] as const;
export type RejectReason = (typeof REJECT_REASONS)[number];

/** Why an order closed: `FILLED`, derived from its last fill, or the venue's `CancelReason`. */
export const CLOSE_REASONS = [
  'FILLED',
  'USER',
  'REPLACED',
  'SELF_TRADE',
  'HEARTBEAT_LAPSED',
  'ORDER_GROUP_LIMIT',
  'KEY_REVOKED',
  'MARKET_NOT_OPEN',
  'MARKET_HALTED',
  'TICK_CHANGED',
  'EXPIRED',
  'FAK_REMAINDER',
  'ADMIN',
] as const;
export type CloseReason = (typeof CLOSE_REASONS)[number];

/**
 * Cause of a simulated fill (docs/spec/models.md#outside-flow). `taker`: the bot's taker order. `through`: a print
 * strictly through the price. `queue`: the queue model. `cross`: the outside book crossed the price. `touch`: a print
 * at the price on a tape without a book. Fills of a real venue have `real`.
 */
export const FILL_BASES = ['real', 'taker', 'through', 'queue', 'cross', 'touch'] as const;
export type FillBasis = (typeof FILL_BASES)[number];

interface VenueTimed {
  readonly time: EpochMs;
  readonly venueTime: EpochMs;
}

interface OrderEventBase extends VenueTimed {
  readonly order: OrderNo;
  readonly market: MarketNo;
}

export interface OrderAccepted extends OrderEventBase {
  readonly type: 'orderAccepted';
}

export interface OrderRejected extends OrderEventBase {
  readonly type: 'orderRejected';
  readonly reason: RejectReason;
}

/**
 * Part or all of an order traded. `order` is 0 if this bot did not send the order. `price` is the maker's price in
 * terms of `outcome`. A fill with 0 `remaining` closes the order; no `orderClosed` follows.
 */
export interface OrderFilled extends OrderEventBase {
  readonly type: 'orderFilled';
  readonly outcome: Outcome;
  readonly side: Side;
  readonly price: PriceBps;
  readonly shares: MicroShares;
  readonly remaining: MicroShares;
  readonly fee: MicroUsd;
  readonly liquidity: 'maker' | 'taker';
  readonly basis: FillBasis;
  /** Whether the price was better than its side's recorded best price. False for taker fills and on real venues. */
  readonly inside: boolean;
  /** The venue's id of the trade; absent in simulations of venues whose fills are final. */
  readonly trade?: string;
  /** Set if a recovery found the fill, because the bot (`start`) or the connection (`reconnect`) had been down. */
  readonly recovery?: 'start' | 'reconnect';
  /** Set if the venue may still reverse the trade. `fillSettled` or `fillReversed` then follows. */
  readonly provisional?: true;
}

/** A provisional fill became final, so the bought shares can be sold. */
export interface FillSettled extends OrderEventBase {
  readonly type: 'fillSettled';
  readonly trade: string;
}

/** Undoes a provisional fill's effect on shares, cash, fee, cost and P&L, but not on the order's remaining size. */
export interface FillReversed
  extends Omit<FillSettled, 'type'>,
    Pick<OrderFilled, 'outcome' | 'side' | 'price' | 'shares' | 'fee' | 'liquidity'> {
  readonly type: 'fillReversed';
}

export interface OrderReduced extends OrderEventBase {
  readonly type: 'orderReduced';
  readonly remaining: MicroShares;
}

export interface OrderClosed extends OrderEventBase {
  readonly type: 'orderClosed';
  readonly reason: CloseReason;
}

/** A bot's replace succeeded: the `closed` orders were closed (`REPLACED`) and the `accepted` orders placed. */
export interface OrdersReplaced extends VenueTimed {
  readonly type: 'ordersReplaced';
  readonly market: MarketNo;
  readonly closed: readonly OrderNo[];
  readonly accepted: readonly OrderNo[];
}

/** The venue rejected a cancel, a reduce, or a replace's cancel. If the order is closed, another event reports that. */
export interface CancelRejected extends OrderEventBase {
  readonly type: 'cancelRejected';
  readonly reason: RejectReason;
}

/** A split, merge or claim succeeded. `paid` is the received (positive) or spent (negative) cash. */
export interface Converted extends VenueTimed {
  readonly type: 'converted';
  readonly conversion: 'split' | 'merge' | 'claim';
  readonly bot: InstanceNo;
  readonly market: MarketNo;
  readonly shares: MicroShares;
  readonly paid: MicroUsd;
  /** Commission on net winnings, deducted from `paid` at a claim (docs/spec/models.md#fees-commission-rewards). */
  readonly fee: MicroUsd;
}

export interface ConversionRejected extends VenueTimed {
  readonly type: 'conversionRejected';
  readonly conversion: 'split' | 'merge' | 'claim';
  readonly bot: InstanceNo;
  readonly market: MarketNo;
  readonly reason: RejectReason;
}

export interface LimitsChanged extends VenueTimed {
  readonly type: 'limitsChanged';
  readonly market: MarketNo;
  readonly limits: MarketLimits;
}

/** The venue's retail prices, which include a spread and may differ from the book's prices, changed. */
export interface PricesUpdated extends VenueTimed {
  readonly type: 'pricesUpdated';
  readonly market: MarketNo;
  readonly yes: PriceBps;
  readonly no: PriceBps;
}

/** No answer to an order arrived, so the venue may or may not have the order. Emitted once per order. */
interface OrderUncertain extends OrderEventBase {
  readonly type: 'orderUncertain';
}

/** Cash moved without an order of the run: a deposit (positive), a withdrawal (negative), or the initial cash. */
export interface CashAdjusted extends VenueTimed {
  readonly type: 'cashAdjusted';
  readonly amount: MicroUsd;
  /** The venue's trade id, if a fill in a market outside of this run moved the cash. */
  readonly trade?: string;
}

/** The venue paid a share of takers' fees, or a reward for orders near the mid: once per cause, UTC day and market. */
export interface MakerPaid extends VenueTimed {
  readonly type: 'makerPaid';
  readonly market: MarketNo;
  readonly cause: 'rebate' | 'reward';
  /** Start of the UTC day on which the amount was earned. */
  readonly day: EpochMs;
  readonly amount: MicroUsd;
}

/** The venue's holdings in a market replace the calculated holdings, with these total costs. */
export interface HoldingAdjusted extends VenueTimed {
  readonly type: 'holdingAdjusted';
  readonly market: MarketNo;
  readonly yes: MicroShares;
  readonly no: MicroShares;
  readonly yesCost: MicroUsd;
  readonly noCost: MicroUsd;
}

/** The modes accept, in this order: all commands; post-only orders and cancels; only cancels; no commands. */
export const VENUE_MODES = ['NORMAL', 'POST_ONLY', 'CANCEL_ONLY', 'HALTED'] as const;
export type VenueMode = (typeof VENUE_MODES)[number];

export const LINKS = ['UP', 'DOWN'] as const;
export type Link = (typeof LINKS)[number];

/** The venue's mode (initially NORMAL) or the connection's state (initially UP) changed. */
export interface VenueChanged extends VenueTimed {
  readonly type: 'venueChanged';
  readonly mode: VenueMode;
  readonly link: Link;
}

export const RATE_BUCKETS = ['order', 'cancel'] as const;
export type RateBucketName = (typeof RATE_BUCKETS)[number];

export interface RateLimitUpdated extends VenueTimed {
  readonly type: 'rateLimitUpdated';
  readonly bucket: RateBucketName;
  /** Tokens, at least 1. `refillPerSecond` is above 0. */
  readonly capacity: number;
  readonly refillPerSecond: number;
  /** Tokens left at `venueTime`; may be fractional. */
  readonly remaining: number;
  /** Milliseconds after `time` during which the bot must not send requests of this bucket. */
  readonly retryAfterMs: number;
}

export type VenueEvent =
  | OrderAccepted
  | OrderRejected
  | OrderFilled
  | FillSettled
  | FillReversed
  | OrderReduced
  | OrderClosed
  | OrdersReplaced
  | CancelRejected
  | Converted
  | ConversionRejected
  | LimitsChanged
  | PricesUpdated
  | OrderUncertain
  | CashAdjusted
  | MakerPaid
  | HoldingAdjusted
  | VenueChanged
  | RateLimitUpdated;
