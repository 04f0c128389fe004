/** Schema of a synthetic tape's recipe. The generator defines the ranges and defaults. */
import { z } from 'zod';
import { formatTime, InputFault, parseTime } from '../domain/index.ts';
import { DEFAULT_RECIPE, RECIPE_RANGES, type SyntheticRecipe } from '../history/index.ts';
import { fileVersion, isoTime, whole, within } from '../strategy/index.ts';

export const recipeSchema = z
  .strictObject({
    version: fileVersion,
    seed: numberKey('seed', 'Seed of all random numbers.'),
    events: numberKey('events', 'Number of rows.'),
    markets: numberKey('markets', 'Number of markets.'),
    start: isoTime
      .default(formatTime(DEFAULT_RECIPE.start))
      .describe(`Exchange time of the first message, ISO 8601 with Z. Default ${formatTime(DEFAULT_RECIPE.start)}.`),
    messages_per_second: numberKey('messagesPerSecond', 'Mean rate of messages of all markets, 1/s.'),
    tick_bps: numberKey('tickBps', 'Price step, bps; a divisor of 10000.'),
    opening_bps: numberKey('openingBps', 'Initial fair price, bps.'),
    total_volatility: numberKey('totalVolatility', "Standard deviation of the fair log-odds' change over the tape."),
    drift: numberKey('drift', 'Drift of the fair log-odds over the tape at a fair price of one half; 0 for none.'),
    jumps: numberKey('jumps', "Mean number of jumps of a market's fair price over the tape. 0 for none."),
    jump_log_odds: numberKey(
      'jumpLogOdds',
      'Size of a jump, log-odds, up or down at random. On average, jumps move the price towards one half.',
    ),
    end_volatility: numberKey('endVolatility', 'Volatility at the end of the tape divided by the initial volatility.'),
    error_bps: numberKey('errorBps', "Standard deviation of the makers' price error at a fair price of one half, bps."),
    error_messages: numberKey('errorMessages', "Number of a market's messages in which an error shrinks to 1/e."),
    half_spread_bps: numberKey('halfSpreadBps', "Least distance of a quote from its maker's price, bps."),
    depth_bps: numberKey('depthBps', 'Mean further distance of a new quote, bps.'),
    min_levels: numberKey('minLevels', 'With fewer levels a side, makers add levels first.'),
    median_shares: numberKey('medianShares', 'Median size of a quote, shares.'),
    size_spread: numberKey('sizeSpread', 'Standard deviation of the logarithm of a size.'),
    take_share: numberKey('takeShare', 'Share of messages with a trade of an uninformed taker.'),
    cancel_share: numberKey(
      'cancelShare',
      'Share of messages in which a maker cancels a quote. In messages without a trade or cancel, a maker places a quote.',
    ),
    informed_share: numberKey('informedShare', 'Chance per message that a quote beyond the fair price trades.'),
    halt_every: numberKey('haltEvery', "Mean number of a market's messages between two halts; 0 for none."),
    halt_ms: numberKey('haltMs', 'Length of a halt, ms.'),
    place_delay_ms: numberKey('placeDelayMs', "The venue's delay of new orders, ms."),
    receive_delay_ms: numberKey('receiveDelayMs', 'Receive time less exchange time, ms. 0 for no receive times.'),
  })
  .describe('A synthetic tape: markets generated from a seed, for tests of scale.');

export function toRecipe({ version: _version, start, ...numbers }: z.output<typeof recipeSchema>): SyntheticRecipe {
  const named = Object.entries(numbers).map(([name, value]) => [camelCase(name), value]);
  return { ...DEFAULT_RECIPE, ...Object.fromEntries(named), start: parseTime('start', start) };
}

/** Renames the field of a generator's fault to the file's key: `cancelShare` to `cancel_share`. */
export function withFileKey(fault: unknown): unknown {
  if (!(fault instanceof InputFault)) return fault;
  return new InputFault(snakeCase(fault.field), fault.received, fault.expected, { cause: fault });
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function numberKey(name: keyof SyntheticRecipe, meaning: string): z.ZodDefault<z.ZodNumber> {
  const { min, max, isWhole } = RECIPE_RANGES[name];
  return (isWhole === true ? whole : within)(min, max, DEFAULT_RECIPE[name], meaning);
}

function camelCase(name: string): string {
  return name.replace(/_[a-z]/g, (letter) => letter.slice(1).toUpperCase());
}
