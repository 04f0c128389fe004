/**
 * Reads public trades of Polymarket's Data API, with the field names of `/v2/trades` or of the first version. Ignores
 * accounts and names.
 */
import { z } from 'zod';
import { AVERAGE_PRICE, readFields, SIZE, TIME_S } from '../wire/fields.ts';
import { ASSET, CONDITION, SIDE } from './fields.ts';

export function isPolymarketTradeRecord(json: unknown): boolean {
  if (typeof json !== 'object' || json === null || !('size' in json)) return false;
  return ('condition_id' in json && 'token_id' in json) || ('conditionId' in json && 'asset' in json);
}

/** @throws InputFault that names the field */
export function readPolymarketTradeRecord(json: unknown) {
  const isFirstVersion = typeof json === 'object' && json !== null && 'conditionId' in json;
  return isFirstVersion
    ? fromFirstVersion(readFields(FIRST_VERSION, json))
    : fromSecondVersion(readFields(SECOND_VERSION, json));
}

export type PolymarketTradeRecord = Readonly<ReturnType<typeof readPolymarketTradeRecord>>;

const COMMON = { timestamp: TIME_S, side: SIDE, price: AVERAGE_PRICE, size: SIZE };
const HASH = z.string().max(100).nullish();
const FIRST_VERSION = z.object({ ...COMMON, conditionId: CONDITION, asset: ASSET, transactionHash: HASH });
const SECOND_VERSION = z.object({ ...COMMON, condition_id: CONDITION, token_id: ASSET, transaction_hash: HASH });

type Common = z.output<z.ZodObject<typeof COMMON>>;

function fromFirstVersion({ conditionId, asset, transactionHash, ...rest }: z.output<typeof FIRST_VERSION>) {
  return { market: conditionId, asset, transaction: transactionHash ?? undefined, ...toCommonFields(rest) };
}

function fromSecondVersion({ condition_id, token_id, transaction_hash, ...rest }: z.output<typeof SECOND_VERSION>) {
  return { market: condition_id, asset: token_id, transaction: transaction_hash ?? undefined, ...toCommonFields(rest) };
}

function toCommonFields({ timestamp: at, side, price, size }: Common) {
  return {
    /** Whole seconds. */
    at,
    /** Side of the record's account, which is the taker unless the request asked for makers. */
    side,
    price: price.price,
    /** False if the price was rounded to the nearest basis point. */
    isExactPrice: price.isExact,
    /** Micro-shares, rounded **down**. */
    size,
  };
}
