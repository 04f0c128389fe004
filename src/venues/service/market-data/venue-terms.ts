/** Reads `bettingConfig`, `marketConfig` and `betLimits`, and computes the limits of a market in internal units. */
import { feeRateBps, type MarketLimits, type MicroUsd, microUsd, unchecked } from '../../../domain/index.ts';
import {
  type BettingConfigFieldsFragment,
  badFieldText,
  findBadField,
  type MarketConfigFieldsFragment,
  OPERATIONS,
  parseMicroShares,
  type Selection,
  type VenueMode,
} from '../../../protocol/index.ts';
import { batches } from '../../base/index.ts';
import { describeProblem, expectData, type Transport } from '../transport/index.ts';

const MICRO_USD_PER_CENT = 10_000;
/** A billion dollars in micro-USD, in effect no limit. Sums of a few such limits stay exact. */
const MAX_LIMIT = 1e15;
const ANONYMOUS = { isAnonymous: true };

interface MarketTerms {
  /** Shares. */
  readonly minOrderShares: number;
  /** Unchecked value from the venue. */
  readonly feeRateBps: unknown;
  /** `betLimits`, if they were read. */
  readonly bet?: BetTerms | undefined;
}

const FIELDS = {
  minBetCents: 'cents',
  maxBetCents: 'cents',
  maxExposurePerMarketCents: 'cents',
  minOrderShares: 'shares',
} as const satisfies Selection;

/** The limits in `betLimits` that do not depend on the account. */
export type BetTerms = Readonly<Record<keyof typeof FIELDS, number>>;

/** Reads mode and configuration. @throws Fault LINK, BLOCKED, VENUE, UNAUTHORIZED or REFUSED */
export async function readTerms(transport: Transport): Promise<VenueTerms> {
  const [health, betting, market] = await Promise.all([
    transport.query(OPERATIONS.health, {}, ANONYMOUS),
    transport.query(OPERATIONS.bettingConfig, {}, ANONYMOUS),
    transport.query(OPERATIONS.marketConfig, {}, ANONYMOUS),
  ]);
  return toVenueTerms(
    expectData(health, 'health').health.mode,
    expectData(betting, 'bettingConfig').bettingConfig,
    expectData(market, 'marketConfig').marketConfig,
  );
}

export function toVenueTerms(
  mode: VenueMode,
  betting: BettingConfigFieldsFragment,
  market: MarketConfigFieldsFragment,
) {
  return {
    mode,
    minBet: toLimit(betting.minBetCents),
    maxBet: toLimit(market.maxBetPerMarketCents),
    maxExposure: toLimit(market.maxExposurePerMarketCents),
    spreadBps: betting.spreadBps,
    /** Fee rate of new markets. */
    feeRateBps: betting.feeRateBps,
    /** Tick of new markets. */
    tickBps: market.tickSizeBps,
    maxPlaces: betting.maxBatchOrders,
    maxCancels: betting.maxBatchCancels,
    minHeartbeat: unchecked.duration(betting.minHeartbeatMs),
    maxHeartbeat: unchecked.duration(betting.maxHeartbeatMs),
    maxClockSkew: unchecked.duration(betting.maxClockSkewMs),
  };
}

/** Settings of the whole venue: `bettingConfig` and `marketConfig`, in internal units. */
export type VenueTerms = Readonly<ReturnType<typeof toVenueTerms>>;

/** Returns a market's limits: the narrower of the venue's and the market's. */
export function toMarketLimits(
  terms: VenueTerms,
  { minOrderShares, feeRateBps: rate, bet }: MarketTerms,
): MarketLimits {
  const { minBet, maxBet, maxExposure, spreadBps } = terms;
  const least = parseMicroShares('minOrderShares', minOrderShares);
  const limits = { minOrderShares: least, minBet, maxBet, maxExposure, feeRateBps: feeRateBps(rate), spreadBps };
  if (bet === undefined) return limits;
  return {
    ...limits,
    minOrderShares: unchecked.shares(Math.max(least, parseMicroShares('betLimits.minOrderShares', bet.minOrderShares))),
    minBet: microUsd(Math.max(minBet, toLimit(bet.minBetCents))),
    maxBet: microUsd(Math.min(maxBet, toLimit(bet.maxBetCents))),
    maxExposure: microUsd(Math.min(maxExposure, toLimit(bet.maxExposurePerMarketCents))),
  };
}

function toLimit(cents: number): MicroUsd {
  return microUsd(Math.min(cents * MICRO_USD_PER_CENT, MAX_LIMIT));
}

/** Number of root fields in one request, one per market. At most 50 (docs/spec/venue.md#errors-and-transport). */
const BATCH_SIZE = 40;

/**
 * Reads the limits that do not depend on the account. `src/risk` computes own exposure, which changes with every fill.
 * @returns `terms` by market id, without markets that only the venue's configuration limits.
 *   `bad`: problems of answers that do not match the API, by market id
 * @throws Fault LINK, BLOCKED
 */
export async function readBetTerms(transport: Transport, ids: readonly string[]) {
  const [terms, bad] = [new Map<string, BetTerms>(), new Map<string, string>()];
  const logRefused = (answer: Parameters<typeof describeProblem>[0]): void => {
    const problem = describeProblem(answer);
    transport.log.warn({ problem }, 'venue: betLimits were refused; only the configuration limits orders');
  };
  const readBatch = async (batch: readonly string[]): Promise<void> => {
    const variables = Object.fromEntries(batch.map((id, at) => [`m${at}`, id]));
    const answer = await transport.queryDocument(buildDocument(batch.length), variables, batch.length);
    if (answer.type === 'errors') {
      logRefused(answer);
      return;
    }
    const data = expectData(answer, 'betLimits');
    // Each market is checked separately, so that a malformed market does not affect the others.
    for (const [at, id] of batch.entries()) {
      const value = data[`b${at}`];
      if (value === null) continue;
      const badField = findBadField(FIELDS, value);
      if (badField !== undefined) bad.set(id, `betLimits: ${badFieldText(badField)}`);
      else if (isBetTerms(value)) terms.set(id, value);
    }
  };
  // The user's own GraphQL document may select more fields. It is sent unchanged, one market at a time.
  const readOne = async (marketId: string): Promise<void> => {
    const answer = await transport.query(OPERATIONS.betLimits, { marketId }, ANONYMOUS);
    if (answer.type === 'errors') logRefused(answer);
    else if (answer.type === 'malformed') bad.set(marketId, answer.problem);
    else {
      const { betLimits } = expectData(answer, 'betLimits');
      if (betLimits !== null) terms.set(marketId, betLimits);
    }
  };
  const isOverridden = transport.operations.overridden.has(OPERATIONS.betLimits.name);
  await Promise.all(isOverridden ? ids.map(readOne) : batches(ids, BATCH_SIZE).map(readBatch));
  return { terms, bad };
}

function isBetTerms(value: unknown): value is BetTerms {
  return findBadField(FIELDS, value) === undefined;
}

/** Returns a query of `betLimits` for `count` markets. Market i has the variable `m<i>` and the answer `b<i>`. */
function buildDocument(count: number) {
  const indices = Array.from({ length: count }, (_, index) => index);
  const fields = indices.map((index) => `b${index}:betLimits(marketId:$m${index}){${Object.keys(FIELDS).join(' ')}}`);
  const variables = indices.map((index) => `$m${index}:ID!`);
  return { name: 'betLimits', text: `query(${variables.join(' ')}){${fields.join(' ')}}` };
}
