/** Schema of the recipe of a synthetic tape: the figures of `SyntheticRecipe`. */
import { z } from 'zod';
import { formatTime, InputFault, parseTime } from '../domain/index.ts';
import { DEFAULT_RECIPE, RECIPE_RANGES, type SyntheticRecipe } from '../history/index.ts';
import { fileVersion, isoTime, whole, within } from '../strategy/index.ts';

export const recipeSchema = z
  .strictObject({
    version: fileVersion,
    seed: figure('seed', 'Seed of all random numbers.'),
    events: figure('events', 'Number of rows.'),
    markets: figure('markets', 'Number of markets.'),
    start: isoTime
      .default(formatTime(DEFAULT_RECIPE.start))
      .describe(`Exchange time of the first message, ISO 8601 with Z. Default ${formatTime(DEFAULT_RECIPE.start)}.`),
    messages_per_second: figure('messagesPerSecond', 'Mean rate of messages of all markets, 1/s.'),
    tick_bps: figure('tickBps', 'Price step, bps; a divisor of 10000.'),
    opening_bps: figure('openingBps', 'Initial fair price, bps.'),
    total_volatility: figure('totalVolatility', 'Standard deviation of the change of the fair log-odds over the tape.'),
    drift: figure('drift', 'Drift of the fair log-odds over the tape at a fair price of one half; 0 for none.'),
    jumps: figure('jumps', "Mean number of jumps of a market's fair price over the tape. 0 for none."),
    jump_log_odds: figure('jumpLogOdds', 'Size of a jump, log-odds, up or down at random.'),
    end_volatility: figure('endVolatility', 'Volatility at the end of the tape over that at its start.'),
    error_bps: figure('errorBps', "Standard deviation of the makers' price error at a fair price of one half, bps."),
    error_messages: figure('errorMessages', "Number of the market's messages after which an error has shrunk to 1/e."),
    half_spread_bps: figure('halfSpreadBps', "Least distance of a quote from its maker's price, bps."),
    depth_bps: figure('depthBps', 'Mean further distance of a new quote, bps.'),
    min_levels: figure('minLevels', 'With fewer levels a side, makers add levels first.'),
    median_shares: figure('medianShares', 'Median size of a quote, shares.'),
    size_spread: figure('sizeSpread', 'Standard deviation of the logarithm of a size.'),
    take_share: figure('takeShare', 'Share of messages with a trade of an uninformed taker.'),
    cancel_share: figure(
      'cancelShare',
      'Share of messages in which a maker cancels a quote. A maker places one in those left by this and take_share.',
    ),
    informed_share: figure(
      'informedShare',
      'Chance in each message that a quote on the wrong side of the fair price trades.',
    ),
    halt_every: figure('haltEvery', "Mean number of a market's messages between two halts; 0 for none."),
    halt_ms: figure('haltMs', 'Length of a halt, ms.'),
    place_delay_ms: figure('placeDelayMs', "The venue's delay of new orders, ms."),
    receive_delay_ms: figure('receiveDelayMs', 'Receive time less exchange time, ms. 0 for no receive times.'),
  })
  .describe('A synthetic tape: markets generated from a seed, for tests of scale.');

export function recipeOf({ version: _version, start, ...figures }: z.output<typeof recipeSchema>): SyntheticRecipe {
  const named = Object.entries(figures).map(([name, figure]) => [camelCase(name), figure]);
  return { ...DEFAULT_RECIPE, ...Object.fromEntries(named), start: parseTime('start', start) };
}

/** Replaces the field of a generator's fault by the key of the file: `cancelShare` by `cancel_share`. */
export function inFileTerms(fault: unknown): unknown {
  if (!(fault instanceof InputFault)) return fault;
  const field = fault.field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return new InputFault(field, fault.received, fault.expected, { cause: fault });
}

function figure(name: keyof SyntheticRecipe, meaning: string): z.ZodDefault<z.ZodNumber> {
  const { min, max, isWhole } = RECIPE_RANGES[name];
  return (isWhole === true ? whole : within)(min, max, DEFAULT_RECIPE[name], meaning);
}

function camelCase(name: string): string {
  return name.replace(/_[a-z]/g, (letter) => letter.slice(1).toUpperCase());
}
