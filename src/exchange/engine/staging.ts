/**
 * A set of orders that replaces others, on trial: what it takes out is away, what it brings is at rest (venue.md 2).
 *
 * Invariant: reserves are really moved while the set is tested, and moved back before anything is told; books are never
 * touched, they are looked at without what leaves and with what comes.
 */
import { takerFee } from '../../domain/index.ts';
import type { Clearing } from '../accounts/clearing.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import { ANSWER, FORCE, inYesTerms, isBidKind } from '../matching/codes.ts';
import type { OrderSlots } from '../matching/order-slots.ts';
import type { OrderTerms } from '../order-terms.ts';
import type { Company } from './company.ts';
import type { Placement } from './placement.ts';
import type { Passed } from './placing.ts';

/** An order of the set that passed its tests. */
export interface Staged extends Passed {
  readonly terms: OrderTerms;
  /** In YES bps. */
  readonly yesPrice: number;
  readonly isBid: boolean;
  readonly fee: number;
}

/** What leaves a level. */
interface Leaving {
  count: number;
  shares: number;
}

/** What staging works on. */
export interface StagingOf {
  readonly slots: OrderSlots;
  readonly clearing: Clearing;
}

/** The set of one `replace`. */
export class Staging implements Company {
  readonly isInitial = false;
  readonly market: number;
  readonly #record: MarketRecord;
  readonly #slots: OrderSlots;
  readonly #clearing: Clearing;
  readonly #account: number;
  readonly #mustReplace: boolean;
  /** Slots that leave. */
  readonly #cancelled = new Set<number>();
  readonly #leaving = new Map<number, Leaving>();
  readonly #staged: Staged[] = [];

  constructor(
    { slots, clearing }: StagingOf,
    record: MarketRecord,
    { account, mustReplace }: { readonly account: number; readonly mustReplace: boolean },
  ) {
    this.market = record.no;
    this.#record = record;
    this.#slots = slots;
    this.#clearing = clearing;
    this.#account = account;
    this.#mustReplace = mustReplace;
  }

  /** Slots that leave, in the order given. */
  get cancelled(): ReadonlySet<number> {
    return this.#cancelled;
  }

  /** Orders that come, in the order given. */
  get staged(): readonly Staged[] {
    return this.#staged;
  }

  /** An open order of the account in the market leaves. @returns false when it does so already */
  takeOut(slot: number): boolean {
    if (this.#cancelled.has(slot)) return false;
    this.#cancelled.add(slot);
    const price = this.#priceOf(slot);
    const shares = this.#slots.remaining(slot);
    const leaving = this.#leaving.get(price);
    if (leaving === undefined) this.#leaving.set(price, { count: 1, shares });
    else {
      leaving.count++;
      leaving.shares += shares;
    }
    this.#clearing.release(this.#slots.holding(slot), this.#slots.kind(slot), price, shares);
    return true;
  }

  /** An order that passed comes, after those before it. */
  stage(terms: OrderTerms, { kind, force, selfTrade }: Placement): void {
    const holding = this.#clearing.open(this.#account, this.market);
    const yesPrice = inYesTerms(kind, terms.price);
    this.#clearing.hold(holding, kind, yesPrice, terms.shares);
    const rate = (kind & 1) === 1 || force === FORCE.postOnly ? 0 : this.#record.feeRateBps;
    const fee = takerFee(rate, terms.shares, terms.price);
    if (fee !== 0) this.#clearing.accounts.credit(this.#account, -fee);
    this.#staged.push({ terms, kind, force, selfTrade, holding, fee, yesPrice, isBid: isBidKind(kind) });
  }

  /** Moves all reserves back. */
  undo(): void {
    for (const { holding, kind, yesPrice, terms, fee } of this.#staged) {
      if (fee !== 0) this.#clearing.accounts.credit(this.#account, fee);
      this.#clearing.release(holding, kind, yesPrice, terms.shares);
    }
    const slots = this.#slots;
    for (const slot of this.#cancelled) {
      this.#clearing.hold(slots.holding(slot), slots.kind(slot), this.#priceOf(slot), slots.remaining(slot));
    }
  }

  mayReplace(order: number): boolean {
    if (order === 0) return !this.#mustReplace;
    return this.#cancelled.has(this.#slots.find(order));
  }

  hasClientId(clientOrderId: string): boolean {
    return this.#staged.some(({ terms }) => terms.clientOrderId === clientOrderId);
  }

  /** Whether an order of the set has the same signed bytes. */
  hasHash(hash: string): boolean {
    return this.#staged.some(({ terms }) => terms.hash === hash);
  }

  answer(kind: number, force: number, price: number, shares: number): number {
    const isBid = isBidKind(kind);
    const yesPrice = inYesTerms(kind, price);
    const opposite = this.opposite(isBid);
    if (isBid ? opposite <= yesPrice : opposite >= yesPrice) {
      return force === FORCE.postOnly ? ANSWER.postOnlyWouldCross : ANSWER.done;
    }
    return this.#sharesAt(isBid, yesPrice) + shares > Number.MAX_SAFE_INTEGER ? ANSWER.aboveMax : ANSWER.done;
  }

  opposite(isBid: boolean): number {
    const { book } = this.#record;
    let price = isBid ? book.bestAsk : book.bestBid;
    while (price > 0 && price < 10_000 && book.countAt(price) === this.#leaving.get(price)?.count) {
      price = isBid ? book.priceAbove(price) : book.priceBelow(price);
    }
    for (const staged of this.#staged) {
      if (staged.isBid === isBid) continue;
      price = isBid ? Math.min(price, staged.yesPrice) : Math.max(price, staged.yesPrice);
    }
    return price;
  }

  /** What will stand on a side at a price that nobody of the other side reaches. */
  #sharesAt(isBid: boolean, yesPrice: number): number {
    const there = this.#record.book.sharesAt(yesPrice) - (this.#leaving.get(yesPrice)?.shares ?? 0);
    return this.#staged.reduce(
      (sum, staged) => (staged.isBid === isBid && staged.yesPrice === yesPrice ? sum + staged.terms.shares : sum),
      there,
    );
  }

  #priceOf(slot: number): number {
    return this.#slots.level(slot) * this.#record.book.tickBps;
  }
}
