/** What makers earned on a day, as the venue's own records say it (docs/spec/polymarket.md#fees). */
import { z } from 'zod';
import { readFields, SIZE } from '../wire/fields.ts';
import { CONDITION } from './fields.ts';

export interface PolymarketPaymentRecord {
  /** Condition id. */
  readonly market: string;
  /** Such as 2026-11-27. */
  readonly date: string;
  /** Address of the account or its wallet, and of the contract of the money: lower case. */
  readonly maker: string;
  readonly asset: string;
  /** Micro-USD, rounded **down**. */
  readonly amount: number;
}

/** A row of `/rebates/current`. @throws InputFault that names the field */
export function readPolymarketRebate(json: unknown): PolymarketPaymentRecord {
  const { rebated_fees_usdc: amount, ...about } = readFields(REBATE, json);
  return { ...recordOf(about), amount };
}

/** A row of `/rewards/user`. @throws InputFault that names the field */
export function readPolymarketReward(json: unknown): PolymarketPaymentRecord {
  const { earnings: amount, ...about } = readFields(REWARD, json);
  return { ...recordOf(about), amount };
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

function recordOf({ date, condition_id: market, maker_address: maker, asset_address: asset }: About) {
  return { market, date, maker, asset };
}

type About = z.output<z.ZodObject<typeof ABOUT>>;
