/** Schema of a venue's access rules: countries, rate limits, payouts. */
import { z } from 'zod';
import { whole } from '../strategy/index.ts';
import { chance } from './shared-parts.ts';

const MAX_BUCKET_TOKENS = 1_000_000_000;
const HOUR_MS = 3_600_000;

const accessRule = z.enum(['ALLOWED', 'CLOSE_ONLY', 'BLOCKED']);

export const geo = z
  .strictObject({
    country_header: z
      .string()
      .regex(/^[a-z0-9-]+$/, 'the name of a header in lower case')
      .describe('Header in which a trusted proxy sends the country.'),
    rules: z
      .record(z.string().regex(/^[A-Z][A-Z0-9]$/, 'a country such as US'), accessRule)
      .default({})
      .describe('Rules by country. Other countries are allowed.'),
    unknown: accessRule.default('ALLOWED').describe('Rule for callers without a known country. Default ALLOWED.'),
  })
  .optional()
  .describe('Access rules by country. Default: no restrictions.');

const bucket = (capacity: number, perSecond: number, meaning: string) =>
  z
    .strictObject({
      capacity: whole(1, MAX_BUCKET_TOKENS, capacity, 'Capacity in tokens.'),
      per_second: whole(1, MAX_BUCKET_TOKENS, perSecond, 'Tokens added each second.'),
    })
    .prefault({})
    .describe(meaning);

export const rates = z
  .strictObject({
    read: bucket(500, 250, 'One token for each root field except orders and cancels.'),
    order: bucket(1_000, 500, 'One token for each order.'),
    cancel: bucket(
      2_000,
      1_000,
      'One token for each cancelled order, or one to cancel all orders of a market or account.',
    ),
    parse: bucket(1_000, 500, 'One token for each KiB of a document that the server has not parsed before.'),
  })
  .prefault({})
  .describe('Token buckets of each credential, or of each address without a credential.');

const delay = (preset: number, meaning: string) => whole(0, HOUR_MS, preset, `${meaning}, ms.`);

export const payouts = z
  .strictObject({
    provision_ms: delay(500, 'Time until a new wallet is ready'),
    broadcast_ms: delay(500, 'Time until a withdrawal is BROADCAST'),
    confirm_ms: delay(2_000, 'Further time until the withdrawal is CONFIRMED or FAILED'),
    failure: chance('Chance that a withdrawal fails and its money returns.'),
  })
  .prefault({})
  .describe('The simulated chain for withdrawals.');
