import type { MatchSink, OrderSlots } from '../../../src/exchange/index.ts';

/** What a book told, as rows of numbers that can be compared: a code for the event, then its values in order. */
export class EventRows {
  readonly rows: number[][] = [];

  traded(maker: number, taker: number, price: number, shares: number, match: number): void {
    this.rows.push([0, maker, taker, price, shares, match]);
  }
  rested(order: number, shares: number): void {
    this.rows.push([1, order, shares]);
  }
  reduced(order: number, remaining: number): void {
    this.rows.push([2, order, remaining]);
  }
  closed(order: number, unfilled: number, reason: number): void {
    this.rows.push([3, order, unfilled, reason]);
  }
  paused(): void {
    this.rows.push([4]);
  }

  /** All rows so far as one text, and forgets them. */
  take(): string {
    const text = this.rows.join(';');
    this.rows.length = 0;
    return text;
  }
}

/** Writes what a `MatchingBook` tells of its slots as rows about orders. */
export class EventLog extends EventRows {
  /** The order that is coming in. */
  incoming = 0;
  readonly sink: MatchSink;

  constructor(slots: OrderSlots) {
    super();
    const order = (slot: number) => slots.order(slot);
    this.sink = {
      filled: (maker, price, shares, match) => {
        this.traded(order(maker), this.incoming, price, shares, match);
        return false;
      },
      paused: () => 0,
      rested: (slot) => this.rested(order(slot), slots.remaining(slot)),
      reduced: (slot, remaining) => this.reduced(order(slot), remaining),
      closed: (slot, unfilled, reason) => this.closed(order(slot), unfilled, reason),
      ended: (unfilled, reason) => this.closed(this.incoming, unfilled, reason),
    };
  }
}
