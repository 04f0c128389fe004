/** Answers to orders and cancels in whole units. */
import { z } from 'zod';
import { readFields } from '../wire/fields.ts';

/** Result of an order of `POST /order` or `/orders`. */
export interface PolymarketPlaceAnswer {
  /** Empty if the order was refused. */
  readonly order: string;
  /** `UNKNOWN` is a status that this version does not know; such an order may be open. */
  readonly status: 'LIVE' | 'MATCHED' | 'DELAYED' | 'REFUSED' | 'UNKNOWN';
  /** Message of the venue; empty without a refusal. */
  readonly error: string;
  readonly trades: readonly string[];
}

/** @throws InputFault that names the field */
export function readPolymarketPlaceAnswer(json: unknown): PolymarketPlaceAnswer {
  const { success, errorMsg, orderID, status, tradeIDs } = readFields(PLACED, json);
  const isRefused = !success || (orderID ?? '') === '';
  return {
    order: (orderID ?? '').toLowerCase(),
    status: isRefused ? 'REFUSED' : (STATUSES[(status ?? '').toLowerCase()] ?? 'UNKNOWN'),
    error: errorMsg ?? '',
    trades: tradeIDs ?? [],
  };
}

/** @throws InputFault that names the field */
export function readPolymarketCancelAnswer(json: unknown) {
  const { canceled, not_canceled: others } = readFields(CANCELED, json);
  const lower = Object.entries(others ?? {}).map(([id, reason]) => [id.toLowerCase(), reason] as const);
  return {
    canceled: (canceled ?? []).map((id) => id.toLowerCase()),
    /** Reasons by order. */
    notCanceled: new Map(lower),
  };
}

/** `unmatched`: the taker delay has passed without a match, and the order rests. */
const STATUSES: Readonly<Record<string, PolymarketPlaceAnswer['status']>> = {
  live: 'LIVE',
  unmatched: 'LIVE',
  matched: 'MATCHED',
  delayed: 'DELAYED',
};
const ID = z.string().max(200);
const PLACED = z.object({
  success: z.boolean(),
  errorMsg: z.string().max(2_000).nullish(),
  orderID: ID.nullish(),
  status: z.string().max(100).nullish(),
  tradeIDs: z.array(ID).max(10_000).nullish(),
});
const CANCELED = z.object({
  canceled: z.array(ID).max(10_000).nullish(),
  not_canceled: z.record(ID, z.string().max(2_000)).nullish(),
});
