/** Codes of enumerated values in rows. Codes are permanent, so append new values to the lists. */
import {
  CLOSE_REASONS,
  LOT,
  MARKET_STATUSES,
  type MarketStatus,
  type TimeInForce,
  unchecked,
} from '../../domain/index.ts';
import { MATCH_TYPES, ORDER_KINDS } from '../matching/codes.ts';
import {
  type FillRow,
  LEDGER_KINDS,
  type LedgerKind,
  ORDER_EVENT_KINDS,
  ORDER_STATUSES,
  type OrderEventKind,
  type OrderEventRow,
  type OrderProgress,
} from './rows.ts';

const TIMES_IN_FORCE: readonly TimeInForce[] = ['GTC', 'GTD', 'FOK', 'FAK'];

/** Returns a value's index in a list. @throws RangeError if the value is not in the list */
export function toCode<Value extends string>(values: readonly Value[], value: Value): number {
  const code = values.indexOf(value);
  if (code < 0) throw new RangeError(`Invariant: ${value} is not one of ${values.join(', ')}`);
  return code;
}

/** @throws RangeError if no value has this code */
export function fromCode<Value>(values: readonly Value[], code: number): Value {
  const value = values[code];
  if (value === undefined) throw new RangeError(`Invariant: no value has the code ${code}`);
  return value;
}

export const timeInForceCode = (timeInForce: TimeInForce): number => toCode(TIMES_IN_FORCE, timeInForce);
export const timeInForceOfCode = (code: number): TimeInForce => fromCode(TIMES_IN_FORCE, code);
export const marketStatusCode = (status: MarketStatus): number => toCode(MARKET_STATUSES, status);
export const marketStatusOfCode = (code: number): MarketStatus => fromCode(MARKET_STATUSES, code);
export const ledgerKindCode = (kind: LedgerKind): number => toCode(LEDGER_KINDS, kind);
export const ledgerKindOfCode = (code: number): LedgerKind => fromCode(LEDGER_KINDS, code);
export const eventKindCode = (kind: OrderEventKind): number => toCode(ORDER_EVENT_KINDS, kind);

export const orderStatusCode = (status: OrderProgress['status']): number => toCode(ORDER_STATUSES, status);

/** Returns the code of a cancel reason; 0 for none. */
export const cancelReasonCode = (reason: OrderProgress['cancelReason']): number =>
  reason === undefined ? 0 : toCode(CLOSE_REASONS, reason);

type ProgressNumbers = Readonly<Record<'shares' | 'filled' | 'amount' | 'fee' | 'status' | 'reason', number>>;

export function toOrderProgress({ shares, filled, amount, fee, status, reason }: ProgressNumbers): OrderProgress {
  const progress = { shares, filled, amount, fee };
  return { ...progress, status: fromCode(ORDER_STATUSES, status), cancelReason: cancelReasonOfCode(reason) };
}

/** Returns a cancel reason; undefined for the code of an open or filled order. */
export function cancelReasonOfCode(code: number): OrderProgress['cancelReason'] {
  const reason = fromCode(CLOSE_REASONS, code);
  return reason === 'FILLED' ? undefined : reason;
}

type CommonNumber = 'id' | 'order' | 'account' | 'market' | 'kind' | 'shares' | 'fee' | 'at';
/** `kind` is a code of `ORDER_KIND`, `match` a code of `MATCH`. */
export type FillNumbers = Readonly<Record<CommonNumber | 'price' | 'match', number>>;
export type EventNumbers = Readonly<
  Record<CommonNumber | 'previous' | 'filled' | 'amount' | 'status' | 'reason', number>
>;

export function toFillRow({ id, order, account, market, kind, price, shares, fee, match, at }: FillNumbers): FillRow {
  const numbers = { id, order, account, market, price, shares, fee };
  return {
    ...numbers,
    ...fromCode(ORDER_KINDS, kind),
    seq: Math.floor(id / 2),
    amount: (shares / LOT) * price,
    role: id % 2 === 1 ? 'TAKER' : 'MAKER',
    match: fromCode(MATCH_TYPES, match),
    at: unchecked.time(at),
  };
}

export function toOrderEventRow(numbers: EventNumbers): OrderEventRow {
  const { id, account, market, order } = numbers;
  const kind = fromCode(ORDER_EVENT_KINDS, numbers.kind);
  const [seq, prevSeq] = [Math.floor(id / 2), Math.floor(numbers.previous / 2)];
  const event = { seq, prevSeq, account, market, order, kind, at: unchecked.time(numbers.at) };
  return { ...toOrderProgress(numbers), ...event, fill: kind === 'FILLED' ? id : undefined };
}
