/** An order that is open, as the projector has it; mutable. */
import type { EpochMs } from '../../domain/index.ts';
import { orderKind } from '../matching/codes.ts';
import type { OrderTerms } from '../order-terms.ts';
import type { RowWriter } from './row-batch.ts';
import { forceCode, progressNumbers } from './row-codes.ts';
import type { OrderProgress, OrderRow } from './rows.ts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** An order and whether the store has it as it is. */
export interface OpenOrder {
  readonly row: Mutable<OrderRow>;
  /** `new`: the store has nothing of it; `changed`: it has it as it was. */
  kept: 'new' | 'changed' | 'same';
}

/** What an order is called where nothing was signed. */
export function unsignedId(order: number): string {
  return `0x${order.toString(16).padStart(64, '0')}`;
}

/** A new order. */
export function openOrder(
  order: number,
  account: number,
  terms: OrderTerms,
  { seq, now }: { readonly seq: number; readonly now: EpochMs },
): OpenOrder {
  const { market, outcome, side, price, shares, timeInForce, postOnly, expiration, group, clientOrderId } = terms;
  const row: OrderRow = {
    order,
    id: terms.hash ?? unsignedId(order),
    account,
    ...{ market, outcome, side, price, timeInForce, postOnly, expiration, group, clientOrderId },
    ...{ shares, filled: 0, amount: 0, fee: 0, status: 'LIVE', cancelReason: undefined },
    ...{ seq, createdAt: now, updatedAt: now },
  };
  return { row, kept: 'new' };
}

/** Writes what the store does not have yet. */
export function writeOrder(open: OpenOrder, rows: RowWriter): void {
  const { row, kept } = open;
  if (kept === 'same') return;
  open.kept = 'same';
  const progress = progressNumbers(row);
  if (kept === 'changed') {
    rows.add('progress', [...progress, row.seq, row.updatedAt, row.order]);
    return;
  }
  const [shares = 0, filled = 0, amount = 0, fee = 0, status = 0, reason = 0] = progress;
  rows.add(
    'order',
    [
      ...[row.order, row.account, row.market, orderKind(row.outcome, row.side), row.price],
      ...[shares, filled, amount, fee, forceCode(row.timeInForce), row.postOnly ? 1 : 0, row.expiration],
      ...[status, reason, row.group, row.seq, row.createdAt, row.updatedAt],
    ],
    [row.id, row.clientOrderId ?? null],
  );
}

/** Changes an order by an event. */
export function advance(open: OpenOrder, change: Partial<OrderProgress>, seq: number, now: EpochMs): void {
  Object.assign(open.row, change);
  open.row.seq = seq;
  open.row.updatedAt = now;
  if (open.kept === 'same') open.kept = 'changed';
}
