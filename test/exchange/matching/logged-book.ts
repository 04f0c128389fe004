import { CLOSE, OrderSlots } from '../../../src/exchange/index.ts';
import { CheckedBook } from './checked-book.ts';
import { EventLog } from './event-log.ts';

/** A book that logs its events and identifies orders by number. */
export class LoggedBook extends CheckedBook {
  readonly log: EventLog;
  readonly shared: OrderSlots;

  constructor({ tickBps = 10, slots = new OrderSlots(), number = 0 } = {}) {
    const log = new EventLog(slots);
    super({ slots, sink: log.sink, number, tickBps });
    this.log = log;
    this.shared = slots;
    log.close = (order) => this.closeOrder(order, CLOSE.orderGroupLimit);
  }

  override place(...terms: Parameters<CheckedBook['place']>): number {
    this.log.incoming = terms[0];
    return super.place(...terms);
  }

  /** Closes an order if it is open in this book. */
  closeOrder(order: number, reason: number): void {
    if (this.remainingOf(order) > 0) this.close(this.shared.find(order), reason);
  }

  /** Returns the micro-shares before an open order; NaN when it is not open in this book. */
  aheadOf(order: number): number {
    return this.remainingOf(order) > 0 ? this.queueAhead(this.shared.find(order)) : Number.NaN;
  }

  /** Returns the open orders of a holding, in order of arrival. */
  ordersOf(holding: number): readonly number[] {
    const orders: number[] = [];
    for (let slot = this.shared.firstOfHolding(holding); slot !== 0; slot = this.shared.nextOfHolding(slot)) {
      orders.push(this.shared.order(slot));
    }
    return orders;
  }
}
