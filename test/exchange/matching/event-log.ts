import type { MatchSink, OrderSlots } from '../../../src/exchange/index.ts';

/** Actions during one pause between two matches of a command. */
export interface Pause {
  /** Number of fills before the pause: 1, 2, … */
  readonly afterFill: number;
  /** Orders to close in any book; closed ones are skipped. */
  readonly closing: readonly number[];
  /** A code of `CLOSE` that ends the incoming order, or 0. */
  readonly answer: number;
}

/** Events of a book as comparable rows of numbers: the code of the event, then its values. */
export class EventRows {
  readonly rows: number[][] = [];
  /** Closes an order during a pause. */
  close: (order: number) => void = () => {};
  #pause: Pause | undefined;
  #fills = 0;

  /** Must be called before each command. */
  begin(pause?: Pause): void {
    this.#pause = pause;
    this.#fills = 0;
  }

  /** @returns whether the book pauses */
  traded(maker: number, taker: number, price: number, shares: number, match: number): boolean {
    this.rows.push([0, maker, taker, price, shares, match]);
    this.#fills += 1;
    return this.#fills === this.#pause?.afterFill;
  }
  rested(order: number, shares: number): void {
    this.rows.push([1, order, shares]);
  }
  reduced(order: number, remaining: number, yesPrice: number): void {
    this.rows.push([2, order, remaining, yesPrice]);
  }
  closed(order: number, unfilled: number, reason: number): void {
    this.rows.push([3, order, unfilled, reason]);
  }
  paused(): number {
    this.rows.push([4]);
    for (const order of this.#pause?.closing ?? []) this.close(order);
    return this.#pause?.answer ?? 0;
  }

  /** Returns all rows as one text and clears them. */
  take(): string {
    const text = this.rows.join(';');
    this.rows.length = 0;
    return text;
  }
}

/** Converts events of a `MatchingBook` about slots to rows about orders. */
export class EventLog extends EventRows {
  /** The incoming order. */
  incoming = 0;
  readonly sink: MatchSink;

  constructor(slots: OrderSlots) {
    super();
    this.sink = {
      filled: (maker, price, shares, match) => this.traded(slots.order(maker), this.incoming, price, shares, match),
      paused: () => this.paused(),
      rested: (slot) => this.rested(slots.order(slot), slots.remaining(slot)),
      reduced: (slot, remaining, yesPrice) => this.reduced(slots.order(slot), remaining, yesPrice),
      closed: (slot, unfilled, reason) => this.closed(slots.order(slot), unfilled, reason),
      ended: (unfilled, reason) => this.closed(this.incoming, unfilled, reason),
    };
  }
}
