/** Removes open orders from their books: one, or all that share a property. */

import { ascending } from '../../domain/index.ts';
import type { Holdings } from '../accounts/holdings.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import type { OrderSlots } from '../matching/order-slots.ts';

/** Selects open orders of an account. */
export type Chosen = (slot: number) => boolean;

/** The state that closing reads. */
export interface ClosingDeps {
  readonly slots: OrderSlots;
  readonly holdings: Holdings;
  /** All markets, by number. */
  readonly records: readonly MarketRecord[];
}

/** Closes orders, always in the order of acceptance: a snapshot keeps no other order. */
export class Closing {
  declare private readonly slots: OrderSlots;
  declare private readonly holdings: Holdings;
  declare private readonly records: readonly MarketRecord[];

  constructor({ slots, holdings, records }: ClosingDeps) {
    this.slots = slots;
    this.holdings = holdings;
    this.records = records;
  }

  /** @param reason a code of `CLOSE` */
  slot(slot: number, reason: number): void {
    this.#bookOf(slot).close(slot, reason);
  }

  /** Open orders of an account in all markets that `chosen` accepts; all of them when `chosen` is undefined. */
  ofAccount(account: number, reason: number, chosen?: Chosen): void {
    for (const order of this.#ordersOfAccount(account, chosen)) this.slot(this.slots.find(order), reason);
  }

  /** The same of one holding: an account in a market. */
  ofHolding(holding: number, reason: number, chosen?: Chosen): void {
    for (const slot of this.slotsOf(holding)) if (chosen === undefined || chosen(slot)) this.slot(slot, reason);
  }

  /** Slots of a holding's open orders, in order of arrival. */
  slotsOf(holding: number): readonly number[] {
    const list: number[] = [];
    const slots = this.slots;
    for (let slot = slots.firstOfHolding(holding); slot !== 0; slot = slots.nextOfHolding(slot)) list.push(slot);
    return list;
  }

  /** Numbers of an account's open orders, in order of arrival. */
  ordersOf(account: number): readonly number[] {
    return this.#ordersOfAccount(account, undefined);
  }

  /** The market in which an order is open. */
  marketOf(slot: number): MarketRecord {
    const market = this.records[this.slots.book(slot)];
    if (market === undefined) throw new RangeError(`Invariant: slot ${slot} is in no market`);
    return market;
  }

  #bookOf(slot: number) {
    return this.marketOf(slot).book;
  }

  #ordersOfAccount(account: number, chosen: Chosen | undefined): readonly number[] {
    const orders: number[] = [];
    const slots = this.slots;
    for (const holding of this.holdings.ofAccount(account)) {
      for (const slot of this.slotsOf(holding)) {
        if (chosen === undefined || chosen(slot)) orders.push(slots.order(slot));
      }
    }
    return orders.sort(ascending);
  }
}
