/** Reads a market's order terms (`/clob-markets/{id}`), state (`/markets/{id}`) and figures in Gamma's lists. */
import { z } from 'zod';
import { feeRateBps, INVALID_FEE_BPS } from '../../domain/index.ts';
import { readExactUnits, readFields, SIZE } from '../wire/fields.ts';
import { ASSET, CONDITION, TICK } from './fields.ts';

/** Reads `GET /clob-markets/{id}`. @throws InputFault that names the field */
export function readPolymarketTradingTerms(json: unknown) {
  const terms = readFields(TERMS, json);
  const [first, second] = terms.t;
  return {
    market: terms.c,
    assets: [first.t, second.t] as const,
    tickBps: terms.mts,
    /** Smallest order, micro-shares. */
    minOrderShares: terms.mos,
    acceptsOrders: terms.ao,
    isNegRisk: terms.nr ?? false,
    /** Taker fee rate, bps of p(1-p); 0 for no fee; `INVALID_FEE_BPS` for a fee of another form. */
    feeRateBps: readFeeRate(terms.fd),
  };
}

export type PolymarketTradingTerms = Readonly<ReturnType<typeof readPolymarketTradingTerms>>;

/** Reads `GET /markets/{id}`. @throws InputFault that names the field */
export function readPolymarketMarketState(json: unknown) {
  const state = readFields(STATE, json);
  const winners = state.tokens.filter(({ winner }) => winner === true);
  const onlyWinner = winners.length === 1 ? winners[0]?.token_id : undefined;
  return {
    market: state.condition_id,
    isClosed: state.closed,
    acceptsOrders: state.accepting_orders,
    /** The winning token; `split` for 50/50; undefined before the resolution. */
    winner: state.is_50_50_outcome === true ? 'split' : onlyWinner,
  };
}

/** Reads a market of Gamma's lists. @throws InputFault that names the field */
export function readPolymarketListing(json: unknown) {
  const listing = readFields(LISTING, json);
  const { version, negRisk, negRiskAugmented, events, closed, acceptingOrders, volumeNum, volume, spread } = listing;
  return {
    /** Protocol version of the market. Orders of a `v1` market are signed with EIP-712 domain version 2. */
    version: version ?? undefined,
    isNegRisk: negRisk ?? false,
    /** True if the event has placeholders for later outcomes. Their naming changes the meaning of "Other". */
    isAugmented: [{ negRiskAugmented }, ...(events ?? [])].some((source) => source.negRiskAugmented === true),
    isClosed: closed ?? false,
    /** Whether the market is traded on the CLOB. */
    hasBook: listing.enableOrderBook ?? true,
    acceptsOrders: acceptingOrders ?? false,
    /** Dollars traded so far; 0 if unknown. */
    volume: volumeNum ?? volume ?? 0,
    /** Best ask minus best bid, rounded to the nearest bps, because Gamma writes floats; undefined if unknown. */
    spreadBps: spread == null ? undefined : Math.round(spread * 10_000),
  };
}

export type PolymarketMarketState = Readonly<ReturnType<typeof readPolymarketMarketState>>;

export type PolymarketListing = Readonly<ReturnType<typeof readPolymarketListing>>;

const TERMS = z.object({
  c: CONDITION,
  t: z.tuple([z.object({ t: ASSET }), z.object({ t: ASSET })], 'two tokens'),
  mts: TICK,
  mos: SIZE,
  ao: z.boolean(),
  nr: z.boolean().nullish(),
  fd: z.object({ r: z.unknown(), e: z.number().nullish() }).nullish(),
});

const TOKEN = z.object({ token_id: ASSET, winner: z.boolean().nullish() });
const STATE = z.object({
  condition_id: CONDITION,
  tokens: z.tuple([TOKEN, TOKEN], 'two tokens'),
  closed: z.boolean(),
  accepting_orders: z.boolean(),
  is_50_50_outcome: z.boolean().nullish(),
});

const AMOUNT = z.coerce.number().min(0).max(1e15).nullish().catch(undefined);
const LISTING = z.object({
  version: z.string().max(20).nullish(),
  negRisk: z.boolean().nullish(),
  negRiskAugmented: z.boolean().nullish(),
  events: z.array(z.object({ negRiskAugmented: z.boolean().nullish() })).nullish(),
  closed: z.boolean().nullish(),
  enableOrderBook: z.boolean().nullish(),
  acceptingOrders: z.boolean().nullish(),
  volumeNum: AMOUNT,
  volume: AMOUNT,
  spread: z.number().min(0).max(1).nullish().catch(undefined),
});

/** Returns `INVALID_FEE_BPS` for an exponent other than 1, because only bps of p(1-p) are supported. */
function readFeeRate(fee: z.output<typeof TERMS>['fd']): number {
  if (fee == null || fee.r == null) return 0;
  const bps = readExactUnits(fee.r, 4);
  const rate = bps === undefined ? INVALID_FEE_BPS : feeRateBps(bps);
  return rate === 0 || (fee.e ?? 1) === 1 ? rate : INVALID_FEE_BPS;
}
