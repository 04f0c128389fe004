import {
  addUsd,
  costAt,
  type EpochMs,
  LOT,
  MAX_ORDER_SHARES,
  type MarketLimits,
  type MicroUsd,
  onGrid,
  type PlaceOrder,
  type RejectReason,
} from '../../domain/index.ts';
import { type Position, venueExposure } from '../../ledger/index.ts';
import type { Account } from './account.ts';
import type { Matching } from './matching.ts';
import type { OwnOrder } from './own-order.ts';
import type { SimMarket } from './sim-market.ts';

/** What a place is tested against, beside the order itself. */
export interface PlacementContext {
  readonly account: Account;
  readonly matching: Matching;
  readonly limits: MarketLimits;
  readonly now: EpochMs;
  /** Whether the place was sent before the account's last `cancelAll` was carried out. */
  readonly stale: boolean;
  /** Whether the market stopped accepting orders while this one was held back. */
  readonly interrupted: boolean;
  /** Part of a replace: only what rests may come. */
  readonly restsOnly: boolean;
  /** A tape without a book has nothing to take. */
  readonly takersRefused: boolean;
}

/** Why the venue refuses a place, the first reason in the venue's order (venue.md 2); undefined when it takes it. */
export function refusalOf(order: OwnOrder, market: SimMarket, context: PlacementContext): RejectReason | undefined {
  return (
    formRefusal(order, market, context) ??
    limitRefusal(order.place, market, context) ??
    fundsRefusal(order.place, market, context) ??
    bookRefusal(order, market, context)
  );
}

/** What an order may have to pay as a taker; nothing for one that may not take, or pays from its proceeds. */
export function feeReserve({ side, postOnly, shares, price }: PlaceOrder, account: Account): MicroUsd | 0 {
  return side === 'BUY' && !postOnly ? account.fees.takerFee(shares, price) : 0;
}

function formRefusal(order: OwnOrder, market: SimMarket, context: PlacementContext): RejectReason | undefined {
  const { place, sign, price } = order;
  const { timeInForce, postOnly, expiration, shares } = place;
  const rests = timeInForce === 'GTC' || timeInForce === 'GTD';
  if (context.account.knows(place.order)) return 'CONFLICT';
  if (context.takersRefused && !rests) return 'VENUE_MODE';
  if (market.status !== 'OPEN') return 'MARKET_NOT_OPEN';
  if (!market.accepting || context.interrupted) return 'MARKET_HALTED';
  if (!rests && (postOnly || context.restsOnly)) return 'INVALID_ORDER';
  if ((timeInForce === 'GTD') !== (expiration !== 0)) return 'INVALID_ORDER';
  if (!onGrid(market.grid, price, rests ? sign : undefined)) return 'INVALID_TICK';
  if (!(shares > 0 && shares <= MAX_ORDER_SHARES && shares % LOT === 0)) return 'INVALID_LOT';
  if (timeInForce === 'GTD' && expiration <= context.now) return 'EXPIRED_PARAMS';
  return context.stale ? 'STALE_EPOCH' : undefined;
}

/** The venue's limits bind a BUY only, so that any rest can be sold. */
function limitRefusal(
  { side, shares, price }: PlaceOrder,
  market: SimMarket,
  { account, limits }: PlacementContext,
): RejectReason | undefined {
  if (side === 'SELL') return undefined;
  const cost = costAt(shares, price);
  if (shares < limits.minOrderShares || cost < limits.minBet) return 'BELOW_MIN';
  if (cost > limits.maxBet) return 'ABOVE_MAX';
  const exposure = venueExposure(account.ledger.market(market.no), addUsd(market.heldCash, cost));
  return exposure > limits.maxExposure ? 'EXPOSURE_LIMIT' : undefined;
}

function fundsRefusal(place: PlaceOrder, market: SimMarket, { account }: PlacementContext): RejectReason | undefined {
  const { side, outcome, shares, price } = place;
  if (side === 'BUY') {
    return costAt(shares, price) + feeReserve(place, account) > account.available ? 'INSUFFICIENT_BALANCE' : undefined;
  }
  return shares > freeShares(account.ledger.market(market.no), market, outcome) ? 'INSUFFICIENT_SHARES' : undefined;
}

function bookRefusal(order: OwnOrder, market: SimMarket, { matching }: PlacementContext): RejectReason | undefined {
  const { timeInForce, postOnly } = order.place;
  if (postOnly && wouldCross(order, market)) return 'POST_ONLY_WOULD_CROSS';
  if (timeInForce === 'FOK' && matching.takeable(market, order) < order.remaining) return 'FOK_NOT_FILLABLE';
  return undefined;
}

/** Also against an order of its own account. */
function wouldCross({ sign, price }: OwnOrder, { ladder, own }: SimMarket): boolean {
  return sign > 0 ? price >= ladder.topAsk || price >= own.bestAsk : price <= ladder.topBid || price <= own.bestBid;
}

/** Shares of an outcome that no open SELL holds. */
export function freeShares(position: Position, market: SimMarket, outcome: 'YES' | 'NO'): number {
  return outcome === 'YES' ? position.yes - market.heldYes : position.no - market.heldNo;
}
