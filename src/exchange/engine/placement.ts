/**
 * Whether an order may come in: every test of venue.md 2, in the order of `REJECT_REASONS`.
 *
 * HOT: every order passes here. A test answers a code; what the refusal says is found out once one has failed
 * (explanation.ts). Without that these functions would be too long for V8 to inline what they call, and each amount that is
 * handed to a call that is not inlined is boxed: 30 ns an order. Codes stand here, as an imported constant is loaded each
 * time. Timed as part of bench/exchange.ts.
 */
import { column, LOT, MAX_ORDER_SHARES, takerFee } from '../../domain/index.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Clearing } from '../accounts/clearing.ts';
import type { Holdings } from '../accounts/holdings.ts';
import { inYesTerms } from '../matching/codes.ts';
import type { OrderSlots } from '../matching/order-slots.ts';
import type { Asked, OrderTerms } from '../order-terms.ts';
import { isAccount, type Venue } from './caller.ts';
import type { Company } from './company.ts';
import type { Conditions } from './conditions.ts';
import type { Credentials } from './credentials.ts';
import { type FokTrialOf, fillsWhole } from './fok-trial.ts';
import type { Identities } from './identities.ts';
import { forceCode, isOnTick, isWholeLots, kindCode, selfTradeCode } from './order-form.ts';
import type { OrderGroups } from './order-groups.ts';

/** What placement looks at. */
export interface PlacementOf {
  readonly slots: OrderSlots;
  readonly clearing: Clearing;
  readonly conditions: Conditions;
  readonly credentials: Credentials;
  readonly groups: OrderGroups;
  readonly identities: Identities;
}

/** The tests that can fail, in their order; 0 is none. */
export const TEST = {
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
  takes: 17,
  initialSide: 18,
  tick: 19,
  lot: 20,
  expired: 21,
  timestamp: 22,
  epoch: 23,
  lapsed: 24,
  tripped: 25,
  fee: 26,
  minShares: 27,
  minBet: 28,
  maxShares: 29,
  maxBet: 30,
  exact: 31,
  exposure: 32,
  balance: 33,
  shares: 34,
  postOnly: 35,
  fillable: 36,
} as const;

/** Answers of `MatchingBook.refusal`. */
const [DONE, ABOVE_MAX, FOK_NOT_FILLABLE] = [0, 6, 8];
const POST_ONLY = 1;
const FOK = 3;

/** Tests orders; what it found out about the last one stays as numbers. */
export class Placement {
  /** A code of `ORDER_KIND`. */
  kind = 0;
  /** A code of `FORCE`. */
  force = 0;
  /** A code of `SELF_TRADE`. */
  selfTrade = 0;
  /** 0 when the account has none in the market yet. */
  holding = 0;
  readonly #clearing: Clearing;
  readonly #accounts: Accounts;
  readonly #holdings: Holdings;
  readonly #conditions: Conditions;
  readonly #credentials: Credentials;
  readonly #groups: OrderGroups;
  readonly #identities: Identities;
  readonly #trial: FokTrialOf;

  constructor({ slots, clearing, conditions, credentials, groups, identities }: PlacementOf) {
    this.#trial = { slots, groups };
    this.#clearing = clearing;
    this.#accounts = clearing.accounts;
    this.#holdings = clearing.holdings;
    this.#conditions = conditions;
    this.#credentials = credentials;
    this.#groups = groups;
    this.#identities = identities;
  }

  /**
   * @param company undefined for an order by itself
   * @returns the first test that fails, a code of `TEST`; 0 when none does
   */
  test(asked: Asked, terms: OrderTerms, market: Venue, company: Company | undefined): number {
    return (
      this.#testEntrance(asked, terms, market, company) ||
      this.#testForm(terms, market, company) ||
      this.#testMoment(asked, terms, market) ||
      this.#testAmounts(asked, terms, market, company)
    );
  }

  /** From SIGNER_NOT_ALLOWED to MARKET_HALTED. */
  #testEntrance(
    { account, credential }: Asked,
    terms: OrderTerms,
    market: Venue,
    company: Company | undefined,
  ): number {
    if (credential !== 0) {
      if (this.#credentials.isRevoked(credential)) return 1;
      if (credential < 0 || (credential | 0) !== credential) return 2;
    }
    if (!isAccount(this.#accounts, account)) return 3;
    const { group, clientOrderId, restriction } = terms;
    if (group !== 0 && this.#groups.find(group, account) === undefined) return 4;
    if (company === undefined) {
      if (terms.replaces !== 0) return 5;
    } else {
      if (!company.mayReplace(terms.replaces)) return 5;
      if (market.no !== company.market) return 6;
    }
    if (clientOrderId !== undefined && this.#isTaken(account, clientOrderId, company)) return 7;
    if (restriction !== undefined) {
      if (restriction === 'EMAIL_NOT_VERIFIED') return 9;
      if (restriction === 'GEO_BLOCKED' || terms.side !== 'SELL') return 8;
    }
    const { mode } = this.#conditions;
    if (mode !== 'NORMAL' && !(mode === 'POST_ONLY' && terms.postOnly)) return 10;
    if (market.status !== 'OPEN') return 11;
    return market.halted ? 12 : 0;
  }

  #isTaken(account: number, clientOrderId: string, company: Company | undefined): boolean {
    return (
      company?.hasClientId(clientOrderId) === true || this.#identities.orderOfClientId(account, clientOrderId) !== 0
    );
  }

  /** INVALID_ORDER, INVALID_TICK, INVALID_LOT. */
  #testForm(terms: OrderTerms, { tickBps }: Venue, company: Company | undefined): number {
    const kind = kindCode(terms);
    const force = forceCode(terms);
    const selfTrade = selfTradeCode(terms.selfTrade);
    this.kind = kind;
    this.force = force;
    this.selfTrade = selfTrade;
    if (kind < 0) return 13;
    if (force < 0) return 14;
    if (selfTrade < 0) return 15;
    const { expiration } = terms;
    if (terms.timeInForce === 'GTD' ? !(Number.isSafeInteger(expiration) && expiration > 0) : expiration !== 0)
      return 16;
    if (company !== undefined) {
      if (force > POST_ONLY) return 17;
      if (company.isInitial && (kind & 1) === 1) return 18;
    }
    if (!isOnTick(terms.price, tickBps)) return 19;
    return isWholeLots(terms.shares) ? 0 : 20;
  }

  /** From EXPIRED_PARAMS to FEE_ABOVE_MAX. */
  #testMoment({ account, credential }: Asked, terms: OrderTerms, market: Venue): number {
    const { now, config } = this.#conditions;
    const { expiration, group } = terms;
    if (expiration !== 0 && expiration <= now) return 21;
    const { unlimited, epoch } = this.#accounts;
    if (unlimited[account] === 0) {
      const late = now - terms.timestampMs;
      const most = config.maxClockSkew;
      if (!(late <= most && late >= -most)) return 22;
      if (terms.epoch !== epoch[account]!) return 23;
    }
    if (credential !== 0 && this.#credentials.hasLapsed(credential)) return 24;
    if (group !== 0 && this.#groups.isTripped(group)) return 25;
    return market.feeRateBps <= terms.maxFeeBps ? 0 : 26;
  }

  /** From BELOW_MIN on; what no number may pass is ABOVE_MAX. */
  #testAmounts({ account }: Asked, terms: OrderTerms, market: Venue, company: Company | undefined): number {
    const { price, shares } = terms;
    const { kind, force } = this;
    const { config } = this.#conditions;
    const { available, unlimited } = this.#accounts;
    const isBuy = (kind & 1) === 0;
    const isBound = isBuy && unlimited[account] === 0;
    const cost = (shares / LOT) * price;
    if (isBound) {
      if (shares < config.minOrderShares) return 27;
      if (cost < config.minBet) return 28;
    }
    if (shares > MAX_ORDER_SHARES) return 29;
    if (isBound && cost > (company?.isInitial === true ? config.maxInitialBet : config.maxBetPerMarket)) return 30;
    const holding = this.#holdings.find(account, market.no);
    this.holding = holding;
    const rate = market.feeRateBps;
    const fee =
      rate === 0 || !isBuy || force === POST_ONLY ? 0 : takerFee(rate, column.shares(shares), column.price(price));
    const answer = this.#askBook(price, shares, market, company);
    if (answer === ABOVE_MAX || market.volume + shares > Number.MAX_SAFE_INTEGER) return 31;
    if (!this.#clearing.bounds.fitsOrder(account, holding, kind, inYesTerms(kind, price), shares, fee)) return 31;
    if (isBound) {
      if (this.#clearing.exposure(holding) + cost > config.maxExposurePerMarket) return 32;
      if (cost + fee > available[account]!) return 33;
    }
    if (!isBuy && shares > this.#holdings.free(holding, kind)) return 34;
    if (answer === DONE) return force === FOK && !this.#groups.isEmpty && this.#tripsOnItsWay(terms, market) ? 36 : 0;
    return answer === FOK_NOT_FILLABLE ? 36 : 35;
  }

  #tripsOnItsWay({ price, shares, group }: OrderTerms, { book }: Venue): boolean {
    const { kind, holding, selfTrade } = this;
    const { now } = this.#conditions;
    return (
      book !== undefined && !fillsWhole(this.#trial, { book, kind, price, shares, holding, group, selfTrade, now })
    );
  }

  #askBook(price: number, shares: number, { book }: Venue, company: Company | undefined): number {
    if (company !== undefined) return company.answer(this.kind, this.force, price, shares);
    return book === undefined ? DONE : book.refusal(this.kind, this.force, price, shares, this.holding, this.selfTrade);
  }
}
