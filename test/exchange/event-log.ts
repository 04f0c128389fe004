import type { MatchSink } from '../../src/exchange/index.ts';

/** What a book told, as rows of numbers that can be compared: a code for the event, then its values in order. */
export class EventLog implements MatchSink {
  readonly rows: number[][] = [];

  filled(maker: number, taker: number, price: number, shares: number, match: number): void {
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

  /** All rows so far as one text, and forgets them. */
  take(): string {
    const text = this.rows.join(';');
    this.rows.length = 0;
    return text;
  }
}
