/** HOT: numbers events and passes them to the command's sink. Trades use both fields directly (bench/exchange.ts). */
import { CLOSE_REASONS } from '../../domain/index.ts';
import type { OrderTerms } from '../order-terms.ts';
import type { ExchangeSink, RareEvent } from '../sink.ts';

/** Entry number of a refusal of the whole command. */
export const WHOLE_COMMAND = -1;

export class EventSequencer {
  /** Number of the last event. */
  seq = 0;
  declare sink: ExchangeSink;

  constructor(sink: ExchangeSink) {
    this.sink = sink;
  }

  accepted(order: number, account: number, terms: OrderTerms): void {
    this.sink.accepted(++this.seq, order, account, terms);
  }

  reduced(order: number, remaining: number): void {
    this.sink.reduced(++this.seq, order, remaining);
  }

  /** @param reason a code of `CLOSE` */
  closed(order: number, unfilled: number, reason: number): void {
    this.sink.closed(++this.seq, order, unfilled, CLOSE_REASONS[reason]!);
  }

  emit(event: RareEvent): void {
    this.sink.rareEvent(++this.seq, event);
  }
}
