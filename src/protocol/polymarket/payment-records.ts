/** The venue's records of maker earnings by day (docs/spec/polymarket.md#fees). */
import { z } from 'zod';
import { readFields, SIZE } from '../wire/fields.ts';
import { CONDITION } from './fields.ts';

/** A row of `/rebates/current`. @throws InputFault that names the field */
export function readPolymarketRebate(json: unknown): PolymarketPaymentRecord {
  const { rebated_fees_usdc, ...about } = readFields(REBATE, json);
  return recordOf(about, rebated_fees_usdc);
}

/** A row of `/rewards/user`. @throws InputFault that names the field */
export function readPolymarketReward(json: unknown): PolymarketPaymentRecord {
  const { earnings, ...about } = readFields(REWARD, json);
  return recordOf(about, earnings);
}

const ADDRESS = z
  .string('an address')
  .regex(/^0x[0-9a-fA-F]{40}$/, 'an address: 0x and 40 hex digits')
  .transform((address) => address.toLowerCase());
const ABOUT = {
  date: z
    .string('a day')
    .regex(/^\d{4}-\d\d-\d\d/, 'a day such as 2026-11-27')
    .transform((date) => date.slice(0, 10)),
  condition_id: CONDITION,
  maker_address: ADDRESS,
  asset_address: ADDRESS,
};
// Dollars have the bounds and the decimals of shares.
const REBATE = z.object({ ...ABOUT, rebated_fees_usdc: SIZE });
const REWARD = z.object({ ...ABOUT, earnings: SIZE });

type About = z.output<z.ZodObject<typeof ABOUT>>;

/** @param amount micro-USD, rounded **down** */
function recordOf({ date, condition_id: market, maker_address: maker, asset_address: asset }: About, amount: number) {
  return {
    /** Condition id. */
    market,
    /** Such as 2026-11-27. */
    date,
    /** Address of the account or its wallet, and of the contract of the money: lower case. */
    maker,
    asset,
    amount,
  };
}

export type PolymarketPaymentRecord = Readonly<ReturnType<typeof recordOf>>;
