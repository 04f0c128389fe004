/**
 * Lets orders in: one, a batch, the first of a new market.
 *
 * HOT: every order passes here; of a command nothing is kept. Timed as part of bench/exchange.ts.
 */
import type { Accounts } from '../accounts/accounts.ts';
import type { Clearing } from '../accounts/clearing.ts';
import type { PlaceBatch } from '../command.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import { CLOSE } from '../matching/codes.ts';
import type { Asked, OrderTerms } from '../order-terms.ts';
import type { Refusal } from '../refusal.ts';
import type { BookKeeper } from './book-keeper.ts';
import { callerRefusal, type Venue } from './caller.ts';
import type { Company } from './company.ts';
import { explanation } from './explanation.ts';
import type { IdentityDigest } from './identity-digest.ts';
import { areOrders, orderMisfit } from './misfit.ts';
import { isFormed } from './order-form.ts';
import type { OrderGroups } from './order-groups.ts';
import type { OrderOwners } from './order-owners.ts';
import type { Placement, PlacementOf } from './placement.ts';
import type { PlainOrder } from './plain-order.ts';
import { refused } from './refused.ts';
import { type Teller, WHOLE } from './teller.ts';

/** What placing works on. */
export interface PlacingOf extends PlacementOf {
  readonly accounts: Accounts;
  readonly placement: Placement;
  readonly plain: PlainOrder;
  readonly keeper: BookKeeper;
  readonly owners: OrderOwners;
  readonly digest: IdentityDigest;
  readonly teller: Teller;
  /** All markets, by number. */
  readonly records: readonly MarketRecord[];
}

/** An order that passed its tests, as the books take it. */
export interface Passed {
  /** A code of `ORDER_KIND`. */
  readonly kind: number;
  /** A code of `FORCE`. */
  readonly force: number;
  /** A code of `SELF_TRADE`. */
  readonly selfTrade: number;
  /** 0 when the account has none in the market yet. */
  readonly holding: number;
}

/** Places orders. */
export class Placing {
  readonly #rooms: PlacingOf;
  // What every order needs; declared for speed: docs/decisions/0017.
  declare private readonly placement: Placement;
  declare private readonly plain: PlainOrder;
  declare private readonly records: readonly MarketRecord[];
  declare private readonly keeper: BookKeeper;
  declare private readonly clearing: Clearing;
  declare private readonly owners: OrderOwners;
  declare private readonly teller: Teller;
  declare private readonly groups: OrderGroups;

  constructor(rooms: PlacingOf) {
    this.#rooms = rooms;
    this.placement = rooms.placement;
    this.plain = rooms.plain;
    this.records = rooms.records;
    this.keeper = rooms.keeper;
    this.clearing = rooms.clearing;
    this.owners = rooms.owners;
    this.teller = rooms.teller;
    this.groups = rooms.groups;
  }

  /** @param entry of the command that brings it, as refusals name it */
  place(asked: Asked, terms: OrderTerms, entry: number): void {
    if (terms.hash !== undefined && this.isKnown(asked, terms.hash, entry)) return;
    if (!this.#enterPlain(asked, terms)) this.#placeAny(asked, terms, entry);
  }

  /** The short way alone, of an order without signed bytes. @returns false where only `place` knows, and nothing happened yet */
  placePlain(asked: Asked, terms: OrderTerms): boolean {
    return terms.hash === undefined && this.#enterPlain(asked, terms);
  }

  #enterPlain(asked: Asked, terms: OrderTerms): boolean {
    const market = typeof terms.market === 'number' ? this.records[terms.market] : undefined;
    const { plain } = this;
    if (market === undefined || !plain.passes(asked, terms, market)) return false;
    const order = this.#begin(asked, terms, market, plain.kind, plain.holding);
    market.book.enterGtc(order, plain.kind, plain.level, terms.shares, this.keeper.holding);
    return true;
  }

  /** The long way. By itself, as V8 inlines so much into one function and no more. */
  #placeAny(asked: Asked, terms: OrderTerms, entry: number): void {
    const { placement, teller } = this;
    const market = typeof terms.market === 'number' ? this.records[terms.market] : undefined;
    if (!isFormed(asked, terms)) {
      teller.refused(entry, formRefusal(asked, terms));
      return;
    }
    if (market === undefined) {
      teller.refused(entry, callerRefusal(asked, this.#rooms) ?? refused('NOT_FOUND', 'marketId'));
      return;
    }
    const failed = placement.test(asked, terms, market, undefined);
    if (failed === 0) this.enter(asked, terms, market, placement);
    else teller.refused(entry, this.#explain(failed, asked, terms, market, undefined));
  }

  /** Tests an order in company. @param market undefined for a number that no market has */
  refusal(asked: Asked, terms: OrderTerms, market: Venue | undefined, company: Company): Refusal | undefined {
    if (!isFormed(asked, terms)) return formRefusal(asked, terms);
    if (market === undefined) return callerRefusal(asked, this.#rooms) ?? refused('NOT_FOUND', 'marketId');
    const failed = this.#rooms.placement.test(asked, terms, market, company);
    return failed === 0 ? undefined : this.#explain(failed, asked, terms, market, company);
  }

  /** Each entry has its own result, whoever asks: known signed bytes among them are answered first of all. */
  placeBatch(batch: PlaceBatch): void {
    const { conditions, teller } = this.#rooms;
    if (!areOrders(batch.orders)) {
      teller.refused(WHOLE, refused('INVALID_ORDER', 'orders'));
      return;
    }
    const most = conditions.config.maxBatchOrders;
    const count = batch.orders.length;
    if (count > most) {
      const tooLong = refused('INVALID_ORDER', 'orders', most, count, 'COUNT');
      teller.refused(WHOLE, callerRefusal(batch, this.#rooms) ?? tooLong);
      return;
    }
    let entry = 0;
    for (const terms of batch.orders) this.place(batch, terms, entry++);
  }

  /**
   * Whether signed bytes came before: that is answered here, before any other test (docs/spec/venue.md#refusals).
   * Somebody else's cannot be: who sends them is not their maker.
   */
  isKnown({ account }: Asked, hash: string, entry: number): boolean {
    // Tested as one of its names later; a store cannot look for anything else.
    if (typeof hash !== 'string') return false;
    const { identities, owners, teller } = this.#rooms;
    const order = identities.orderOfHash(hash);
    if (order === 0) return false;
    if (owners.of(order) === account) teller.duplicate(entry, order);
    else teller.refused(entry, refused('SIGNER_NOT_ALLOWED'));
    return true;
  }

  /** Takes in an order that passed, which matches, rests or ends. @returns its number */
  enter(asked: Asked, terms: OrderTerms, market: MarketRecord, passed: Passed): number {
    const { kind, force, selfTrade } = passed;
    const order = this.#begin(asked, terms, market, kind, passed.holding);
    const { group } = terms;
    // Only within a set that replaces others: one of the set has tripped it a moment ago.
    if (group !== 0 && this.groups.isTripped(group)) this.teller.closed(order, terms.shares, CLOSE.orderGroupLimit);
    else market.book.enter(order, kind, force, terms.price, terms.shares, this.keeper.holding, selfTrade);
    return order;
  }

  /** Accepts an order that passed and writes down whose it is. @returns its number */
  #begin(asked: Asked, terms: OrderTerms, market: MarketRecord, kind: number, found: number): number {
    const { keeper } = this;
    const { account } = asked;
    const holding = found === 0 ? this.clearing.open(account, market.no) : found;
    const order = this.owners.add(account);
    if (terms.hash !== undefined || terms.clientOrderId !== undefined) this.#remember(order, account, terms);
    this.teller.accepted(order, account, terms);
    keeper.order = order;
    keeper.market = market.no;
    keeper.kind = kind;
    keeper.holding = holding;
    keeper.credential = asked.credential;
    keeper.group = terms.group;
    keeper.expiration = terms.expiration;
    keeper.feeRateBps = market.feeRateBps;
    keeper.lastFill = 0;
    return order;
  }

  #explain(failed: number, asked: Asked, terms: OrderTerms, market: Venue, company: Company | undefined): Refusal {
    const { placement } = this.#rooms;
    return explanation(failed, { asked, terms, market, company, placement }, this.#rooms);
  }

  #remember(order: number, account: number, { hash, clientOrderId }: OrderTerms): void {
    this.#rooms.identities.remember(order, account, hash, clientOrderId);
    this.#rooms.digest.add(order, account, hash, clientOrderId);
  }
}

function formRefusal(asked: Asked, terms: OrderTerms): Refusal {
  return refused('INVALID_ORDER', orderMisfit({ ...asked, ...terms }));
}
