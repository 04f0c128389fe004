/**
 * Whether an order may come in: every test of venue.md 2, in the order of `REJECT_REASONS`. What passed stays here as
 * numbers until the next test, so that nothing is reckoned twice.
 *
 * HOT: every order passes here; nothing is allocated unless it is refused. Timed as part of bench/exchange.ts.
 */
import { column, LOT, MAX_ORDER_SHARES, takerFee } from '../../domain/index.ts';
import type { Clearing } from '../accounts/clearing.ts';
import { ANSWER, FORCE, inYesTerms, isBidKind } from '../matching/codes.ts';
import type { Asked, OrderTerms } from '../order-terms.ts';
import type { Refusal } from '../refusal.ts';
import type { Company } from './company.ts';
import { callerRefusal, type EntranceOf, entranceRefusal, type Venue } from './entrance.ts';
import { forceCode, isOnTick, isWholeLots, kindCode, selfTradeCode } from './order-form.ts';
import { refused } from './refused.ts';

/** What placement looks at. */
export interface PlacementOf extends EntranceOf {
  readonly clearing: Clearing;
}

/** Tests orders. */
export class Placement {
  /** A code of `ORDER_KIND`; this and the rest are of the order that was tested last. */
  kind = 0;
  /** A code of `FORCE`. */
  force = 0;
  /** A code of `SELF_TRADE`. */
  selfTrade = 0;
  /** 0 when the account has none in the market yet. */
  holding = 0;
  /** The most that it can pay as a taker that buys; else 0. */
  fee = 0;
  #cost = 0;
  #answer: number = ANSWER.done;
  readonly #rooms: PlacementOf;

  constructor(rooms: PlacementOf) {
    this.#rooms = rooms;
  }

  /**
   * The first test that fails.
   * @param market undefined for a number that no market has
   * @param company undefined for an order by itself
   */
  refusal(asked: Asked, terms: OrderTerms, market: Venue | undefined, company?: Company): Refusal | undefined {
    const early = callerRefusal(asked, this.#rooms) ?? entranceRefusal(asked, terms, market, company, this.#rooms);
    if (early !== undefined || market === undefined) return early;
    return (
      this.#formRefusal(terms, market, company) ??
      this.#freshnessRefusal(asked, terms, market) ??
      this.#sizeRefusal(asked, terms, market, company) ??
      this.#fundsRefusal(asked, terms, market, company)
    );
  }

  #formRefusal(terms: OrderTerms, { tickBps }: Venue, company: Company | undefined): Refusal | undefined {
    const { timeInForce, price, shares, expiration } = terms;
    const kind = kindCode(terms);
    const force = forceCode(terms);
    const selfTrade = selfTradeCode(terms.selfTrade);
    this.kind = kind;
    this.force = force;
    this.selfTrade = selfTrade;
    if (kind < 0) return refused('INVALID_ORDER', 'side');
    if (force < 0) return refused('INVALID_ORDER', terms.postOnly ? 'postOnly' : 'timeInForce');
    if (selfTrade < 0) return refused('INVALID_ORDER', 'selfTradePrevention');
    if (timeInForce === 'GTD' ? !(Number.isSafeInteger(expiration) && expiration > 0) : expiration !== 0) {
      return refused('INVALID_ORDER', 'expiration');
    }
    if (company !== undefined) {
      if (force > FORCE.postOnly) return refused('INVALID_ORDER', 'timeInForce');
      if (company.isInitial && (kind & 1) === 1) return refused('INVALID_ORDER', 'side');
    }
    if (!isOnTick(price, tickBps)) return refused('INVALID_TICK', 'priceBps', tickBps, price, 'BPS');
    return isWholeLots(shares) ? undefined : refused('INVALID_LOT', 'shares', LOT, shares, 'MICRO_SHARES');
  }

  #freshnessRefusal({ account, credential }: Asked, terms: OrderTerms, market: Venue): Refusal | undefined {
    const { expiration, timestampMs, epoch, group, maxFeeBps } = terms;
    const { conditions, clearing, credentials, groups } = this.#rooms;
    const { now } = conditions;
    if (expiration !== 0 && expiration <= now) {
      return refused('EXPIRED_PARAMS', 'expiration', now, expiration, 'MILLISECONDS');
    }
    if (clearing.accounts.unlimited[account] === 0) {
      const skew = Math.abs(timestampMs - now);
      const most = conditions.config.maxClockSkew;
      if (!(skew <= most)) return refused('STALE_TIMESTAMP', 'timestampMs', most, skew, 'MILLISECONDS');
      const current = clearing.accounts.epoch[account]!;
      if (epoch !== current) return refused('STALE_EPOCH', 'epoch', current, epoch, 'COUNT');
    }
    if (credential !== 0 && credentials.hasLapsed(credential)) return refused('HEARTBEAT_LAPSED');
    if (group !== 0 && groups.isTripped(group)) return refused('GROUP_TRIPPED', 'groupId');
    const rate = market.feeRateBps;
    return rate <= maxFeeBps ? undefined : refused('FEE_ABOVE_MAX', 'maxFeeBps', rate, maxFeeBps, 'BPS');
  }

  /** BELOW_MIN, ABOVE_MAX, EXPOSURE_LIMIT: of a BUY; and what no number may pass. */
  #sizeRefusal(
    { account }: Asked,
    { price, shares }: OrderTerms,
    market: Venue,
    company: Company | undefined,
  ): Refusal | undefined {
    const { kind } = this;
    const { clearing, conditions } = this.#rooms;
    const { config } = conditions;
    const isBuy = (kind & 1) === 0;
    const cost = isBuy ? (shares / LOT) * price : 0;
    const isBound = isBuy && clearing.accounts.unlimited[account] === 0;
    if (isBound) {
      const { minOrderShares, minBet } = config;
      if (shares < minOrderShares) return refused('BELOW_MIN', 'shares', minOrderShares, shares, 'MICRO_SHARES');
      if (cost < minBet) return refused('BELOW_MIN', 'shares', minBet, cost, 'MICRO_USD');
    }
    if (shares > MAX_ORDER_SHARES) return refused('ABOVE_MAX', 'shares', MAX_ORDER_SHARES, shares, 'MICRO_SHARES');
    if (isBound) {
      const most = company?.isInitial === true ? config.maxInitialBet : config.maxBetPerMarket;
      if (cost > most) return refused('ABOVE_MAX', 'shares', most, cost, 'MICRO_USD');
    }
    const holding = clearing.holdings.find(account, market.no);
    const rate = market.feeRateBps;
    const pays = isBuy && rate !== 0 && this.force !== FORCE.postOnly;
    const fee = pays ? takerFee(rate, column.shares(shares), column.price(price)) : 0;
    this.holding = holding;
    this.fee = fee;
    this.#cost = cost;
    this.#answer =
      company?.answer(kind, this.force, price, shares) ??
      market.book?.refusal(kind, this.force, price, shares, holding, this.selfTrade) ??
      ANSWER.done;
    const fits =
      this.#answer !== ANSWER.aboveMax &&
      clearing.bounds.fitsOrder(account, holding, kind, inYesTerms(kind, price), shares, fee) &&
      market.volume + shares <= Number.MAX_SAFE_INTEGER;
    if (!fits) return refused('ABOVE_MAX', 'shares');
    if (!isBound) return undefined;
    const exposure = clearing.exposure(holding) + cost;
    const most = config.maxExposurePerMarket;
    return exposure > most ? refused('EXPOSURE_LIMIT', 'shares', most, exposure, 'MICRO_USD') : undefined;
  }

  #fundsRefusal(
    { account }: Asked,
    { price, shares }: OrderTerms,
    market: Venue,
    company: Company | undefined,
  ): Refusal | undefined {
    const { kind } = this;
    const { accounts, holdings } = this.#rooms.clearing;
    if ((kind & 1) === 0) {
      const needed = this.#cost + this.fee;
      const available = accounts.available[account]!;
      if (needed > available && accounts.unlimited[account] === 0) {
        return refused('INSUFFICIENT_BALANCE', 'shares', available, needed, 'MICRO_USD');
      }
    } else {
      const free = holdings.free(this.holding, kind);
      if (shares > free) return refused('INSUFFICIENT_SHARES', 'shares', free, shares, 'MICRO_SHARES');
    }
    if (this.#answer === ANSWER.done) return undefined;
    if (this.#answer === ANSWER.fokNotFillable) return refused('FOK_NOT_FILLABLE', 'shares');
    const isBid = isBidKind(kind);
    const opposite = company?.opposite(isBid) ?? (isBid ? market.book?.bestAsk : market.book?.bestBid) ?? 0;
    return refused('POST_ONLY_WOULD_CROSS', 'priceBps', inYesTerms(kind, opposite), price, 'BPS');
  }
}
