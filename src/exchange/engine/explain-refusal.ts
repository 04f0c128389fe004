/** Builds the refusal of an order after a check in order-validator.ts has failed. */
import { LOT, MAX_ORDER_SHARES, type RejectReason, takerFee, unchecked } from '../../domain/index.ts';
import { BOOK_RESULT, FORCE, inYesTerms, isBidKind } from '../matching/codes.ts';
import type { AccountCommand, OrderTerms } from '../order-terms.ts';
import { type Refusal, refused } from '../refusal.ts';
import type { ExchangeState } from './exchange-state.ts';
import { isOnTick } from './order-form.ts';
import {
  isOptionalText,
  ORDER_CHECK,
  type OrderContext,
  type OrderMarket,
  type OrderValidator,
} from './order-validator.ts';
import { simulateFokFill } from './simulate-fok.ts';

export interface RefusedOrder {
  readonly caller: AccountCommand;
  readonly terms: OrderTerms;
  readonly market: OrderMarket;
  readonly context: OrderContext | undefined;
  /** State after the checks. */
  readonly validator: OrderValidator;
}

/** @param failedCheck a code of `ORDER_CHECK` */
export function explainRefusal(failedCheck: number, order: RefusedOrder, state: ExchangeState): Refusal {
  const constant = CONSTANT_REFUSALS.get(failedCheck);
  return constant === undefined ? comparingRefusal(failedCheck, order, state) : refused(...constant);
}

/** Reasons and fields of the refusals that depend only on the failed check. */
const CONSTANT_REFUSALS = new Map<number, readonly [reason: RejectReason, field?: string]>([
  [ORDER_CHECK.credentialRevoked, ['SIGNER_NOT_ALLOWED']],
  [ORDER_CHECK.credential, ['NOT_FOUND', 'credential']],
  [ORDER_CHECK.account, ['NOT_FOUND', 'account']],
  [ORDER_CHECK.group, ['NOT_FOUND', 'groupId']],
  [ORDER_CHECK.replaces, ['CONFLICT', 'replaces']],
  [ORDER_CHECK.otherMarket, ['CONFLICT', 'marketId']],
  [ORDER_CHECK.clientOrderId, ['CONFLICT', 'clientOrderId']],
  [ORDER_CHECK.geoBlocked, ['GEO_BLOCKED']],
  [ORDER_CHECK.email, ['EMAIL_NOT_VERIFIED']],
  [ORDER_CHECK.mode, ['VENUE_MODE']],
  [ORDER_CHECK.notOpen, ['MARKET_NOT_OPEN', 'marketId']],
  [ORDER_CHECK.halted, ['MARKET_HALTED', 'marketId']],
  [ORDER_CHECK.selfTrade, ['INVALID_ORDER', 'selfTradePrevention']],
  [ORDER_CHECK.expiration, ['INVALID_ORDER', 'expiration']],
  [ORDER_CHECK.immediate, ['INVALID_ORDER', 'timeInForce']],
  [ORDER_CHECK.initialSide, ['INVALID_ORDER', 'side']],
  [ORDER_CHECK.lapsed, ['HEARTBEAT_LAPSED']],
  [ORDER_CHECK.tripped, ['GROUP_TRIPPED', 'groupId']],
]);

/** Returns a refusal that depends on the order. Most of these refusals compare numbers. */
function comparingRefusal(failedCheck: number, order: RefusedOrder, state: ExchangeState): Refusal {
  const { caller, terms, market, context, validator } = order;
  const { clearing, conditions } = state;
  const { accounts, holdings } = clearing;
  const { now, config } = conditions;
  const { account } = caller;
  const { price, shares } = terms;
  const { kind, holding } = validator;
  const cost = (shares / LOT) * price;
  switch (failedCheck) {
    case ORDER_CHECK.kind:
      return refused('INVALID_ORDER', terms.outcome === 'YES' || terms.outcome === 'NO' ? 'side' : 'outcome');
    case ORDER_CHECK.force:
      return refused('INVALID_ORDER', terms.postOnly ? 'postOnly' : 'timeInForce');
    case ORDER_CHECK.texts:
      return refused('INVALID_ORDER', isOptionalText(terms.hash) ? 'clientOrderId' : 'order');
    case ORDER_CHECK.tick:
      // The price is on the tick, but not in the recorded market's price list. A refusal cannot contain a list.
      if (isOnTick(price, market.tickBps)) return refused('INVALID_TICK', 'priceBps');
      return refused('INVALID_TICK', 'priceBps', market.tickBps, price, 'BPS');
    case ORDER_CHECK.lot:
      return refused('INVALID_LOT', 'shares', LOT, shares, 'MICRO_SHARES');
    case ORDER_CHECK.expired:
      return refused('EXPIRED_PARAMS', 'expiration', now, terms.expiration, 'MILLISECONDS');
    case ORDER_CHECK.timestamp: {
      const skew = Math.abs(terms.timestampMs - now);
      return refused('STALE_TIMESTAMP', 'timestampMs', config.maxClockSkew, skew, 'MILLISECONDS');
    }
    case ORDER_CHECK.epoch:
      return refused('STALE_EPOCH', 'epoch', accounts.epoch[account], terms.epoch, 'COUNT');
    case ORDER_CHECK.fee:
      return refused('FEE_ABOVE_MAX', 'maxFeeBps', market.feeRateBps, terms.maxFeeBps, 'BPS');
    case ORDER_CHECK.minShares:
      return refused('BELOW_MIN', 'shares', market.minOrderShares, shares, 'MICRO_SHARES');
    case ORDER_CHECK.minBet:
      return refused('BELOW_MIN', 'shares', config.minBet, cost, 'MICRO_USD');
    case ORDER_CHECK.maxShares:
      return refused('ABOVE_MAX', 'shares', MAX_ORDER_SHARES, shares, 'MICRO_SHARES');
    case ORDER_CHECK.maxBet: {
      const max = context?.isInitial === true ? config.maxInitialBet : config.maxBetPerMarket;
      return refused('ABOVE_MAX', 'shares', max, cost, 'MICRO_USD');
    }
    case ORDER_CHECK.exact:
      return exactRefusal(order, state);
    case ORDER_CHECK.openOrders:
    case ORDER_CHECK.holdings: {
      const name = failedCheck === ORDER_CHECK.openOrders ? 'openOrders' : 'holdings';
      const count = name === 'openOrders' ? state.slots.size + (context?.added ?? 0) : holdings.count;
      return refused('ABOVE_MAX', name, state.limits[name], count + 1, 'COUNT');
    }
    case ORDER_CHECK.exposure: {
      const exposure = clearing.exposure(holding) + cost;
      return refused('EXPOSURE_LIMIT', 'shares', config.maxExposurePerMarket, exposure, 'MICRO_USD');
    }
    case ORDER_CHECK.balance:
      return refused('INSUFFICIENT_BALANCE', 'shares', accounts.available[account], cost + maxFee(order), 'MICRO_USD');
    case ORDER_CHECK.shares:
      return refused('INSUFFICIENT_SHARES', 'shares', holdings.freeSharesOfKind(holding, kind), shares, 'MICRO_SHARES');
    case ORDER_CHECK.fillable:
      return refused('FOK_NOT_FILLABLE', 'shares', fillableShares(order, state), shares, 'MICRO_SHARES');
    case ORDER_CHECK.postOnly: {
      const isBid = isBidKind(kind);
      const opposite = context?.opposite(isBid) ?? (isBid ? market.book?.bestAsk : market.book?.bestBid) ?? 0;
      return refused('POST_ONLY_WOULD_CROSS', 'priceBps', inYesTerms(kind, opposite), price, 'BPS');
    }
    default:
      throw new RangeError(`Invariant: an order failed check ${failedCheck}`);
  }
}

/** Returns the refusal for an inexact sum: the shares at a price, a market's volume, or an account's sum. */
function exactRefusal(order: RefusedOrder, { clearing }: ExchangeState): Refusal {
  const { caller, terms, market, context, validator } = order;
  const { overflowGuard } = clearing;
  const { account } = caller;
  const { price, shares } = terms;
  const { kind, force, holding, selfTrade } = validator;
  const yesPrice = inYesTerms(kind, price);
  const result =
    context?.refusal(kind, force, price, shares) ??
    market.book?.refusal(kind, force, price, shares, holding, selfTrade) ??
    BOOK_RESULT.done;
  const openShares =
    result === BOOK_RESULT.aboveMax ? (context?.openShares(kind, price) ?? market.book?.restingAt(yesPrice) ?? 0) : 0;
  const maxShares = Number.MAX_SAFE_INTEGER - Math.max(openShares, market.volume);
  if (shares > maxShares) return refused('ABOVE_MAX', 'shares', maxShares, shares, 'MICRO_SHARES');
  if ((kind & 1) === 1) {
    const { limit, value } = overflowGuard.sellExcess(holding, kind, shares);
    return refused('ABOVE_MAX', 'shares', limit, value, 'MICRO_SHARES');
  }
  const { limit, value } = overflowGuard.buyExcess(account, holding, (shares / LOT) * price, maxFee(order));
  return refused('ABOVE_MAX', 'shares', limit, value, 'MICRO_USD');
}

/** Returns the fee if the whole order takes at its limit. */
function maxFee({ terms, market, validator }: RefusedOrder): number {
  if (validator.force === FORCE.postOnly) return 0;
  return takerFee(market.feeRateBps, unchecked.shares(terms.shares), unchecked.price(terms.price));
}

/** Returns the size that a FOK could fill, limited by the book or by fill limits of groups. */
function fillableShares({ terms, market, validator }: RefusedOrder, state: ExchangeState): number {
  const { book } = market;
  const { price, shares, group } = terms;
  const { kind, holding, selfTrade } = validator;
  if (book === undefined) return 0;
  const inBook = book.fillable(kind, price, shares, holding, selfTrade);
  if (inBook < shares || state.groups.size === 0) return inBook;
  const { now } = state.conditions;
  return simulateFokFill(state, { book, kind, price, shares, holding, group, selfTrade, now });
}
