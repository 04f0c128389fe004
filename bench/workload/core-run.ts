/** Runs the matching core under a flow of orders. HOT: timed by bench/matching.ts. */
import { SHARE } from '../../src/domain/index.ts';
import { CLOSE, FORCE, type MatchSink, OrderSlots } from '../../src/exchange/index.ts';
import { CheckedBook } from '../../test/exchange/matching/checked-book.ts';
import { elapsedMs } from '../harness.ts';
import { kindIn, ORDER, type OrderFlow, type Outcome, priceIn, ROW, SHARES, TERMS } from './order-flow.ts';

// V8 reads local names faster than imported ones, and benches are not bundled.
const { gtc: GTC } = FORCE;
const { user: USER } = CLOSE;
const ROW_LENGTH = ROW;
const ORDER_AT = ORDER;
const TERMS_AT = TERMS;
const SHARES_AT = SHARES;
const MICRO = SHARE;
const termsKind = kindIn;
const termsPrice = priceIn;

/** Runs a flow through a new book and measures the operations after the opening, in ns each. */
export function coreNanos(flow: OrderFlow): number {
  const { book } = newCore(flow);
  runRows(book, flow, 0, flow.opening);
  return (elapsedMs(() => runRows(book, flow, flow.opening, flow.length)) * 1e6) / flow.shape.operations;
}

/** Runs a flow unmeasured and returns the outcome. */
export function coreOutcome(flow: OrderFlow): Outcome {
  const { book, slots, sink } = newCore(flow);
  runRows(book, flow, 0, flow.length);
  const ladder: string[] = [];
  for (let price = book.priceAbove(0); price < 10_000; price = book.priceAbove(price)) {
    ladder.push(`${price}:${book.sharesAt(price)}`);
  }
  return { fills: sink.fills, traded: sink.traded, open: slots.size, ladder };
}

/** Keeps one book alive, because V8 discards compiled code with the last object that uses it. */
const keptAlive: CheckedBook[] = [];

function newCore({ shape }: OrderFlow) {
  const slots = new OrderSlots(2 * shape.openOrders);
  const sink = new CountingSink();
  const book = new CheckedBook({ slots, sink, number: 0, tickBps: shape.tickBps });
  if (keptAlive.length === 0) keptAlive.push(book);
  return { book, slots, sink };
}

function runRows(book: CheckedBook, { rows }: OrderFlow, from: number, to: number): void {
  for (let at = ROW_LENGTH * from; at < ROW_LENGTH * to; at += ROW_LENGTH) {
    const order = rows[at + ORDER_AT]!;
    const terms = rows[at + TERMS_AT]!;
    const answer =
      terms === 0
        ? book.cancel(order)
        : book.place(order, termsKind(terms), GTC, termsPrice(terms), rows[at + SHARES_AT]! * MICRO);
    if (answer !== 0) throw new Error(`Invariant: row ${at / ROW_LENGTH} of the flow was refused with ${answer}`);
  }
}

/** Receives every event and stores a part of it, so that V8 cannot remove the work. */
class CountingSink implements MatchSink {
  fills = 0;
  traded = 0;
  rests = 0;
  cancels = 0;

  filled(_maker: number, _yesPrice: number, shares: number): boolean {
    this.fills++;
    this.traded += shares;
    return false;
  }
  paused(): number {
    return 0;
  }
  rested(): void {
    this.rests++;
  }
  reduced(): void {}
  closed(_slot: number, _unfilled: number, reason: number): void {
    if (reason === USER) this.cancels++;
  }
  ended(): void {}
}
