/** Settings of the Polymarket dialect of a venue: the section `polymarket` of `halfspread serve --config`. */
import { z } from 'zod';
import { POLYMARKET_TIERS, type PolymarketTier } from '../protocol/polymarket/index.ts';

const TIERS = ['Standard', ...names(POLYMARKET_TIERS).filter((tier) => tier !== 'Standard')] as const;

/** Ways in which a venue can be spoken to. */
export const DIALECTS = ['service', 'polymarket'] as const;

export const dialects = z
  .array(z.enum(DIALECTS))
  .default(['service'])
  .describe(
    'Interfaces: `service` is GraphQL, which is always there; `polymarket` adds REST and WebSockets below /polymarket. Default service.',
  );

export const polymarket = z
  .strictObject({
    chain_id: z.literal([137, 80_002]).default(137).describe('Chain of signatures, 137 or 80002. Default 137.'),
    order_version: z.literal([2, 3]).default(2).describe('Version of the orders that it takes, 2 or 3. Default 2.'),
    tier: z
      .enum([...TIERS, 'none'])
      .default('Standard')
      .describe('Tier of the rate limits of each signer; none for no limits. Default Standard.'),
    max_clock_skew_s: z
      .int()
      .min(1)
      .max(86_400)
      .default(60)
      .describe('Largest difference between a signed time and the clock, seconds. Default 60.'),
    mined_ms: ms('From a match to its transaction, ms.', 2_000),
    confirmed_ms: ms('From a transaction to its confirmation, ms.', 3_000),
    rebate_bps: z
      .int()
      .min(0)
      .max(10_000)
      .default(0)
      .describe(
        'Part of the taker fees of their fills that makers are shown as rebates, bps: 2500 is 25 %. Default 0.',
      ),
    heartbeat_ms: ms('Silence after which the orders of an API key that beats are cancelled, ms.', 10_000, 1_000),
  })
  .prefault({})
  .describe('The Polymarket dialect.');

function ms(meaning: string, preset: number, least = 0) {
  return z.int().min(least).max(300_000).default(preset).describe(`${meaning} Default ${preset}.`);
}

function names(table: Readonly<Record<PolymarketTier, unknown>>): readonly PolymarketTier[] {
  const isTier = (name: string): name is PolymarketTier => Object.hasOwn(table, name);
  return Object.keys(table).filter(isTier);
}
