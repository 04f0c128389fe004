/** Reads public trades of Polymarket's Data API, in the form of `/v2/trades` or of the first version. */
import { z } from 'zod';
import { isRecord } from '../../domain/index.ts';
import { AVERAGE_PRICE, readFields, SIZE, TIME_S } from '../wire/fields.ts';
import { ASSET, CONDITION, SIDE } from './fields.ts';

export function isPolymarketTradeRecord(json: unknown): boolean {
  if (!isRecord(json) || !('size' in json)) return false;
  return ('condition_id' in json && 'token_id' in json) || ('conditionId' in json && 'asset' in json);
}

/** @throws InputFault that names the field */
export function readPolymarketTradeRecord(json: unknown) {
  if (isRecord(json) && 'conditionId' in json) {
    const { conditionId: market, asset, transactionHash: transaction, ...rest } = readFields(FIRST_VERSION, json);
    return { market, asset, transaction: transaction ?? undefined, ...toCommonFields(rest) };
  }
  const {
    condition_id: market,
    token_id: asset,
    transaction_hash: transaction,
    ...rest
  } = readFields(SECOND_VERSION, json);
  return { market, asset, transaction: transaction ?? undefined, ...toCommonFields(rest) };
}

export type PolymarketTradeRecord = Readonly<ReturnType<typeof readPolymarketTradeRecord>>;

const COMMON = { timestamp: TIME_S, side: SIDE, price: AVERAGE_PRICE, size: SIZE };
const HASH = z.string().max(100).nullish();
const FIRST_VERSION = z.object({ ...COMMON, conditionId: CONDITION, asset: ASSET, transactionHash: HASH });
const SECOND_VERSION = z.object({ ...COMMON, condition_id: CONDITION, token_id: ASSET, transaction_hash: HASH });

function toCommonFields({ timestamp: at, side, price, size }: z.output<z.ZodObject<typeof COMMON>>) {
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
