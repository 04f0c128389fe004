import type { MatchSink, OrderSlots } from '../../../src/exchange/index.ts';

/** What happens between two matches of a command, once. */
export interface Pause {
  /** After so many fills: 1, 2, … */
  readonly afterFill: number;
  /** Orders that are taken out, in whatever book; what is not open any more is passed over. */
  readonly closing: readonly number[];
  /** 0, or a code of `CLOSE` with which the incoming order ends. */
  readonly answer: number;
}

/** Events of a book as rows of numbers that can be compared: a code for the event, then its values in order. */
export class EventRows {
  readonly rows: number[][] = [];
  /** Takes an order out during a pause. */
  close: (order: number) => void = () => {};
  #pause: Pause | undefined;
  #fills = 0;

  /** Before each command. */
  begin(pause?: Pause): void {
    this.#pause = pause;
    this.#fills = 0;
  }

  /** @returns whether the book shall pause */
  traded(maker: number, taker: number, price: number, shares: number, match: number): boolean {
    this.rows.push([0, maker, taker, price, shares, match]);
    this.#fills += 1;
    return this.#fills === this.#pause?.afterFill;
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
  paused(): number {
    this.rows.push([4]);
    for (const order of this.#pause?.closing ?? []) this.close(order);
    return this.#pause?.answer ?? 0;
  }

  /** All rows so far as one text, and forgets them. */
  take(): string {
    const text = this.rows.join(';');
    this.rows.length = 0;
    return text;
  }
}

/** Writes what a `MatchingBook` reports of its slots as rows about orders. */
export class EventLog extends EventRows {
  /** The order that is coming in. */
  incoming = 0;
  readonly sink: MatchSink;

  constructor(slots: OrderSlots) {
    super();
    this.sink = {
      filled: (maker, price, shares, match) => this.traded(slots.order(maker), this.incoming, price, shares, match),
      paused: () => this.paused(),
      rested: (slot) => this.rested(slots.order(slot), slots.remaining(slot)),
      reduced: (slot, remaining) => this.reduced(slots.order(slot), remaining),
      closed: (slot, unfilled, reason) => this.closed(slots.order(slot), unfilled, reason),
      ended: (unfilled, reason) => this.closed(this.incoming, unfilled, reason),
    };
  }
}
