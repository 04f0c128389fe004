/** Schema of the recipe of a synthetic tape. Corresponds to `SyntheticRecipe`. */
import { z } from 'zod';
import { formatTime, InputFault, parseTime } from '../domain/index.ts';
import { DEFAULT_RECIPE, type SyntheticRecipe } from '../history/index.ts';
import { fileVersion } from '../strategy/index.ts';

const D = DEFAULT_RECIPE;

export const recipeSchema = z
  .strictObject({
    version: fileVersion,
    seed: whole(0, 4_294_967_295, D.seed, 'Seed of all random numbers.'),
    events: whole(1, 100_000_000_000, D.events, 'Number of rows.'),
    markets: whole(1, 65_536, D.markets, 'Number of markets.'),
    start: z
      .string()
      .refine(isTime, 'a time such as 2026-03-01T12:00:00Z')
      .default(formatTime(D.start))
      .describe(`Exchange time of the first message, ISO 8601 with Z. Default ${formatTime(D.start)}.`),
    messages_per_second: within(
      0.000_001,
      1_000_000,
      D.messagesPerSecond,
      'Mean rate of messages of all markets, 1/s.',
    ),
    tick_bps: whole(1, 1_000, D.tickBps, 'Price step, bps; a divisor of 10000.'),
    opening_bps: within(1, 9_999, D.openingBps, 'Initial fair price, bps.'),
    total_volatility: within(
      0,
      100,
      D.totalVolatility,
      'Standard deviation of the change of the fair log-odds over the tape.',
    ),
    drift: within(-20, 20, D.drift, 'What the fair log-odds gain over the tape at a half. 0 for none.'),
    jumps: within(0, 1_000_000, D.jumps, "Mean number of jumps of a market's fair price over the tape. 0 for none."),
    jump_log_odds: within(0, 10, D.jumpLogOdds, 'Size of a jump, log-odds, up or down at random.'),
    end_volatility: within(0, 1_000, D.endVolatility, 'Volatility at the end of the tape over that at its start.'),
    error_bps: within(0, 5_000, D.errorBps, "Standard deviation of the makers' price error at a half, bps."),
    error_messages: within(
      1,
      1_000_000_000,
      D.errorMessages,
      'Messages of its market after which an error has shrunk to 1/e.',
    ),
    half_spread_bps: within(0, 5_000, D.halfSpreadBps, "Least distance of a quote from its maker's price, bps."),
    depth_bps: within(0, 5_000, D.depthBps, 'Mean further distance of a new quote, bps.'),
    min_levels: whole(1, 1_000, D.minLevels, 'With fewer levels a side, makers add levels first.'),
    median_shares: within(0.01, 1_000_000, D.medianShares, 'Median size of a quote, shares.'),
    size_spread: within(0, 3, D.sizeSpread, 'Standard deviation of the logarithm of a size.'),
    take_share: within(0, 1, D.takeShare, 'Share of messages with a trade of an uninformed taker.'),
    cancel_share: within(0, 1, D.cancelShare, 'Share of messages in which a maker cancels. In all others one places.'),
    informed_share: within(
      0,
      1,
      D.informedShare,
      'Chance in each message that a quote on the wrong side of the fair price trades.',
    ),
    halt_every: within(
      0,
      1_000_000_000,
      D.haltEvery,
      "Mean number of a market's messages between two halts; 0 for none.",
    ),
    halt_ms: whole(1, 86_400_000, D.haltMs, 'Length of a halt, ms.'),
    place_delay_ms: whole(0, 60_000, D.placeDelayMs, "The venue's delay of new orders, ms."),
    receive_delay_ms: whole(
      0,
      60_000,
      D.receiveDelayMs,
      'Receive time less exchange time, ms. 0 for no receive times.',
    ),
  })
  .describe('A synthetic tape: markets generated from a seed, for tests of scale.');

export function recipeOf(file: z.output<typeof recipeSchema>): SyntheticRecipe {
  return {
    seed: file.seed,
    events: file.events,
    markets: file.markets,
    start: parseTime('start', file.start),
    messagesPerSecond: file.messages_per_second,
    tickBps: file.tick_bps,
    openingBps: file.opening_bps,
    totalVolatility: file.total_volatility,
    drift: file.drift,
    jumps: file.jumps,
    jumpLogOdds: file.jump_log_odds,
    endVolatility: file.end_volatility,
    errorBps: file.error_bps,
    errorMessages: file.error_messages,
    halfSpreadBps: file.half_spread_bps,
    depthBps: file.depth_bps,
    minLevels: file.min_levels,
    medianShares: file.median_shares,
    sizeSpread: file.size_spread,
    takeShare: file.take_share,
    cancelShare: file.cancel_share,
    informedShare: file.informed_share,
    haltEvery: file.halt_every,
    haltMs: file.halt_ms,
    placeDelayMs: file.place_delay_ms,
    receiveDelayMs: file.receive_delay_ms,
  };
}

/** Renames the field of a generator's fault as in the file: `cancelShare` is `cancel_share` there. */
export function inFileTerms(fault: unknown): unknown {
  if (!(fault instanceof InputFault)) return fault;
  const field = fault.field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return new InputFault(field, fault.received, fault.expected, { cause: fault });
}

function within(least: number, most: number, preset: number, meaning: string): z.ZodDefault<z.ZodNumber> {
  return z.number().min(least).max(most).describe(`${meaning} Default ${preset}.`).default(preset);
}

function whole(least: number, most: number, preset: number, meaning: string): z.ZodDefault<z.ZodInt> {
  return z.int().min(least).max(most).describe(`${meaning} Default ${preset}.`).default(preset);
}

function isTime(text: string): boolean {
  try {
    parseTime('start', text);
    return true;
  } catch (fault) {
    if (fault instanceof InputFault) return false;
    throw fault;
  }
}
