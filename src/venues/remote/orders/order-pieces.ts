/** HOT: signed orders as parts of a request, in the bytes that were kept (bench/tick-to-order.ts). */
import type { Piece } from '../transport/index.ts';
import type { SentOrder } from './sent-orders.ts';

/** The list of orders between two texts. */
export function withOrders(before: string, orders: readonly SentOrder[], after: string): readonly Piece[] {
  const pieces: Piece[] = [before];
  for (let at = 0; at < orders.length; at += 1)
    pieces.push(at === 0 ? '{"order":' : ',{"order":', wireOf(orders[at]!), '}');
  pieces.push(after);
  return pieces;
}

/** The signed order as it goes out. */
export function wireOf({ record }: SentOrder): Piece {
  return record.wireBytes ?? record.wire;
}
