/** What a venue's configuration says of its callers: where from, how often, how money goes out to them. */
import { z } from 'zod';

/** The largest number of tokens: as the buckets take it. */
const MOST_TOKENS = 1_000_000_000;
const HOUR_MS = 3_600_000;

export const geo = z
  .strictObject({
    country_header: z
      .string()
      .regex(/^[a-z0-9-]+$/, 'the name of a header in lower case')
      .describe('In which a trusted proxy tells the country.'),
    rules: z
      .record(z.string().regex(/^[A-Z][A-Z0-9]$/, 'a country such as US'), z.enum(['ALLOWED', 'CLOSE_ONLY', 'BLOCKED']))
      .default({})
      .describe('By country; what is not named is allowed.'),
    unknown: z
      .enum(['ALLOWED', 'CLOSE_ONLY', 'BLOCKED'])
      .default('ALLOWED')
      .describe('For callers whose country nobody tells. Default ALLOWED.'),
  })
  .optional()
  .describe('Who may trade from where. Default: everybody.');

const bucket = (capacity: number, perSecond: number, meaning: string) =>
  z
    .strictObject({
      capacity: z
        .int()
        .min(1)
        .max(MOST_TOKENS)
        .default(capacity)
        .describe(`Tokens that it holds. Default ${capacity}.`),
      per_second: z
        .int()
        .min(1)
        .max(MOST_TOKENS)
        .default(perSecond)
        .describe(`Tokens that come back each second. Default ${perSecond}.`),
    })
    .prefault({})
    .describe(meaning);

export const rates = z
  .strictObject({
    read: bucket(500, 250, 'A token for each root field that is no order and no cancel.'),
    order: bucket(1_000, 500, 'A token for each order placed.'),
    cancel: bucket(2_000, 1_000, 'A token for each order named in a cancel, one for all of a market or account.'),
    parse: bucket(1_000, 500, 'A token for each KiB of a document that the server does not know yet.'),
  })
  .prefault({})
  .describe('Token buckets of each credential, or each address without one.');

const delay = (preset: number, meaning: string) =>
  z.int().min(0).max(HOUR_MS).default(preset).describe(`${meaning}, ms. Default ${preset}.`);

export const payouts = z
  .strictObject({
    provision_ms: delay(500, 'A new wallet is ready after so long'),
    broadcast_ms: delay(500, 'A withdrawal is BROADCAST after so long'),
    confirm_ms: delay(2_000, 'And CONFIRMED, or FAILED, so long after that'),
    failure: z.number().min(0).max(1).default(0).describe('Of a withdrawal to fail: its money goes back. Default 0.'),
  })
  .prefault({})
  .describe('The simulated chain that withdrawals go out on.');
