import { z } from 'zod';
import { readFields } from '../wire/fields.ts';

/** Reads one result of `POST /order` or `/orders`. Missing texts are empty. @throws InputFault that names the field */
export function readPolymarketPlaceAnswer(json: unknown) {
  const { success, errorMsg, orderID, status, tradeIDs } = readFields(PLACED, json);
  const isRefused = !success || (orderID ?? '') === '';
  return {
    order: (orderID ?? '').toLowerCase(),
    /** `UNKNOWN`: a status that this version does not know. The order may be open. */
    status: isRefused ? ('REFUSED' as const) : (STATUSES.get((status ?? '').toLowerCase()) ?? ('UNKNOWN' as const)),
    error: errorMsg ?? '',
    trades: tradeIDs ?? [],
  };
}

/** @throws InputFault that names the field */
export function readPolymarketCancelAnswer(json: unknown) {
  const { canceled, not_canceled: others } = readFields(CANCELED, json);
  return {
    canceled: (canceled ?? []).map((id) => id.toLowerCase()),
    /** Reasons by order. */
    notCanceled: new Map(Object.entries(others ?? {}).map(([id, reason]) => [id.toLowerCase(), reason])),
  };
}

/** `unmatched`: the order rests, because the taker delay has passed without a match. */
const STATUSES = new Map<string, 'LIVE' | 'MATCHED' | 'DELAYED'>([
  ['live', 'LIVE'],
  ['unmatched', 'LIVE'],
  ['matched', 'MATCHED'],
  ['delayed', 'DELAYED'],
]);
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
