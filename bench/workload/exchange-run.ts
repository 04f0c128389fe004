/**
 * The whole exchange under a flow of orders: accounts, reserves, limits, events. HOT: timed by bench/exchange.ts.
 *
 * Bids come from one half of the accounts and asks from the other, so that nobody meets himself: the outcome is the bare
 * book's.
 */
import { column, counted } from '../../src/domain/index.ts';
import { type Exchange, isBidKind, ORDER_KINDS } from '../../src/exchange/index.ts';
import { elapsedMs } from '../harness.ts';
import { CountingSink, newExchange, reusedCancel, reusedPlace, split } from './exchange-stage.ts';
import { isCancel, type OrderFlow } from './order-flow.ts';
import type { Outcome } from './outcome.ts';

/** Half of them bid. */
const ACCOUNTS = 1000;

/** How the exchange is set up beside the flow. */
export interface RunOptions {
  /** Default 0. */
  readonly feeRateBps?: number;
}

/** Runs a flow through a new exchange and measures the operations after the opening, in ns each. */
export function exchangeNanos(flow: OrderFlow, options: RunOptions = {}): number {
  const stage = newStage(flow, options);
  play(stage, 0, flow.opening);
  return (elapsedMs(() => play(stage, flow.opening, flow.length)) * 1e6) / flow.shape.operations;
}

/** Runs a flow, unmeasured, and tells what came of it. */
export function exchangeOutcome(flow: OrderFlow): Outcome {
  const stage = newStage(flow, {});
  play(stage, 0, flow.length);
  const { sink, exchange } = stage;
  const book = exchange.view.book(0);
  const ladder: string[] = [];
  for (let price = book?.priceAbove(0) ?? 10_000; price < 10_000; price = book?.priceAbove(price) ?? 10_000) {
    ladder.push(`${price}:${book?.sharesAt(price) ?? 0}`);
  }
  return { fills: sink.fills, traded: sink.volume, open: exchange.view.openOrderCount, ladder };
}

/** Kept for the compiled code, as in `core-run.ts`. */
const kept: Exchange[] = [];

function newStage(flow: OrderFlow, { feeRateBps = 0 }: RunOptions) {
  const { tickBps, openOrders } = flow.shape;
  const capacity = { orders: 2 * openOrders };
  const shape = { accounts: ACCOUNTS, markets: 1, tickBps, feeRateBps, dollars: 2_000_000, capacity };
  const exchange = newExchange(shape);
  for (let account = 1; account <= ACCOUNTS; account++) split(exchange, account, 0, 1_000_000);
  if (kept.length === 0) kept.push(exchange);
  const places = ORDER_KINDS.map((words) => ({ ...reusedPlace(), ...words }));
  return { exchange, flow, owners: ownersOf(flow), sink: new CountingSink(), places, cancel: reusedCancel() };
}

/** Account of each row's order: even ones bid, odd ones ask; a cancel comes from the order's own. */
function ownersOf(flow: OrderFlow): Uint16Array {
  const ofRow = new Uint16Array(flow.length);
  const ofOrder = new Uint16Array(flow.length + 1);
  let dice = 12_345;
  for (let at = 0; at < flow.length; at++) {
    const order = flow.order[at]!;
    if (!isCancel(flow, at)) {
      dice = (Math.imul(dice, 1_103_515_245) + 12_345) >>> 0;
      ofOrder[order] = 1 + 2 * ((dice >>> 8) % (ACCOUNTS / 2)) + (isBidKind(flow.kind[at]!) ? 1 : 0);
    }
    ofRow[at] = ofOrder[order]!;
  }
  return ofRow;
}

function play(
  { exchange, flow, owners, sink, places, cancel }: ReturnType<typeof newStage>,
  from: number,
  to: number,
): void {
  const { order, kind, price, shares } = flow;
  for (let at = from; at < to; at++) {
    const account = counted.account(owners[at]!);
    const credential = counted.credential(owners[at]!);
    if (isCancel(flow, at)) {
      cancel.account = account;
      cancel.credential = credential;
      cancel.orders[0] = counted.order(order[at]!);
      exchange.apply(cancel, sink);
    } else {
      const place = places[kind[at]!]!;
      place.account = account;
      place.credential = credential;
      place.price = column.price(price[at]!);
      place.shares = column.shares(shares[at]!);
      exchange.apply(place, sink);
    }
  }
  if (sink.refusals > 0) throw new Error(`Invariant: ${sink.refusals} rows of the flow were refused`);
}
