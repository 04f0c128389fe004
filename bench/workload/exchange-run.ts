/** Runs the whole exchange under a flow of orders. HOT: timed by bench/exchange.ts. */
import { SHARE, unchecked } from '../../src/domain/index.ts';
import { type Exchange, ORDER_KINDS } from '../../src/exchange/index.ts';
import { elapsedMs } from '../harness.ts';
import { CountingSink, newExchange, reusedCancel, reusedPlace, split } from './exchange-harness.ts';
import {
  ACCOUNT,
  ACCOUNTS,
  kindIn,
  ORDER,
  type OrderFlow,
  type Outcome,
  priceIn,
  ROW,
  SHARES,
  TERMS,
} from './order-flow.ts';

// V8 reads local names faster than imported ones, and benches are not bundled.
const { account: accountNo, credential: credentialNo, order: orderNo } = unchecked;
const { price: priceBps, shares: microShares } = unchecked;
const ROW_LENGTH = ROW;
const ORDER_AT = ORDER;
const TERMS_AT = TERMS;
const SHARES_AT = SHARES;
const ACCOUNT_AT = ACCOUNT;
const MICRO = SHARE;
const termsKind = kindIn;
const termsPrice = priceIn;

/** Runs a flow through a new exchange and measures the operations after the opening, in ns each. */
export function exchangeNanos(flow: OrderFlow, feeRateBps: number): number {
  const harness = newHarness(flow, feeRateBps);
  runRows(harness, 0, flow.opening);
  return (elapsedMs(() => runRows(harness, flow.opening, flow.length)) * 1e6) / flow.shape.operations;
}

/** Runs a flow unmeasured and returns the outcome. */
export function exchangeOutcome(flow: OrderFlow): Outcome {
  const harness = newHarness(flow, 0);
  runRows(harness, 0, flow.length);
  const { sink, exchange } = harness;
  const book = exchange.view.book(0);
  const ladder: string[] = [];
  for (let price = book?.priceAbove(0) ?? 10_000; price < 10_000; price = book?.priceAbove(price) ?? 10_000) {
    ladder.push(`${price}:${book?.sharesAt(price) ?? 0}`);
  }
  return { fills: sink.fills, traded: sink.volume, open: exchange.view.openOrderCount, ladder };
}

interface Harness {
  readonly exchange: Exchange;
  readonly flow: OrderFlow;
  readonly sink: CountingSink;
  /** Reused commands, by kind. */
  readonly places: readonly ReturnType<typeof reusedPlace>[];
  readonly cancel: ReturnType<typeof reusedCancel>;
}

/** Keeps one exchange with its commands and sink alive, as in `core-run.ts`. */
const keptAlive: Harness[] = [];

function newHarness(flow: OrderFlow, feeRateBps: number): Harness {
  const { tickBps, openOrders } = flow.shape;
  const capacity = { orders: 2 * openOrders };
  const shape = { accounts: ACCOUNTS, markets: 1, tickBps, feeRateBps, dollars: 2_000_000, capacity };
  const exchange = newExchange(shape);
  for (let account = 1; account <= ACCOUNTS; account++) split(exchange, account, 0, 1_000_000);
  const places = ORDER_KINDS.map((words) => ({ ...reusedPlace(), ...words }));
  const harness = { exchange, flow, sink: new CountingSink(), places, cancel: reusedCancel() };
  if (keptAlive.length === 0) keptAlive.push(harness);
  return harness;
}

function runRows(harness: Harness, from: number, to: number): void {
  const { exchange, flow, sink, places, cancel } = harness;
  const { rows } = flow;
  for (let at = ROW_LENGTH * from; at < ROW_LENGTH * to; at += ROW_LENGTH) {
    const terms = rows[at + TERMS_AT]!;
    const account = rows[at + ACCOUNT_AT]!;
    if (terms === 0) {
      cancel.account = accountNo(account);
      cancel.credential = credentialNo(account);
      cancel.orders[0] = orderNo(rows[at + ORDER_AT]!);
      exchange.cancel(cancel, sink);
    } else {
      const place = places[termsKind(terms)]!;
      place.account = accountNo(account);
      place.credential = credentialNo(account);
      place.price = priceBps(termsPrice(terms));
      place.shares = microShares(rows[at + SHARES_AT]! * MICRO);
      exchange.place(place, sink);
    }
  }
  if (sink.refusals > 0) throw new Error(`Invariant: ${sink.refusals} rows of the flow were refused`);
}
