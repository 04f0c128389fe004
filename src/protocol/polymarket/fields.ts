import { z } from 'zod';
import { FULL_BPS } from '../../domain/index.ts';
import { createFieldSchema, readExactUnits } from '../wire/fields.ts';

export const CONDITION = z
  .string('a condition id')
  .regex(/^0x[0-9a-fA-F]{64}$/, 'a condition id: 0x and 64 hex digits')
  .transform((id) => id.toLowerCase());
export const ASSET = z.string('a token id').regex(/^\d{1,78}$/, 'a token id: at most 78 digits');
export const ASSETS = z.array(ASSET).max(1_000);
export const SIDE = z.enum(['BUY', 'SELL'], '"BUY" or "SELL"');

/** Converts a tick in dollars to bps, a divisor of 10000. */
export const TICK = createFieldSchema((value): number | undefined => {
  const bps = readExactUnits(value, 4) ?? 0;
  return bps > 0 && bps < FULL_BPS && FULL_BPS % bps === 0 ? bps : undefined;
}, 'a tick such as 0.01 that divides 1');
