/** Schema of a tape's manifest, which both the writer and the reader check. */
import { z } from 'zod';
import { epochMs, marketId, priceBps } from '../domain/index.ts';
import { parseStrict } from '../strategy/index.ts';
import { LAST_TIME, type TapeManifest } from '../tape/index.ts';

/** The rows' market index has 16 bits. */
const MAX_MARKETS = 65_536;
const MAX_PRICES = 9_999;
const MAX_TAGS = 20;

/** @throws InputFault that names the first wrong field */
export function parseManifest(value: unknown): TapeManifest {
  return parseStrict(MANIFEST, value, '');
}

/** Converts a manifest to JSON. `scheduledResolution` is null if undefined, because JSON has no undefined. */
export function toManifestJson(manifest: TapeManifest): object {
  const markets: unknown = manifest.markets;
  if (!Array.isArray(markets)) return manifest;
  return { ...manifest, markets: markets.map(toMarketJson) };
}

function toMarketJson(market: unknown): unknown {
  if (typeof market !== 'object' || market === null) return market;
  const scheduled: unknown = Reflect.get(market, 'scheduledResolution');
  return { ...market, scheduledResolution: scheduled ?? null };
}

const COUNT = z.int().nonnegative();
const TIME = z.int().min(0).max(LAST_TIME).transform(epochMs);
const PRICES = listSchema(z.int().min(1).max(9_999), MAX_PRICES)
  .refine((prices) => prices.every((price, at) => at === 0 || price > (prices[at - 1] ?? 0)), 'ascending prices')
  .transform((prices) => prices.map(priceBps));

const ID = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'a UUID in lower case')
  .transform(marketId);

const MARKET = z.strictObject({
  id: ID,
  slug: z.string(),
  question: z.string(),
  outcomes: z.tuple([z.string(), z.string()], 'the names of two outcomes, YES first'),
  grid: z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('tick'),
      tickBps: z
        .int()
        .min(1)
        .max(9_999)
        .refine((tick) => 10_000 % tick === 0, 'a divisor of 10000'),
    }),
    z.strictObject({ type: z.literal('list'), bids: PRICES, asks: PRICES }),
  ]),
  scheduledResolution: TIME.nullable().transform((time) => time ?? undefined),
  commissionBps: z.int().min(0).max(10_000),
  eventId: z.string().min(1).optional(),
  exclusive: z.literal(true).optional(),
  category: z.string().min(1).optional(),
  tags: listSchema(z.string().min(1), MAX_TAGS).optional(),
});

const MARKETS = listSchema(MARKET, MAX_MARKETS).superRefine((markets, context) => {
  const ids = new Set<string>();
  for (const [at, { id }] of markets.entries()) {
    if (ids.has(id)) {
      context.addIssue({ code: 'custom', path: [at, 'id'], message: 'an id that no market before it has' });
      return;
    }
    ids.add(id);
  }
});

const MANIFEST = z.strictObject({
  format: z.literal(1),
  name: z.string(),
  source: z.strictObject({
    description: z.string(),
    licence: z.string(),
    files: listSchema(z.strictObject({ name: z.string(), sha256: z.string() }), 100_000),
  }),
  units: listSchema(z.string(), 10_000),
  receiveTime: z.enum(['recorded', 'missing']),
  content: z.enum(['trades', 'candles']).optional(),
  orderIds: z.literal(true).optional(),
  markets: MARKETS,
  rows: COUNT,
  from: TIME,
  to: TIME,
  contentHash: z.string().regex(/^[0-9a-f]{64}$/, '64 lower-case hex digits'),
});

/** Returns a list schema that stops at the first invalid entry. Zod's array would report millions of entries. */
export function listSchema<S extends z.ZodType>(entry: S, max: number) {
  return z
    .array(z.unknown())
    .max(max)
    .transform((values, context) => {
      const entries: z.output<S>[] = [];
      for (const [at, value] of values.entries()) {
        const parsed = entry.safeParse(value);
        if (!parsed.success) {
          const [issue] = parsed.error.issues;
          context.addIssue({ code: 'custom', ...issue, path: [at, ...(issue?.path ?? [])] });
          return z.NEVER;
        }
        entries.push(parsed.data);
      }
      return entries;
    });
}
