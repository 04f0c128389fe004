/**
 * HOT: what commands told waits here until they are durable: columns of numbers, no object an event (bench/journal.ts).
 */
import type { CloseReason } from '../../domain/index.ts';
import type { OrderTerms } from '../order-terms.ts';
import type { Refusal } from '../refusal.ts';
import { type ExchangeSink, type RareEvent, SILENT } from '../sink.ts';

/** Calls of a sink, and the end and the begin of a command. */
const CALL = { begin: 0, accepted: 1, traded: 2, reduced: 3, closed: 4, happened: 5, refused: 6, duplicate: 7, end: 8 };

/** Remembers what several commands told their sinks, and tells it them later, in the same order. */
export class EventBuffer implements ExchangeSink {
  #numbers = new Float64Array(256);
  #at = 0;
  readonly #sinks: ExchangeSink[] = [];
  readonly #ends: (() => void)[] = [];
  readonly #terms: OrderTerms[] = [];
  readonly #reasons: CloseReason[] = [];
  readonly #events: RareEvent[] = [];
  readonly #refusals: Refusal[] = [];

  get isEmpty(): boolean {
    return this.#at === 0;
  }

  /** What is told from now on is for this sink. */
  begin(sink: ExchangeSink): void {
    this.#put(CALL.begin, 0, 0, 0);
    this.#sinks.push(sink);
  }

  /** To be called when all before was told. */
  end(done: () => void): void {
    this.#put(CALL.end, 0, 0, 0);
    this.#ends.push(done);
  }

  accepted(seq: number, order: number, account: number, terms: OrderTerms): void {
    this.#put(CALL.accepted, seq, order, account);
    this.#terms.push(terms);
  }

  traded(
    seq: number,
    market: number,
    maker: number,
    taker: number,
    yesPrice: number,
    shares: number,
    match: number,
    fee: number,
  ): void {
    this.#put(CALL.traded, seq, market, maker);
    const at = this.#room(5);
    this.#numbers[at] = taker;
    this.#numbers[at + 1] = yesPrice;
    this.#numbers[at + 2] = shares;
    this.#numbers[at + 3] = match;
    this.#numbers[at + 4] = fee;
  }

  reduced(seq: number, order: number, remaining: number): void {
    this.#put(CALL.reduced, seq, order, remaining);
  }

  closed(seq: number, order: number, unfilled: number, reason: CloseReason): void {
    this.#put(CALL.closed, seq, order, unfilled);
    this.#reasons.push(reason);
  }

  happened(seq: number, event: RareEvent): void {
    this.#put(CALL.happened, seq, 0, 0);
    this.#events.push(event);
  }

  refused(entry: number, refusal: Refusal): void {
    this.#put(CALL.refused, entry, 0, 0);
    this.#refusals.push(refusal);
  }

  duplicate(entry: number, order: number): void {
    this.#put(CALL.duplicate, entry, order, 0);
  }

  /** Tells everything and forgets it. Nothing may be added meanwhile. */
  deliver(): void {
    const numbers = this.#numbers;
    let sink = SILENT;
    // Places in the lists of objects: shifting them would cost their length each time.
    let [sinks, ends, terms, reasons, events, refusals] = [0, 0, 0, 0, 0, 0];
    for (let at = 0; at < this.#at; at += 4) {
      const [call, a, b, c] = [numbers[at]!, numbers[at + 1]!, numbers[at + 2]!, numbers[at + 3]!];
      if (call === CALL.accepted) sink.accepted(a, b, c, this.#terms[terms++]!);
      else if (call === CALL.closed) sink.closed(a, b, c, this.#reasons[reasons++]!);
      else if (call === CALL.traded) {
        const [taker, price, shares, match] = [numbers[at + 4]!, numbers[at + 5]!, numbers[at + 6]!, numbers[at + 7]!];
        sink.traded(a, b, c, taker, price, shares, match, numbers[at + 8]!);
        at += 5;
      } else if (call === CALL.begin) sink = this.#sinks[sinks++]!;
      else if (call === CALL.end) this.#ends[ends++]!();
      else if (call === CALL.refused) sink.refused(a, this.#refusals[refusals++]!);
      else if (call === CALL.happened) sink.happened(a, this.#events[events++]!);
      else if (call === CALL.reduced) sink.reduced(a, b, c);
      else sink.duplicate(a, b);
    }
    this.clear();
  }

  /** Forgets everything. */
  clear(): void {
    this.#at = 0;
    for (const list of [this.#sinks, this.#ends, this.#terms, this.#reasons, this.#events, this.#refusals]) {
      list.length = 0;
    }
  }

  #put(call: number, a: number, b: number, c: number): void {
    const at = this.#room(4);
    this.#numbers[at] = call;
    this.#numbers[at + 1] = a;
    this.#numbers[at + 2] = b;
    this.#numbers[at + 3] = c;
  }

  #room(numbers: number): number {
    const at = this.#at;
    this.#at = at + numbers;
    if (this.#at > this.#numbers.length) {
      const larger = new Float64Array(this.#numbers.length * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    return at;
  }
}
