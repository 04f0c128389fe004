/** Reads markets of Gamma (`/markets`) and of the CLOB (`/markets/{id}`, `/clob-markets/{id}`). */
import { z } from 'zod';
import type { EpochMs } from '../../domain/index.ts';
import { readFields, TIME_ISO } from '../wire/fields.ts';
import { ASSET, CONDITION, TICK } from './fields.ts';

export interface PolymarketMarketRecord {
  readonly market: string;
  /** Tokens in the order of `outcomes`: YES first (`orderYesFirst`). */
  readonly assets: readonly [string, string];
  readonly outcomes: readonly [string, string];
  readonly question?: string | undefined;
  readonly category?: string | undefined;
  readonly slug?: string | undefined;
  readonly tickBps?: number | undefined;
  /** The scheduled end. */
  readonly endsAt?: EpochMs | undefined;
  readonly closedAt?: EpochMs | undefined;
  /** Id of a neg-risk market's event. At most one market of the event resolves to YES. */
  readonly negRiskEvent?: string | undefined;
  /** The winning token; `split` for 50/50; undefined before the resolution. */
  readonly winner?: string | 'split' | undefined;
}

/** @throws InputFault that names the field */
export function readPolymarketMarketRecord(json: unknown): PolymarketMarketRecord {
  const keys = readFields(z.looseObject({}), json);
  if ('conditionId' in keys) return fromGamma(readFields(GAMMA, json));
  if ('condition_id' in keys) return fromClob(readFields(CLOB, json));
  return fromClobMarkets(readFields(CLOB_MARKETS, json));
}

const TEXT = z.string().max(2_000);
const NAMES = z.tuple([TEXT, TEXT], 'the names of two outcomes');
const TOKENS = z.tuple([ASSET, ASSET], 'the ids of two tokens');

/** Creates a schema for a list, which Gamma writes as JSON text. */
function createListTextSchema<S extends z.ZodType>(list: S) {
  return z
    .union([z.string().max(10_000), z.array(z.unknown()).max(100)])
    .transform((value, context) => {
      try {
        return typeof value === 'string' ? JSON.parse(value) : value;
      } catch {
        context.addIssue({ code: 'custom', message: 'a list as JSON text' });
        return z.NEVER;
      }
    })
    .pipe(list);
}

const GAMMA = z.object({
  conditionId: CONDITION,
  clobTokenIds: createListTextSchema(TOKENS),
  outcomes: createListTextSchema(NAMES),
  question: TEXT.nullish(),
  category: TEXT.nullish(),
  slug: TEXT.nullish(),
  orderPriceMinTickSize: TICK.optional(),
  endDate: TIME_ISO.nullish().catch(undefined),
  closedTime: TIME_ISO.nullish().catch(undefined),
  negRisk: z.boolean().nullish(),
  negRiskMarketID: TEXT.nullish(),
  /** The event's id replaces a missing `negRiskMarketID` of the market. */
  events: z
    .array(z.object({ negRiskMarketID: TEXT.nullish() }))
    .max(100)
    .nullish()
    .catch(undefined),
  closed: z.boolean().nullish(),
  outcomePrices: createListTextSchema(z.tuple([TEXT, TEXT])).nullish(),
});

function fromGamma(gamma: z.output<typeof GAMMA>): PolymarketMarketRecord {
  const [yes, no] = gamma.clobTokenIds;
  const [yesPrice, noPrice] = (gamma.outcomePrices ?? []).map(Number);
  const isFinal = gamma.closed === true && yesPrice !== undefined && noPrice !== undefined && yesPrice + noPrice === 1;
  const winner = isFinal ? { 0: no, 0.5: 'split' as const, 1: yes }[yesPrice] : undefined;
  return orderYesFirst({
    market: gamma.conditionId,
    assets: [yes, no],
    outcomes: gamma.outcomes,
    question: gamma.question ?? undefined,
    category: gamma.category || undefined,
    slug: gamma.slug ?? undefined,
    tickBps: gamma.orderPriceMinTickSize,
    endsAt: gamma.endDate ?? undefined,
    closedAt: gamma.closedTime ?? undefined,
    negRiskEvent:
      gamma.negRisk === true ? gamma.negRiskMarketID || gamma.events?.[0]?.negRiskMarketID || undefined : undefined,
    winner,
  });
}

const TOKEN = z.object({ token_id: ASSET, outcome: TEXT, winner: z.boolean().optional() });
const CLOB = z.object({
  condition_id: CONDITION,
  tokens: z.tuple([TOKEN, TOKEN], 'two tokens'),
  question: TEXT.nullish(),
  market_slug: TEXT.nullish(),
  minimum_tick_size: TICK.optional(),
  end_date_iso: TIME_ISO.nullish().catch(undefined),
  neg_risk: z.boolean().nullish(),
  neg_risk_market_id: TEXT.nullish(),
  is_50_50_outcome: z.boolean().nullish(),
});

function fromClob(clob: z.output<typeof CLOB>): PolymarketMarketRecord {
  const [first, second] = clob.tokens;
  const winner =
    clob.is_50_50_outcome === true ? 'split' : clob.tokens.find((token) => token.winner === true)?.token_id;
  return orderYesFirst({
    market: clob.condition_id,
    assets: [first.token_id, second.token_id],
    outcomes: [first.outcome, second.outcome],
    question: clob.question ?? undefined,
    slug: clob.market_slug ?? undefined,
    tickBps: clob.minimum_tick_size,
    endsAt: clob.end_date_iso ?? undefined,
    negRiskEvent: clob.neg_risk === true ? (clob.neg_risk_market_id ?? undefined) : undefined,
    winner,
  });
}

const SHORT_TOKEN = z.object({ t: ASSET, o: TEXT });
const CLOB_MARKETS = z.object({
  c: CONDITION,
  t: z.tuple([SHORT_TOKEN, SHORT_TOKEN], 'two tokens'),
  mts: TICK.optional(),
});

function fromClobMarkets(clob: z.output<typeof CLOB_MARKETS>): PolymarketMarketRecord {
  const { c: market, t: tokens, mts: tickBps } = clob;
  const [first, second] = tokens;
  return orderYesFirst({ market, assets: [first.t, second.t], outcomes: [first.o, second.o], tickBps });
}

/** Swaps the outcomes if they are called No and Yes, in this order. */
function orderYesFirst(record: PolymarketMarketRecord): PolymarketMarketRecord {
  const [first, second] = record.outcomes;
  if (first.toLowerCase() !== 'no' || second.toLowerCase() !== 'yes') return record;
  const [noAsset, yesAsset] = record.assets;
  return { ...record, assets: [yesAsset, noAsset], outcomes: [second, first] };
}
