/** Removes open orders from their books: one, or all that share a property. */
import { ascending } from '../../domain/index.ts';
import type { Holdings } from '../accounts/holdings.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import type { OrderSlots } from '../matching/order-slots.ts';

/** Selects open orders of an account. */
type OrderFilter = (slot: number) => boolean;

/** Closes orders in the order of acceptance, the only order that a snapshot stores. */
export class OrderCloser {
  declare private readonly slots: OrderSlots;
  declare private readonly holdings: Holdings;
  declare private readonly records: readonly MarketRecord[];

  /** @param records all markets, by number */
  constructor(slots: OrderSlots, holdings: Holdings, records: readonly MarketRecord[]) {
    this.slots = slots;
    this.holdings = holdings;
    this.records = records;
  }

  /** @param reason a code of `CLOSE` */
  slot(slot: number, reason: number): void {
    this.marketOf(slot).book.close(slot, reason);
  }

  /** Closes the open orders of an account in all markets that `chosen` accepts; default: all. */
  ofAccount(account: number, reason: number, chosen?: OrderFilter): void {
    for (const order of this.ordersOf(account, chosen)) this.slot(this.slots.find(order), reason);
  }

  /** Closes the open orders of a holding that `chosen` accepts. */
  ofHolding(holding: number, reason: number, chosen: OrderFilter): void {
    for (const slot of this.slotsOf(holding)) if (chosen(slot)) this.slot(slot, reason);
  }

  /** Returns the slots of a holding's open orders, in order of arrival. */
  slotsOf(holding: number): readonly number[] {
    const list: number[] = [];
    const slots = this.slots;
    for (let slot = slots.firstOfHolding(holding); slot !== 0; slot = slots.nextOfHolding(slot)) list.push(slot);
    return list;
  }

  /** Returns the numbers of an account's open orders that `chosen` accepts, in order of arrival. */
  ordersOf(account: number, chosen: OrderFilter = () => true): readonly number[] {
    const slots = this.holdings.ofAccount(account).flatMap((holding) => this.slotsOf(holding).filter(chosen));
    return slots.map((slot) => this.slots.order(slot)).sort(ascending);
  }

  /** Returns the market of an open order. */
  marketOf(slot: number): MarketRecord {
    const market = this.records[this.slots.book(slot)];
    if (market === undefined) throw new RangeError(`Invariant: slot ${slot} is in no market`);
    return market;
  }
}
