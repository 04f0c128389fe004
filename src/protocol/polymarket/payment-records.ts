/** The venue's records of maker earnings by day (docs/spec/polymarket.md#fees). */
import { z } from 'zod';
import { readFields, SIZE } from '../wire/fields.ts';
import { CONDITION } from './fields.ts';

/** A row of `/rebates/current`. @throws InputFault that names the field */
export function readPolymarketRebate(json: unknown): PolymarketPaymentRecord {
  const { rebated_fees_usdc, ...common } = readFields(REBATE, json);
  return recordOf(common, rebated_fees_usdc);
}

/** A row of `/rewards/user`. @throws InputFault that names the field */
export function readPolymarketReward(json: unknown): PolymarketPaymentRecord {
  const { earnings, ...common } = readFields(REWARD, json);
  return recordOf(common, earnings);
}

const ADDRESS = z
  .string('an address')
  .regex(/^0x[0-9a-fA-F]{40}$/, 'an address: 0x and 40 hex digits')
  .transform((address) => address.toLowerCase());
const COMMON_FIELDS = {
  date: z
    .string('a day')
    .regex(/^\d{4}-\d\d-\d\d/, 'a day such as 2026-11-27')
    .transform((date) => date.slice(0, 10)),
  condition_id: CONDITION,
  maker_address: ADDRESS,
  asset_address: ADDRESS,
};
// Amounts in dollars have the same bounds and decimals as shares.
const REBATE = z.object({ ...COMMON_FIELDS, rebated_fees_usdc: SIZE });
const REWARD = z.object({ ...COMMON_FIELDS, earnings: SIZE });

type CommonFields = z.output<z.ZodObject<typeof COMMON_FIELDS>>;

/** @param amount micro-USD, rounded **down** */
function recordOf(
  { date, condition_id: market, maker_address: maker, asset_address: asset }: CommonFields,
  amount: number,
) {
  return {
    /** Condition id. */
    market,
    /** ISO date, such as 2026-11-27. */
    date,
    /** Address of the account or its wallet, lower case. */
    maker,
    /** Address of the token contract of the amount, lower case. */
    asset,
    /** Micro-USD. */
    amount,
  };
}

export type PolymarketPaymentRecord = Readonly<ReturnType<typeof recordOf>>;
