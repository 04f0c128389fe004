/** Public trades of Polymarket's Data API (`/trades`): records without a book. Accounts and names in them are not read. */
import { z } from 'zod';
import type { EpochMs, PriceBps } from '../../domain/index.ts';
import { AVERAGE_PRICE, readFields, SIZE, TIME_S } from '../wire/fields.ts';
import { ASSET, CONDITION, SIDE } from './fields.ts';

export interface PolymarketTradeRecord {
  readonly market: string;
  readonly asset: string;
  /** Whole seconds. */
  readonly at: EpochMs;
  /** Of the account that the record is about: the taker, unless makers' records were asked for. */
  readonly side: 'BUY' | 'SELL';
  readonly price: PriceBps;
  /** False when an average price was rounded to the nearest basis point. */
  readonly isExactPrice: boolean;
  /** Micro-shares, rounded **down**. */
  readonly size: number;
  readonly transaction: string | undefined;
}

/** Whether a record looks like one of the Data API. */
export function isPolymarketTradeRecord(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'conditionId' in json && 'asset' in json && 'size' in json;
}

/** @throws InputFault that names the field */
export function readPolymarketTradeRecord(json: unknown): PolymarketTradeRecord {
  const { price, ...record } = readFields(RECORD, json);
  return {
    market: record.conditionId,
    asset: record.asset,
    at: record.timestamp,
    side: record.side,
    price: price.price,
    isExactPrice: price.isExact,
    size: record.size,
    transaction: record.transactionHash,
  };
}

const RECORD = z.object({
  conditionId: CONDITION,
  asset: ASSET,
  timestamp: TIME_S,
  side: SIDE,
  price: AVERAGE_PRICE,
  size: SIZE,
  transactionHash: z.string().max(100).optional(),
});
