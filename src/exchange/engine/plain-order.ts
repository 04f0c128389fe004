/**
 * The short way into the book, for the commonest order: GTC of a limited account, with nothing special about it.
 *
 * HOT: nearly every order passes here. All of venue.md 2 is tested, in one function that reads each number once; on the
 * long way (placement.ts), which also has to know which test fails first, the same takes three times as many
 * instructions. Timed as part of bench/exchange.ts.
 *
 * Invariant: it says yes only where the long way would, and finds the same then. What it does not let through, for
 * whatever reason, goes the long way, which says why, or lets it in. Nothing is changed here.
 */
import { column, LOT, MAX_ORDER_SHARES, takerFee } from '../../domain/index.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Clearing } from '../accounts/clearing.ts';
import type { Holdings } from '../accounts/holdings.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import { ANSWER, FORCE, inYesTerms, SELF_TRADE } from '../matching/codes.ts';
import type { OrderSlots } from '../matching/order-slots.ts';
import type { Asked, OrderTerms } from '../order-terms.ts';
import type { Conditions } from './conditions.ts';
import type { Credentials } from './credentials.ts';
import { isOnTick, isWholeLots, kindCode } from './order-form.ts';
import type { Placement, PlacementOf } from './placement.ts';

// Names of this file for what is imported: see placement.ts.
const { done: DONE } = ANSWER;
const { gtc: GTC } = FORCE;
const { cancelTaker: CANCEL_TAKER } = SELF_TRADE;
const MOST_SHARES = MAX_ORDER_SHARES;
const MOST_EXACT = Number.MAX_SAFE_INTEGER;
const LOT_SHARES = LOT;
const codeOfKind = kindCode;
const fitsTick = isOnTick;
const fitsLots = isWholeLots;
const toYes = inYesTerms;

/** Tests orders that are plain; what it finds out about one that passes it writes into `Placement`. */
export class PlainOrder {
  declare private readonly slots: OrderSlots;
  declare private readonly clearing: Clearing;
  declare private readonly accounts: Accounts;
  declare private readonly holdings: Holdings;
  declare private readonly conditions: Conditions;
  declare private readonly credentials: Credentials;
  declare private readonly mostOpen: number;
  declare private readonly mostHoldings: number;
  declare private readonly found: Placement;

  /** @param found where the rest of the way looks for what was found out */
  constructor(rooms: PlacementOf, found: Placement) {
    this.slots = rooms.slots;
    this.clearing = rooms.clearing;
    this.accounts = rooms.clearing.accounts;
    this.holdings = rooms.clearing.holdings;
    this.conditions = rooms.conditions;
    this.credentials = rooms.credentials;
    this.mostOpen = rooms.limits.openOrders;
    this.mostHoldings = rooms.limits.holdings;
    this.found = found;
  }

  /** @param terms whose signed bytes, if any, are new @returns false where only the long way knows */
  passes(asked: Asked, terms: OrderTerms, market: MarketRecord): boolean {
    const { account, credential } = asked;
    const { price, shares, timestampMs, maxFeeBps } = terms;
    if (typeof account !== 'number' || typeof credential !== 'number' || typeof price !== 'number') return false;
    if (typeof timestampMs !== 'number' || typeof maxFeeBps !== 'number' || !isPlain(terms)) return false;
    const { clearing, accounts, holdings, conditions } = this;
    const { config, now } = conditions;
    if (!(account >= 1 && account <= accounts.count && (account | 0) === account)) return false;
    if (!(credential >= 0 && (credential | 0) === credential) || this.credentials.areBarred) return false;
    if (!conditions.isNormal || market.status !== 'OPEN' || market.halted) return false;
    const kind = codeOfKind(terms);
    if (kind < 0 || !fitsTick(price, market.tickBps) || !fitsLots(shares) || shares > MOST_SHARES) return false;
    const late = now - timestampMs;
    const most = config.maxClockSkew;
    if (!(late <= most && late >= -most) || accounts.unlimited[account] !== 0) return false;
    const rate = market.feeRateBps;
    if (terms.epoch !== accounts.epoch[account]! || !(rate <= maxFeeBps)) return false;
    const holding = holdings.find(account, market.no);
    if (this.slots.size >= this.mostOpen || (holding === 0 && holdings.count >= this.mostHoldings)) return false;
    if ((kind & 1) === 0) {
      const cost = (shares / LOT_SHARES) * price;
      if (shares < market.minOrderShares || cost < config.minBet || cost > config.maxBetPerMarket) return false;
      if (clearing.exposure(holding) + cost > config.maxExposurePerMarket) return false;
      const fee = rate === 0 ? 0 : takerFee(rate, column.shares(shares), column.price(price));
      if (cost + fee > accounts.available[account]!) return false;
      if (!clearing.bounds.fitsOrder(account, holding, kind, toYes(kind, price), shares, fee)) return false;
    } else {
      if (shares > holdings.free(holding, kind)) return false;
      if (!clearing.bounds.fitsOrder(account, holding, kind, toYes(kind, price), shares, 0)) return false;
    }
    const { book } = market;
    if (market.volume + shares > MOST_EXACT || !book.hasPrice(kind, GTC, price)) return false;
    if (book.refusal(kind, GTC, price, shares, holding, CANCEL_TAKER) !== DONE) return false;
    const found = this.found;
    found.kind = kind;
    found.force = GTC;
    found.selfTrade = CANCEL_TAKER;
    found.holding = holding;
    return true;
  }
}

/** Whether nothing is asked that is seldom asked. */
function isPlain(terms: OrderTerms): boolean {
  return (
    terms.timeInForce === 'GTC' &&
    terms.postOnly === false &&
    terms.selfTrade === 'CANCEL_TAKER' &&
    terms.expiration === 0 &&
    terms.replaces === 0 &&
    terms.group === 0 &&
    terms.restriction === undefined &&
    terms.clientOrderId === undefined &&
    (terms.hash === undefined || typeof terms.hash === 'string')
  );
}
