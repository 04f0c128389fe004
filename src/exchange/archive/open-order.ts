/** The projector's mutable record of an open order, and the sides of the order's trades. */
import { type EpochMs, FULL_BPS, LOT, type Outcome } from '../../domain/index.ts';
import { orderKind } from '../matching/codes.ts';
import type { OrderTerms } from '../order-terms.ts';
import type { RowWriter } from './row-batch.ts';
import { cancelReasonCode, orderStatusCode, timeInForceCode } from './row-codes.ts';
import type { OrderProgress, OrderRow } from './rows.ts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

export interface OpenOrder {
  readonly row: Mutable<OrderRow>;
  /** Difference to the store's row. `new`: the store has none; `changed`: the store has an earlier version. */
  change: 'new' | 'changed' | 'same';
}

/** Returns the id of an order without a signature. */
export function unsignedId(order: number): string {
  return `0x${order.toString(16).padStart(64, '0')}`;
}

export function newOpenOrder(
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
    market,
    outcome,
    side,
    price,
    timeInForce,
    postOnly,
    expiration,
    group,
    clientOrderId,
    shares,
    filled: 0,
    amount: 0,
    fee: 0,
    status: 'LIVE',
    cancelReason: undefined,
    seq,
    createdAt: now,
    updatedAt: now,
  };
  return { row, change: 'new' };
}

/** Writes the changes that the store does not have yet. */
export function writeOrder(open: OpenOrder, rows: RowWriter): void {
  const { row, change } = open;
  if (change === 'same') return;
  open.change = 'same';
  const { shares, filled, amount, fee, seq, updatedAt } = row;
  const status = orderStatusCode(row.status);
  const reason = cancelReasonCode(row.cancelReason);
  if (change === 'changed') {
    rows.add('progress', [shares, filled, amount, fee, status, reason, seq, updatedAt, row.order]);
    return;
  }
  const { order, account, market, price, expiration, group, createdAt } = row;
  const kind = orderKind(row.outcome, row.side);
  const force = timeInForceCode(row.timeInForce);
  const postOnly = row.postOnly ? 1 : 0;
  // biome-ignore format: in the order of ROW
  rows.add(
    'order',
    [
      order, account, market, kind, price, shares, filled, amount, fee, force, postOnly, expiration, status, reason,
      group, seq, createdAt, updatedAt,
    ],
    [row.id, row.clientOrderId ?? null],
  );
}

/** Returns an order's progress without a reversed fill. The open size stays. A FILLED order becomes CANCELLED. */
export function withoutFill(
  { shares, filled, amount, fee, status, cancelReason }: OrderProgress,
  reversed: Pick<OrderProgress, 'filled' | 'amount' | 'fee'>,
  isOpen: boolean,
): OrderProgress {
  const left = { filled: filled - reversed.filled, amount: amount - reversed.amount, fee: fee - reversed.fee };
  const openStatus = left.filled === 0 ? 'LIVE' : 'PARTIALLY_FILLED';
  if (isOpen) return { ...left, shares: shares - reversed.filled, status: openStatus, cancelReason };
  return status === 'FILLED'
    ? { ...left, shares, status: 'CANCELLED', cancelReason: 'ADMIN' }
    : { ...left, shares, status, cancelReason };
}

export function updateOrder(open: OpenOrder, change: Partial<OrderProgress>, seq: number, now: EpochMs): void {
  Object.assign(open.row, change);
  open.row.seq = seq;
  open.row.updatedAt = now;
  if (open.change === 'same') open.change = 'changed';
}

export interface Trade {
  readonly seq: number;
  readonly market: number;
  readonly yesPrice: number;
  readonly shares: number;
  readonly match: number;
}

/** Returns the tape account's side of a trade with an order. */
export function tapeSideAgainst({ outcome, side }: Pick<OrderRow, 'outcome' | 'side'>, trade: Trade) {
  const isBid = (outcome === 'YES') === (side === 'BUY');
  return tapeBuySide(!isBid, trade);
}

/** Returns the side of a tape trader who buys YES if `isYes`, otherwise NO. */
export function tapeBuySide(isYes: boolean, trade: Pick<Trade, 'yesPrice' | 'shares'>) {
  const outcome: Outcome = isYes ? 'YES' : 'NO';
  return { outcome, ...orderSide({ outcome, side: 'BUY' }, trade) };
}

/** Returns an order's side of a trade, in the terms of the order's outcome. `amount` is price times shares. */
export function orderSide(
  { outcome, side }: Pick<OrderRow, 'outcome' | 'side'>,
  { yesPrice, shares }: Pick<Trade, 'yesPrice' | 'shares'>,
) {
  const price = outcome === 'YES' ? yesPrice : FULL_BPS - yesPrice;
  return { kind: orderKind(outcome, side), price, amount: (shares / LOT) * price };
}
