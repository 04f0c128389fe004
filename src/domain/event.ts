/**
 * Events from outside the bot, except market data rows. Past facts, immutable.
 *
 * `time` is when the bot learned of it; `venueTime` when it happened at the venue. A command's answer is one of these.
 */
import type { BotNo, MarketNo, OrderNo } from './ids.ts';
import type { MarketLimits } from './market.ts';
import type { Outcome, Side } from './order.ts';
import type { EpochMs, MicroShares, MicroUsd, PriceBps } from './units.ts';

/** Why a venue refused a command: the first test that fails, in the order of docs/api/types.md#rejectreason. */
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

/** Why an order is not open any more: `FILLED`, which its last fill implies, or the venue's `CancelReason`. */
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
 * Cause of a simulated fill (docs/spec/models.md#outside-flow): `through` a print strictly through the price,
 * `queue` the queue model, `cross` the outside book crossing the price, `taker` our own taking; `touch` a print at the
 * price of a tape without a book. `inside` says that the price was better than the recorded touch. Fills of a real
 * venue have `real`.
 */
export const FILL_TAGS = ['real', 'taker', 'through', 'queue', 'cross', 'touch'] as const;
export type FillTag = (typeof FILL_TAGS)[number];

interface VenueTimed {
  readonly time: EpochMs;
  readonly venueTime: EpochMs;
}

export interface OrderAccepted extends VenueTimed {
  readonly type: 'orderAccepted';
  readonly order: OrderNo;
  readonly market: MarketNo;
}

export interface OrderRejected extends VenueTimed {
  readonly type: 'orderRejected';
  readonly order: OrderNo;
  readonly market: MarketNo;
  readonly reason: RejectReason;
}

/**
 * Part or all of an order traded; `order` 0 is an order of the same account that was never sent here. `price` and
 * `shares` in the terms of `outcome`; the maker's price. What leaves nothing closes the order: no `orderClosed`
 * follows.
 */
export interface OrderFilled extends VenueTimed {
  readonly type: 'orderFilled';
  readonly order: OrderNo;
  readonly market: MarketNo;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly price: PriceBps;
  readonly shares: MicroShares;
  /** What is left of the order. */
  readonly remaining: MicroShares;
  readonly fee: MicroUsd;
  readonly liquidity: 'maker' | 'taker';
  /** Cause of the fill. */
  readonly basis: FillTag;
  readonly inside: boolean;
  /** The venue's id of the trade; absent if trades have no id (simulations of venues whose fills are final). */
  readonly trade?: string;
  /**
   * A recovery found it: it happened while the bot was down (`start`) or while the connection was (`reconnect`). Absent
   * for a fill that was reported as it happened.
   */
  readonly recovery?: 'start' | 'reconnect';
  /** The venue may still take the trade back: `fillSettled` or `fillReversed` follows. Absent where a fill is final. */
  readonly provisional?: true;
}

/** A provisional fill is final: what it bought can be sold from now on. */
export interface FillSettled extends VenueTimed {
  readonly type: 'fillSettled';
  readonly order: OrderNo;
  readonly market: MarketNo;
  readonly trade: string;
}

/**
 * The venue took a provisional fill back: shares, cash, fee, cost and P&L are as if it had never been. The order does
 * not come back; what of it was open stays as it was.
 */
export interface FillReversed
  extends Omit<FillSettled, 'type'>,
    Pick<OrderFilled, 'outcome' | 'side' | 'price' | 'shares' | 'liquidity'> {
  readonly type: 'fillReversed';
  /** The fee that comes back. */
  readonly fee: MicroUsd;
}

export interface OrderReduced extends VenueTimed {
  readonly type: 'orderReduced';
  readonly order: OrderNo;
  readonly market: MarketNo;
  readonly remaining: MicroShares;
}

export interface OrderClosed extends VenueTimed {
  readonly type: 'orderClosed';
  readonly order: OrderNo;
  readonly market: MarketNo;
  readonly reason: CloseReason;
}

/** A replace was carried out at once: these orders closed (`REPLACED`), those were accepted. All are of one bot. */
export interface OrdersReplaced extends VenueTimed {
  readonly type: 'ordersReplaced';
  readonly market: MarketNo;
  readonly closed: readonly OrderNo[];
  readonly accepted: readonly OrderNo[];
}

/** A cancel or reduce that failed. Other events report the order itself. */
export interface CancelRejected extends VenueTimed {
  readonly type: 'cancelRejected';
  readonly order: OrderNo;
  readonly market: MarketNo;
  readonly reason: RejectReason;
}

/** A split, merge or claim happened. `paid` is cash in (positive) or out (negative). */
export interface Converted extends VenueTimed {
  readonly type: 'converted';
  readonly conversion: 'split' | 'merge' | 'claim';
  readonly bot: BotNo;
  readonly market: MarketNo;
  readonly shares: MicroShares;
  readonly paid: MicroUsd;
  /** Commission on net winnings held back at a claim, part of `paid` (docs/spec/models.md#fees-commission-rewards). */
  readonly fee: MicroUsd;
}

export interface ConversionRejected extends VenueTimed {
  readonly type: 'conversionRejected';
  readonly conversion: 'split' | 'merge' | 'claim';
  readonly bot: BotNo;
  readonly market: MarketNo;
  readonly reason: RejectReason;
}

/** The venue's limits or spread of one market changed; the new ones count from now on. */
export interface LimitsChanged extends VenueTimed {
  readonly type: 'limitsChanged';
  readonly market: MarketNo;
  readonly limits: MarketLimits;
}

/**
 * The venue's price of one share of each outcome, its spread included. Neither follows from the other or from the book.
 */
export interface PricesUpdated extends VenueTimed {
  readonly type: 'pricesUpdated';
  readonly market: MarketNo;
  readonly yes: PriceBps;
  readonly no: PriceBps;
}

/** An order was sent and no answer came: the venue may have it or not. Reported once. */
interface OrderUncertain extends VenueTimed {
  readonly type: 'orderUncertain';
  readonly order: OrderNo;
  readonly market: MarketNo;
}

/** Cash moved without an order: a deposit (positive), a withdrawal, cash that was there at adoption. */
export interface CashAdjusted extends VenueTimed {
  readonly type: 'cashAdjusted';
  readonly amount: MicroUsd;
  /** The venue's id of the trade, where the cash moved by a fill in a market that is not in this run. */
  readonly trade?: string;
}

/** The venue paid a part of takers' fees, or a reward for orders near the mid: once for each cause, UTC day and market. */
export interface MakerPaid extends VenueTimed {
  readonly type: 'makerPaid';
  readonly market: MarketNo;
  readonly cause: 'rebate' | 'reward';
  /** When the day began on which it was earned. */
  readonly day: EpochMs;
  readonly amount: MicroUsd;
}

/** The holdings of one market are these from now on, with these total costs: the venue's amounts replace calculated ones. */
export interface HoldingAdjusted extends VenueTimed {
  readonly type: 'holdingAdjusted';
  readonly market: MarketNo;
  readonly yes: MicroShares;
  readonly no: MicroShares;
  readonly yesCost: MicroUsd;
  readonly noCost: MicroUsd;
}

/** What the venue takes: all, only orders that rest, only cancels, nothing. */
export const VENUE_MODES = ['NORMAL', 'POST_ONLY', 'CANCEL_ONLY', 'HALTED'] as const;
export type VenueMode = (typeof VENUE_MODES)[number];

/** Whether the bot is connected to the venue. */
export const LINKS = ['UP', 'DOWN'] as const;
export type Link = (typeof LINKS)[number];

/** The venue as a whole, or the way to it, is in another state. Before the first it is NORMAL and UP. */
export interface VenueChanged extends VenueTimed {
  readonly type: 'venueChanged';
  readonly mode: VenueMode;
  readonly link: Link;
}

export const RATE_BUCKETS = ['order', 'cancel'] as const;
export type RateBucketName = (typeof RATE_BUCKETS)[number];

/** How much of a venue's rate limit there is: what `capacity` holds flows back by `refillPerSecond`. */
export interface RateLimitUpdated extends VenueTimed {
  readonly type: 'rateLimitUpdated';
  readonly bucket: RateBucketName;
  /** Tokens, at least 1. */
  readonly capacity: number;
  /** Tokens a second, above 0. */
  readonly refillPerSecond: number;
  /** Tokens that were left at `venueTime`; may be below a whole one. */
  readonly remaining: number;
  /** How long nothing of this bucket is to be sent, counted from `time`; ms, 0 when it may be at once. */
  readonly retryAfterMs: number;
}

/** What a venue says about our own orders and holdings, about its limits and about itself. */
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
