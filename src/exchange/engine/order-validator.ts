/**
 * Validates orders: every check of docs/spec/venue.md#refusals, in the order of `REJECT_REASONS`.
 *
 * HOT: every order passes here (bench/exchange.ts). A check returns a code, and explain-refusal.ts builds the refusal.
 * The functions thus stay so short that V8 inlines their calls, which saves 30 ns an order. Imported objects have local
 * names, because V8 checks an import at each use, which would take 8 % of a command's time.
 */
import { LOT, MAX_ORDER_SHARES, takerFee, unchecked } from '../../domain/index.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Clearing } from '../accounts/clearing.ts';
import type { Holdings } from '../accounts/holdings.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import type { Book } from '../matching/book.ts';
import { BOOK_RESULT, FORCE, inYesTerms } from '../matching/codes.ts';
import type { OrderSlots } from '../matching/order-slots.ts';
import type { AccountCommand, OrderTerms } from '../order-terms.ts';
import { type Credentials, isAccount } from './credentials.ts';
import type { Conditions, ExchangeState } from './exchange-state.ts';
import type { Identities } from './identities.ts';
import { forceCode, isOnTick, isWholeLots, kindCode, selfTradeCode } from './order-form.ts';
import type { OrderGroups } from './order-groups.ts';
import { simulateFokFill } from './simulate-fok.ts';

/** What surrounds an order: the earlier orders of the same replace, or the new market of an initial order. */
export interface OrderContext {
  readonly isInitial: boolean;
  /** The market of all orders. */
  readonly market: number;
  /** Number of earlier places minus number of cancels. */
  readonly added: number;
  /** Returns whether an order may have this value of `replaces`; 0 for none. */
  mayReplace(order: number): boolean;
  /** Returns whether an earlier order of the replace has this client id. */
  hasClientId(clientOrderId: string): boolean;
  /** Returns a code of `BOOK_RESULT` for the book after the cancels and earlier orders, like `Book.refusal`. */
  refusal(kind: number, force: number, price: number, shares: number): number;
  /** Returns the micro-shares that rest at a price before this order arrives. */
  openShares(kind: number, price: number): number;
  /** Returns the other side's best price, YES bps: for a bid the lowest ask or 10000, for an ask the best bid or 0. */
  opposite(isBid: boolean): number;
}

/** The market of an order. A new market has no book yet. */
export interface OrderMarket
  extends Readonly<
    Pick<MarketRecord, 'number' | 'status' | 'halted' | 'tickBps' | 'feeRateBps' | 'minOrderShares' | 'volume'>
  > {
  readonly book: Book | undefined;
}

/** Codes of the checks, in their order. 0 means that no check failed. */
export const ORDER_CHECK = {
  credentialRevoked: 1,
  credential: 2,
  account: 3,
  group: 4,
  replaces: 5,
  otherMarket: 6,
  clientOrderId: 7,
  geoBlocked: 8,
  email: 9,
  mode: 10,
  notOpen: 11,
  halted: 12,
  kind: 13,
  force: 14,
  selfTrade: 15,
  expiration: 16,
  texts: 17,
  immediate: 18,
  initialSide: 19,
  tick: 20,
  lot: 21,
  expired: 22,
  timestamp: 23,
  epoch: 24,
  lapsed: 25,
  tripped: 26,
  fee: 27,
  minShares: 28,
  minBet: 29,
  maxShares: 30,
  maxBet: 31,
  exact: 32,
  openOrders: 33,
  holdings: 34,
  exposure: 35,
  balance: 36,
  shares: 37,
  postOnly: 38,
  fillable: 39,
} as const;

const { done: DONE, aboveMax: ABOVE_MAX, fokNotFillable: FOK_NOT_FILLABLE } = BOOK_RESULT;
const { postOnly: POST_ONLY, fok: FOK } = FORCE;

/** A checked order in the form that books accept. */
export interface ValidatedOrder {
  /** A code of `ORDER_KIND`. */
  readonly kind: number;
  /** A code of `FORCE`. */
  readonly force: number;
  /** A code of `SELF_TRADE`. */
  readonly selfTrade: number;
  /** 0 if the account has no holding in the market yet. */
  readonly holding: number;
}

/** The public fields describe the last checked order. */
export class OrderValidator implements ValidatedOrder {
  kind = 0;
  force = 0;
  selfTrade = 0;
  holding = 0;
  declare private readonly clearing: Clearing;
  declare private readonly accounts: Accounts;
  declare private readonly holdings: Holdings;
  declare private readonly conditions: Conditions;
  declare private readonly credentials: Credentials;
  declare private readonly groups: OrderGroups;
  declare private readonly identities: Identities;
  declare private readonly slots: OrderSlots;
  declare private readonly maxOpen: number;
  declare private readonly maxHoldings: number;
  declare private readonly state: ExchangeState;

  constructor(state: ExchangeState) {
    const { slots, clearing, conditions, credentials, groups, identities, limits } = state;
    this.slots = slots;
    this.maxOpen = limits.openOrders;
    this.maxHoldings = limits.holdings;
    this.state = state;
    this.clearing = clearing;
    this.accounts = clearing.accounts;
    this.holdings = clearing.holdings;
    this.conditions = conditions;
    this.credentials = credentials;
    this.groups = groups;
    this.identities = identities;
  }

  /** Returns the first failed check, a code of `ORDER_CHECK`, or 0. @param context undefined for a single order */
  test(caller: AccountCommand, terms: OrderTerms, market: OrderMarket, context: OrderContext | undefined): number {
    return (
      this.#testCaller(caller, terms, market, context) ||
      this.#testForm(terms, market, context) ||
      this.#testTime(caller, terms, market) ||
      this.#testAmounts(caller, terms, market, context)
    );
  }

  /** Runs the checks from SIGNER_NOT_ALLOWED to MARKET_HALTED. */
  #testCaller(
    { account, credential }: AccountCommand,
    terms: OrderTerms,
    market: OrderMarket,
    context: OrderContext | undefined,
  ): number {
    if (credential !== 0) {
      if (this.credentials.isRevoked(credential)) return ORDER_CHECK.credentialRevoked;
      if (credential < 0 || (credential | 0) !== credential) return ORDER_CHECK.credential;
    }
    if (!isAccount(this.accounts, account)) return ORDER_CHECK.account;
    const { group, clientOrderId, restriction } = terms;
    if (group !== 0 && this.groups.find(group, account) === undefined) return ORDER_CHECK.group;
    if (context === undefined) {
      if (terms.replaces !== 0) return ORDER_CHECK.replaces;
    } else {
      if (!context.mayReplace(terms.replaces)) return ORDER_CHECK.replaces;
      if (market.number !== context.market) return ORDER_CHECK.otherMarket;
    }
    if (typeof clientOrderId === 'string' && this.#isClientIdUsed(account, clientOrderId, context))
      return ORDER_CHECK.clientOrderId;
    if (restriction !== undefined) {
      if (restriction === 'EMAIL_NOT_VERIFIED') return ORDER_CHECK.email;
      const isGeographic = restriction !== 'HALTED_MEANWHILE';
      if (isGeographic && (restriction === 'GEO_BLOCKED' || terms.side !== 'SELL')) return ORDER_CHECK.geoBlocked;
    }
    const { mode } = this.conditions;
    if (mode !== 'NORMAL' && !(mode === 'POST_ONLY' && terms.postOnly)) return ORDER_CHECK.mode;
    if (market.status !== 'OPEN') return ORDER_CHECK.notOpen;
    return market.halted || restriction === 'HALTED_MEANWHILE' ? ORDER_CHECK.halted : 0;
  }

  #isClientIdUsed(account: number, clientOrderId: string, context: OrderContext | undefined): boolean {
    return (
      context?.hasClientId(clientOrderId) === true || this.identities.orderOfClientId(account, clientOrderId) !== 0
    );
  }

  /** Runs the checks for INVALID_ORDER, INVALID_TICK and INVALID_LOT. */
  #testForm(terms: OrderTerms, { tickBps, book }: OrderMarket, context: OrderContext | undefined): number {
    const kind = kindCode(terms);
    const force = forceCode(terms);
    const selfTrade = selfTradeCode(terms.selfTrade);
    this.kind = kind;
    this.force = force;
    this.selfTrade = selfTrade;
    if (kind < 0) return ORDER_CHECK.kind;
    if (force < 0) return ORDER_CHECK.force;
    if (selfTrade < 0) return ORDER_CHECK.selfTrade;
    const { expiration } = terms;
    if (terms.timeInForce === 'GTD' ? !(Number.isSafeInteger(expiration) && expiration > 0) : expiration !== 0)
      return ORDER_CHECK.expiration;
    if (!isOptionalText(terms.hash) || !isOptionalText(terms.clientOrderId)) return ORDER_CHECK.texts;
    if (context !== undefined) {
      if (force > POST_ONLY) return ORDER_CHECK.immediate;
      if (context.isInitial && (kind & 1) === 1) return ORDER_CHECK.initialSide;
    }
    if (!isOnTick(terms.price, tickBps)) return ORDER_CHECK.tick;
    if (book !== undefined && !book.hasPrice(kind, force, terms.price)) return ORDER_CHECK.tick;
    return isWholeLots(terms.shares) ? 0 : ORDER_CHECK.lot;
  }

  /** Runs the checks from EXPIRED_PARAMS to FEE_ABOVE_MAX. */
  #testTime({ account, credential }: AccountCommand, terms: OrderTerms, market: OrderMarket): number {
    const { now, config } = this.conditions;
    const { expiration, group } = terms;
    if (expiration !== 0 && expiration <= now) return ORDER_CHECK.expired;
    const { unlimited, epoch } = this.accounts;
    if (unlimited[account] === 0) {
      const age = now - terms.timestampMs;
      const maxSkew = config.maxClockSkew;
      if (!(age <= maxSkew && age >= -maxSkew)) return ORDER_CHECK.timestamp;
      if (terms.epoch !== epoch[account]!) return ORDER_CHECK.epoch;
    }
    if (credential !== 0 && this.credentials.hasLapsed(credential)) return ORDER_CHECK.lapsed;
    if (group !== 0 && this.groups.isTripped(group)) return ORDER_CHECK.tripped;
    return market.feeRateBps <= terms.maxFeeBps ? 0 : ORDER_CHECK.fee;
  }

  /** Runs the checks from BELOW_MIN to the last. */
  #testAmounts({ account }: AccountCommand, terms: OrderTerms, market: OrderMarket, context?: OrderContext): number {
    const { price, shares } = terms;
    const { kind, force } = this;
    const { config } = this.conditions;
    const { available, unlimited } = this.accounts;
    const isBuy = (kind & 1) === 0;
    const hasBuyLimits = isBuy && unlimited[account] === 0;
    const cost = (shares / LOT) * price;
    if (hasBuyLimits) {
      if (shares < market.minOrderShares) return ORDER_CHECK.minShares;
      if (cost < config.minBet) return ORDER_CHECK.minBet;
    }
    if (shares > MAX_ORDER_SHARES) return ORDER_CHECK.maxShares;
    if (hasBuyLimits && cost > (context?.isInitial === true ? config.maxInitialBet : config.maxBetPerMarket))
      return ORDER_CHECK.maxBet;
    const holding = this.holdings.find(account, market.number);
    this.holding = holding;
    const rate = market.feeRateBps;
    const fee =
      rate === 0 || !isBuy || force === POST_ONLY
        ? 0
        : takerFee(rate, unchecked.shares(shares), unchecked.price(price));
    const result = this.#bookResult(price, shares, market, context);
    if (result === ABOVE_MAX || market.volume + shares > Number.MAX_SAFE_INTEGER) return ORDER_CHECK.exact;
    if (!this.clearing.overflowGuard.fitsOrder(account, holding, kind, inYesTerms(kind, price), shares, fee))
      return ORDER_CHECK.exact;
    if (this.slots.size + (context === undefined ? 0 : context.added) >= this.maxOpen && force <= POST_ONLY)
      return ORDER_CHECK.openOrders;
    if (holding === 0 && this.holdings.count >= this.maxHoldings) return ORDER_CHECK.holdings;
    if (hasBuyLimits) {
      if (this.clearing.exposure(holding) + cost > config.maxExposurePerMarket) return ORDER_CHECK.exposure;
      if (cost + fee > available[account]!) return ORDER_CHECK.balance;
    }
    if (!isBuy && shares > this.holdings.freeSharesOfKind(holding, kind)) return ORDER_CHECK.shares;
    if (result === DONE)
      return force === FOK && this.groups.size > 0 && this.#tripsGroup(terms, market) ? ORDER_CHECK.fillable : 0;
    return result === FOK_NOT_FILLABLE ? ORDER_CHECK.fillable : ORDER_CHECK.postOnly;
  }

  #tripsGroup({ price, shares, group }: OrderTerms, { book }: OrderMarket): boolean {
    const { kind, holding, selfTrade } = this;
    const { now } = this.conditions;
    if (book === undefined) return false;
    return simulateFokFill(this.state, { book, kind, price, shares, holding, group, selfTrade, now }) !== shares;
  }

  #bookResult(price: number, shares: number, { book }: OrderMarket, context: OrderContext | undefined): number {
    if (context !== undefined) return context.refusal(this.kind, this.force, price, shares);
    return book === undefined ? DONE : book.refusal(this.kind, this.force, price, shares, this.holding, this.selfTrade);
  }
}

/** Returns whether the value is a text or undefined. The exchange cannot store other types. */
export function isOptionalText(value: string | undefined): boolean {
  return value === undefined || typeof value === 'string';
}
