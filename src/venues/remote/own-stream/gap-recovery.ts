/** What a stretch of the own stream said that the venue does not have any more: fills by their numbers, orders by their state. */
import { type CloseReason, column, parseTime } from '../../../domain/index.ts';
import { microSharesOf, OPERATIONS, type OrderFieldsFragment, parseSafeUint } from '../../../protocol/index.ts';
import { ask, askAll } from '../orders/ask.ts';
import type { Facts } from '../orders/facts.ts';
import type { OrdersOf } from '../orders/orders-of.ts';
import { closeReasonOf, readFill } from '../orders/own-event.ts';
import type { SentOrder, SentOrders } from '../orders/sent-orders.ts';

/**
 * Tells the fills after event `from` up to `to`, then of each order that is held for open what the venue has of it. What is
 * newer than `to` the stream tells. Everything is read before anything is told: a failed recovery has told nothing.
 * @throws Fault as `ask`
 */
export async function recoverGap(
  of: OrdersOf,
  sent: SentOrders,
  facts: Facts,
  from: number,
  to: number,
): Promise<void> {
  const fills = await askAll(
    of,
    OPERATIONS.fills,
    (page) => ({ input: { ...page, afterSeq: String(from) } }),
    (data) => data.fills,
  );
  const states = await Promise.all(sent.list().map(async (order) => [order, await stateOf(of, order)] as const));
  const missed = fills
    .map(readFill)
    .filter(({ seq }) => seq <= to)
    .toSorted((one, other) => one.seq - other.seq);
  for (const [at, fill] of missed.entries()) {
    // A position is passed with the last fill that has it.
    const position = missed[at + 1]?.seq === fill.seq ? undefined : fill.seq;
    facts.lateFill(fill, position);
  }
  for (const [order, state] of states) if (state !== undefined) tellState(facts, order, state, to);
}

/** What the venue has of an order; undefined for nothing. @throws Fault as `ask` */
export async function stateOf(of: OrdersOf, { hash }: SentOrder): Promise<OrderFieldsFragment | undefined> {
  const { order } = await ask(of, OPERATIONS.order, { orderHash: hash }, (data) => data.order);
  return order ?? undefined;
}

/** The state of an order that the venue has. */
export function tellState(facts: Facts, order: SentOrder, found: OrderFieldsFragment, upTo: number): void {
  const seq = parseSafeUint('order.seq', found.seq);
  // The stream is on its way to it, or has told something later since it was read.
  if (seq > upTo || seq < order.seq || order.gone) return;
  const at = parseTime('order.updatedAt', found.updatedAt);
  facts.found(order, { at, seq });
  if (found.status === 'LIVE' || found.status === 'PARTIALLY_FILLED') {
    facts.corrected(order, column.shares(microSharesOf('remainingShares', found.remainingShares)), at);
  } else facts.ended(order, reasonOf(found), at);
}

function reasonOf({ status, cancelReason }: OrderFieldsFragment): CloseReason {
  if (status === 'FILLED') return 'FILLED';
  return status === 'EXPIRED' ? 'EXPIRED' : closeReasonOf(cancelReason);
}
