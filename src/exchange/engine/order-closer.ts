import { ascending } from '../../domain/index.ts';
import type { Holdings } from '../accounts/holdings.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import type { OrderSlots } from '../matching/order-slots.ts';

type SlotFilter = (slot: number) => boolean;

/** Closes orders in the order of their acceptance, the only order that a snapshot stores. */
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
  closeSlot(slot: number, reason: number): void {
    this.marketOf(slot).book.close(slot, reason);
  }

  /** Closes the open orders of an account in all markets that `isSelected` accepts; default: all. */
  closeOfAccount(account: number, reason: number, isSelected?: SlotFilter): void {
    for (const order of this.ordersOf(account, isSelected)) this.closeSlot(this.slots.find(order), reason);
  }

  /** Closes the open orders of a holding that `isSelected` accepts. */
  closeOfHolding(holding: number, reason: number, isSelected: SlotFilter): void {
    for (const slot of this.slotsOf(holding)) if (isSelected(slot)) this.closeSlot(slot, reason);
  }

  /** Returns the slots of a holding's open orders, in order of arrival. */
  slotsOf(holding: number): readonly number[] {
    const list: number[] = [];
    const slots = this.slots;
    for (let slot = slots.firstOfHolding(holding); slot !== 0; slot = slots.nextOfHolding(slot)) list.push(slot);
    return list;
  }

  /** Returns the numbers of an account's open orders that `isSelected` accepts, in order of arrival. */
  ordersOf(account: number, isSelected: SlotFilter = () => true): readonly number[] {
    const slots = this.holdings.ofAccount(account).flatMap((holding) => this.slotsOf(holding).filter(isSelected));
    return slots.map((slot) => this.slots.order(slot)).sort(ascending);
  }

  marketOf(slot: number): MarketRecord {
    const market = this.records[this.slots.book(slot)];
    if (market === undefined) throw new RangeError(`Invariant: slot ${slot} is in no market`);
    return market;
  }
}
