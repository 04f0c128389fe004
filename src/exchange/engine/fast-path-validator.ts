/**
 * The fast path into the book, for the most common order: a GTC without rare options, from a limited account.
 *
 * HOT: nearly every order passes here (bench/exchange.ts). One function makes all checks of docs/spec/venue.md#the-book
 * and reads each number once. The full path (order-validator.ts) takes three times as many instructions, because it
 * also finds the first failed check. Fields are declared for speed (docs/decisions/0017).
 *
 * Invariant: the fast path accepts an order only if the full path would, with the same result.
 */
import { LOT, MAX_ORDER_SHARES, takerFee, unchecked } from '../../domain/index.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { exposureAt, rowStart } from '../accounts/holding-amounts.ts';
import type { Holdings } from '../accounts/holdings.ts';
import type { OverflowGuard } from '../accounts/overflow-guard.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import { inYesTerms } from '../matching/codes.ts';
import type { OrderSlots } from '../matching/order-slots.ts';
import type { AccountCommand, OrderTerms } from '../order-terms.ts';
import type { Credentials } from './credentials.ts';
import type { Conditions, ExchangeState } from './exchange-state.ts';
import { isWholeLots, kindCode } from './order-form.ts';

/** Checks ordinary GTC orders. Its public fields are the results for the last accepted order. */
export class FastPathValidator {
  /** A code of `ORDER_KIND`. */
  kind = 0;
  /** 0 if the account has no holding in the market yet. */
  holding = 0;
  /** Result of `Book.levelFor`. */
  level = 0;
  declare private readonly slots: OrderSlots;
  declare private readonly accounts: Accounts;
  declare private readonly holdings: Holdings;
  declare private readonly conditions: Conditions;
  declare private readonly credentials: Credentials;
  declare private readonly maxOpen: number;
  declare private readonly maxHoldings: number;
  declare private readonly overflowGuard: OverflowGuard;

  constructor(context: ExchangeState) {
    this.slots = context.slots;
    this.accounts = context.clearing.accounts;
    this.holdings = context.clearing.holdings;
    this.conditions = context.conditions;
    this.credentials = context.credentials;
    this.maxOpen = context.limits.openOrders;
    this.maxHoldings = context.limits.holdings;
    this.overflowGuard = context.clearing.overflowGuard;
  }

  /** @param terms must not have the `hash` of an earlier order @returns false if the order needs the full path */
  passes(caller: AccountCommand, terms: OrderTerms, market: MarketRecord): boolean {
    const { account, credential } = caller;
    const { price, shares, timestampMs, maxFeeBps } = terms;
    if (typeof account !== 'number' || typeof credential !== 'number' || typeof price !== 'number') return false;
    if (typeof timestampMs !== 'number' || typeof maxFeeBps !== 'number' || !hasNoRareOption(terms)) return false;
    const { accounts, holdings, conditions } = this;
    const { config, now } = conditions;
    if (!(account >= 1 && account <= accounts.count && (account | 0) === account)) return false;
    if (!(credential >= 0 && (credential | 0) === credential) || this.credentials.hasBlocked) return false;
    if (conditions.mode !== 'NORMAL' || market.status !== 'OPEN' || market.halted) return false;
    const kind = kindCode(terms);
    if (kind < 0 || !isWholeLots(shares) || shares > MAX_ORDER_SHARES) return false;
    const { book } = market;
    if (market.volume + shares > Number.MAX_SAFE_INTEGER || book.tickBps !== market.tickBps) return false;
    const level = book.levelFor(kind, price, shares);
    if (level < 0) return false;
    if (!(Math.abs(now - timestampMs) <= config.maxClockSkew) || accounts.unlimited[account] !== 0) return false;
    const rate = market.feeRateBps;
    if (terms.epoch !== accounts.epoch[account]! || !(rate <= maxFeeBps)) return false;
    const holding = holdings.find(account, market.number);
    if (this.slots.size >= this.maxOpen || (holding === 0 && holdings.count >= this.maxHoldings)) return false;
    let fee = 0;
    if ((kind & 1) === 0) {
      const cost = (shares / LOT) * price;
      if (shares < market.minOrderShares || cost < config.minBet || cost > config.maxBetPerMarket) return false;
      if (exposureAt(holdings.amounts, rowStart(holding)) + cost > config.maxExposurePerMarket) return false;
      if (rate !== 0) fee = takerFee(rate, unchecked.shares(shares), unchecked.price(price));
      if (cost + fee > accounts.available[account]!) return false;
    } else if (shares > holdings.freeSharesOfKind(holding, kind)) return false;
    const { overflowGuard } = this;
    if (
      !overflowGuard.fitsAnyOrder(shares) &&
      !overflowGuard.fitsOrder(account, holding, kind, inYesTerms(kind, price), shares, fee)
    )
      return false;
    this.kind = kind;
    this.holding = holding;
    this.level = level;
    return true;
  }
}

function hasNoRareOption(terms: OrderTerms): boolean {
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
