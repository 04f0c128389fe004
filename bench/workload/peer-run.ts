/**
 * Runs `nodejs-order-book` under the same flow, as in its README: one object per order, and string ids. HOT: timed by
 * bench/matching.ts.
 */
import { OrderBook, Side } from 'nodejs-order-book';
import { SHARE } from '../../src/domain/index.ts';
import { inYesTerms, isBidKind } from '../../src/exchange/index.ts';
import { elapsedMs } from '../harness.ts';
import { kindIn, ORDER, type OrderFlow, type Outcome, priceIn, ROW, SHARES, TERMS } from './order-flow.ts';

// V8 reads local names faster than imported ones, and benches are not bundled.
const { BUY, SELL } = Side;
const ROW_LENGTH = ROW;
const ORDER_AT = ORDER;
const TERMS_AT = TERMS;
const SHARES_AT = SHARES;
const MICRO = SHARE;
const termsKind = kindIn;
const termsPrice = priceIn;
const toYes = inYesTerms;
const isBid = isBidKind;

/** Runs a flow through a new book and measures the operations after the opening, in ns each. */
export function peerNanos(flow: OrderFlow): number {
  const { runRows } = newPeer(flow);
  runRows(0, flow.opening);
  return (elapsedMs(() => runRows(flow.opening, flow.length)) * 1e6) / flow.shape.operations;
}

/** Runs a flow unmeasured and returns the outcome. */
export function peerOutcome(flow: OrderFlow): Outcome {
  const { book, counters, runRows } = newPeer(flow);
  runRows(0, flow.length);
  const { asks, bids } = book.snapshot();
  const levels = [...asks, ...bids].toSorted((a, b) => a.price - b.price);
  const ladder = levels.map(({ price, orders }) => `${price}:${orders.reduce((sum, { size }) => sum + size, 0)}`);
  return { ...counters, open: levels.reduce((sum, { orders }) => sum + orders.length, 0), ladder };
}

/** Keeps one book alive, as in `core-run.ts`. */
const keptAlive: OrderBook[] = [];

function newPeer(flow: OrderFlow) {
  const book = new OrderBook();
  if (keptAlive.length === 0) keptAlive.push(book);
  const counters = { fills: 0, traded: 0 };
  // Ids are created in advance. V8 treats ids of digits as array indexes, which would slow the peer down by half.
  const ids = Array.from({ length: flow.length + 1 }, (_, order) => `o${order}`);
  const runRows = (from: number, to: number): void => {
    const { rows } = flow;
    for (let at = ROW_LENGTH * from; at < ROW_LENGTH * to; at += ROW_LENGTH) {
      const id = ids[rows[at + ORDER_AT]!]!;
      const terms = rows[at + TERMS_AT]!;
      if (terms === 0) {
        book.cancel(id);
        continue;
      }
      const kind = termsKind(terms);
      const size = rows[at + SHARES_AT]! * MICRO;
      const price = toYes(kind, termsPrice(terms));
      const { err, done, partial, quantityLeft } = book.limit({
        id,
        side: isBid(kind) ? BUY : SELL,
        size,
        price,
      });
      if (err !== null) throw err;
      counters.traded += size - quantityLeft;
      // A filled taker is the last of `done`. Otherwise `partial` is the taker, not a maker.
      counters.fills += quantityLeft === 0 ? done.length - 1 + (partial === null ? 0 : 1) : done.length;
    }
  };
  return { book, counters, runRows };
}
