/**
 * Lets orders in: one, a batch, the first of a new market.
 *
 * HOT: every order passes here; of a command nothing is kept. Timed as part of bench/exchange.ts.
 */
import type { PlaceBatch } from '../command.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import { CLOSE } from '../matching/codes.ts';
import type { Asked, OrderTerms } from '../order-terms.ts';
import type { Refusal } from '../refusal.ts';
import type { BookKeeper } from './book-keeper.ts';
import { firstOf } from './company.ts';
import { callerRefusal, type Venue } from './entrance.ts';
import type { IdentityDigest } from './identity-digest.ts';
import type { OrderOwners } from './order-owners.ts';
import type { Placement, PlacementOf } from './placement.ts';
import { refused } from './refused.ts';
import { type Teller, WHOLE } from './teller.ts';

/** What placing works on. */
export interface PlacingOf extends PlacementOf {
  readonly placement: Placement;
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

  constructor(rooms: PlacingOf) {
    this.#rooms = rooms;
  }

  /** @param entry of the command that brings it, as refusals name it */
  place(asked: Asked, terms: OrderTerms, entry: number): void {
    if (terms.hash !== undefined && this.isKnown(asked, terms.hash, entry)) return;
    const { placement, records, teller } = this.#rooms;
    const market = records[terms.market];
    const refusal = placement.refusal(asked, terms, market);
    if (refusal !== undefined || market === undefined) {
      teller.refused(entry, refusal ?? refused('NOT_FOUND', 'marketId'));
      return;
    }
    this.enter(asked, terms, market, placement);
  }

  placeBatch(batch: PlaceBatch): void {
    const { conditions, teller } = this.#rooms;
    const most = conditions.config.maxBatchOrders;
    const count = batch.orders.length;
    const refusal =
      callerRefusal(batch, this.#rooms) ??
      (count > most ? refused('INVALID_ORDER', 'orders', most, count, 'COUNT') : undefined);
    if (refusal !== undefined) {
      teller.refused(WHOLE, refusal);
      return;
    }
    let entry = 0;
    for (const terms of batch.orders) this.place(batch, terms, entry++);
  }

  /**
   * Whether signed bytes came before: that is answered here, before any other test (venue.md 2). Somebody else's cannot
   * be: who sends them is not their maker.
   */
  isKnown({ account }: Asked, hash: string, entry: number): boolean {
    const { identities, owners, teller } = this.#rooms;
    const order = identities.orderOfHash(hash);
    if (order === 0) return false;
    if (owners.of(order) === account) teller.duplicate(entry, order);
    else teller.refused(entry, refused('SIGNER_NOT_ALLOWED'));
    return true;
  }

  /** Takes in an order that passed, which matches, rests or ends. @returns its number */
  enter(asked: Asked, terms: OrderTerms, market: MarketRecord, passed: Passed): number {
    const { account } = asked;
    const { keeper, clearing, owners, teller, groups } = this.#rooms;
    const { kind, force, selfTrade } = passed;
    const holding = passed.holding === 0 ? clearing.open(account, market.no) : passed.holding;
    const order = owners.add(account);
    if (terms.hash !== undefined || terms.clientOrderId !== undefined) this.#remember(order, account, terms);
    teller.accepted(order, account, terms);
    // Only within a set that replaces others: one of the set has tripped it a moment ago.
    if (terms.group !== 0 && groups.isTripped(terms.group)) {
      teller.closed(order, terms.shares, CLOSE.orderGroupLimit);
      return order;
    }
    keeper.order = order;
    keeper.market = market.no;
    keeper.kind = kind;
    keeper.holding = holding;
    keeper.credential = asked.credential;
    keeper.group = terms.group;
    keeper.expiration = terms.expiration;
    keeper.feeRateBps = market.feeRateBps;
    keeper.lastFill = 0;
    market.book.enter(order, kind, force, terms.price, terms.shares, holding, selfTrade);
    return order;
  }

  /** Tests the first order of a market that is not there yet. */
  initialRefusal(asked: Asked, terms: OrderTerms, market: Venue): Refusal | undefined {
    return this.#rooms.placement.refusal(asked, terms, market, firstOf(market.no));
  }

  #remember(order: number, account: number, { hash, clientOrderId }: OrderTerms): void {
    this.#rooms.identities.remember(order, account, hash, clientOrderId);
    this.#rooms.digest.add(order, account, hash, clientOrderId);
  }
}
