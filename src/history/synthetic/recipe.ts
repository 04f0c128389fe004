import { epochMs, InputFault } from '../../domain/index.ts';

/**
 * What a synthetic tape is made of. The same recipe gives the same rows on every machine. This one gives a million rows of one
 * lively market, about three days.
 */
export const DEFAULT_RECIPE = {
  /** Seed of everything random, 0..2^32-1. */
  seed: 1,
  /** Rows wanted; the tape has at least as many, at most one message more, and never less than its opening books. */
  events: 1_000_000,
  /** Markets on the tape, 1..65536; each message picks one at random. */
  markets: 1,
  start: epochMs(1_767_225_600_000),
  /** Mean rate of messages of all markets together; arrivals are a Poisson process. */
  messagesPerSecond: 4,
  /** Price step in bps, a divisor of 10000. */
  tickBps: 10,
  /** Where the fair price begins, bps. */
  openingBps: 5_000,
  /**
   * Standard deviation that the log-odds of the fair price gather over the whole tape: 0 stands still, 1 wanders from a
   * half to a quarter or three quarters, 4 decides most markets.
   */
  totalVolatility: 1,
  /** What the log-odds of the fair price gain over the whole tape at a half; then it is no martingale. 0 for none. */
  drift: 0,
  /** Mean number of jumps of each market's fair price over the whole tape; 0 for none. */
  jumps: 0,
  /** Size of a jump in log-odds, up or down at random. */
  jumpLogOdds: 0.5,
  /** Volatility at the end of the tape over that at its start; it changes evenly. 1 for the same. */
  endVolatility: 1,
  /** Standard deviation of what makers believe around what the price is at a half, bps; smaller towards 0 and 1. */
  errorBps: 70,
  /** Messages of its market after which an error has shrunk to 1/e. */
  errorMessages: 200,
  /** Makers quote at least this far from what they believe, bps. */
  halfSpreadBps: 10,
  /** Mean distance of a new quote behind that, bps. */
  depthBps: 40,
  /** Levels a side below which makers fill up first. */
  minLevels: 5,
  /** Median size of a quote, shares; takers want half of it in the median. Sizes are log-normal. */
  medianShares: 100,
  /** Standard deviation of the logarithm of a size. */
  sizeSpread: 1.2,
  /** Share of messages with the trade of an uninformed taker, 0..1. */
  takeShare: 0.06,
  /** Share of messages in which a maker cancels, 0..1; all others place. */
  cancelShare: 0.4,
  /** Chance per message, 0..1, that an informed taker takes a quote on the wrong side of the fair price. */
  informedShare: 0.3,
  /** Mean number of a market's messages between two halts; 0 for none. */
  haltEvery: 0,
  /** Length of a halt, ms. */
  haltMs: 30_000,
  /** The venue's delay of places, ms. */
  placeDelayMs: 0,
  /** Receive time minus exchange time, ms; 0 leaves the receive times out. */
  receiveDelayMs: 0,
};
export type SyntheticRecipe = Readonly<typeof DEFAULT_RECIPE>;

interface Range {
  readonly least: number;
  readonly most: number;
  readonly isWhole?: boolean;
}

/** What each figure may be, by itself. */
export const RECIPE_RANGES: Readonly<Record<keyof SyntheticRecipe, Range>> = {
  seed: { least: 0, most: 4_294_967_295, isWhole: true },
  events: { least: 1, most: 100_000_000_000, isWhole: true },
  markets: { least: 1, most: 65_536, isWhole: true },
  start: { least: 0, most: 4_102_444_800_000, isWhole: true },
  messagesPerSecond: { least: 0.000_001, most: 1_000_000 },
  tickBps: { least: 1, most: 1_000, isWhole: true },
  openingBps: { least: 1, most: 9_999 },
  totalVolatility: { least: 0, most: 100 },
  drift: { least: -20, most: 20 },
  jumps: { least: 0, most: 1_000_000 },
  jumpLogOdds: { least: 0, most: 10 },
  endVolatility: { least: 0, most: 1_000 },
  errorBps: { least: 0, most: 5_000 },
  errorMessages: { least: 1, most: 1_000_000_000 },
  halfSpreadBps: { least: 0, most: 5_000 },
  depthBps: { least: 0, most: 5_000 },
  minLevels: { least: 1, most: 1_000, isWhole: true },
  medianShares: { least: 0.01, most: 1_000_000 },
  sizeSpread: { least: 0, most: 3 },
  takeShare: { least: 0, most: 1 },
  cancelShare: { least: 0, most: 1 },
  informedShare: { least: 0, most: 1 },
  haltEvery: { least: 0, most: 1_000_000_000 },
  haltMs: { least: 1, most: 86_400_000, isWhole: true },
  placeDelayMs: { least: 0, most: 60_000, isWhole: true },
  receiveDelayMs: { least: 0, most: 60_000, isWhole: true },
};

/** Refuses a recipe that cannot be followed. @throws InputFault that names the field */
export function checkRecipe(recipe: SyntheticRecipe): void {
  const { tickBps, takeShare, cancelShare } = recipe;
  for (const field of Object.keys(RECIPE_RANGES).filter(isField)) within(recipe, field, RECIPE_RANGES[field]);
  if (10_000 % tickBps !== 0) throw new InputFault('tickBps', tickBps, 'a divisor of 10000');
  within(recipe, 'openingBps', { least: tickBps, most: 10_000 - tickBps });
  if (takeShare + cancelShare > 1)
    throw new InputFault('cancelShare', cancelShare, 'no more than is left beside takeShare');
}

function isField(name: string): name is keyof SyntheticRecipe {
  return Object.hasOwn(RECIPE_RANGES, name);
}

function within(recipe: SyntheticRecipe, field: keyof SyntheticRecipe, { least, most, isWhole = false }: Range): void {
  const value = recipe[field];
  if (value >= least && value <= most && (!isWhole || Number.isInteger(value))) return;
  throw new InputFault(field, value, `${isWhole ? 'an integer' : 'a number'} from ${least} to ${most}`);
}
