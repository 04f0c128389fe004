import { epochMs, InputFault } from '../../domain/index.ts';

/** The default recipe gives a million rows of one market over three days. Equal recipes give equal rows everywhere. */
export const DEFAULT_RECIPE = {
  /** Seed of the random generator, 0..2^32-1. */
  seed: 1,
  /** Minimum number of rows. The last message may exceed it. A small number gives only the opening books. */
  events: 1_000_000,
  /** Number of markets, 1..65536; each message belongs to a random market. */
  markets: 1,
  start: epochMs(1_767_225_600_000),
  /** Mean rate of messages of all markets together; arrivals are a Poisson process. */
  messagesPerSecond: 4,
  /** Price step in bps, a divisor of 10000. */
  tickBps: 10,
  /** Initial fair price, bps. */
  openingBps: 5_000,
  /**
   * Standard deviation of the fair price's change over the whole tape, in log-odds. 0 is constant. 1 moves from a
   * half to about a quarter or three quarters. With 4, most markets end near 0 or 1.
   */
  totalVolatility: 1,
  /** Drift of the fair price over the whole tape, in log-odds, at a price of 0.5. Only 0 makes a martingale. */
  drift: 0,
  /**
   * Mean number of jumps of each market's fair price over the whole tape. A jump moves the price towards a half on
   * average, so only 0 makes a martingale.
   */
  jumps: 0,
  /** Size of a jump in log-odds, up or down at random. */
  jumpLogOdds: 0.5,
  /** Ratio of the final to the initial volatility, which changes linearly. 1 for constant volatility. */
  endVolatility: 1,
  /** Standard deviation of the makers' price error at a fair price of a half, bps; smaller towards 0 and 1. */
  errorBps: 70,
  /** Number of the market's messages in which an error decays to 1/e. */
  errorMessages: 200,
  /** Minimum distance of a quote from the makers' estimate, bps. */
  halfSpreadBps: 10,
  /** Mean additional distance of a new quote, bps. */
  depthBps: 40,
  /** Number of levels per side that makers restore first. */
  minLevels: 5,
  /** Median size of a quote, shares. Uninformed takers trade half as much. Sizes are log-normal. */
  medianShares: 100,
  /** Standard deviation of the logarithm of a size. */
  sizeSpread: 1.2,
  /** Fraction of messages with an uninformed taker's trade, 0..1. */
  takeShare: 0.06,
  /** Fraction of messages in which a maker cancels, 0..1; in all others a maker places an order. */
  cancelShare: 0.4,
  /** Probability per message, 0..1, that an informed taker trades against a quote beyond the fair price. */
  informedShare: 0.3,
  /** Mean number of a market's messages between two halts; 0 for none. */
  haltEvery: 0,
  /** Length of a halt, ms. */
  haltMs: 30_000,
  /** The venue's delay of new orders, ms. */
  placeDelayMs: 0,
  /** Receive time minus exchange time, ms; 0 for a tape without receive times. */
  receiveDelayMs: 0,
};
export type SyntheticRecipe = Readonly<typeof DEFAULT_RECIPE>;

interface Range {
  readonly min: number;
  readonly max: number;
  readonly isWhole?: boolean;
}

export const RECIPE_RANGES: Readonly<Record<keyof SyntheticRecipe, Range>> = {
  seed: { min: 0, max: 4_294_967_295, isWhole: true },
  events: { min: 1, max: 100_000_000_000, isWhole: true },
  markets: { min: 1, max: 65_536, isWhole: true },
  start: { min: 0, max: 4_102_444_800_000, isWhole: true },
  messagesPerSecond: { min: 0.000_001, max: 1_000_000 },
  tickBps: { min: 1, max: 1_000, isWhole: true },
  openingBps: { min: 1, max: 9_999 },
  totalVolatility: { min: 0, max: 100 },
  drift: { min: -20, max: 20 },
  jumps: { min: 0, max: 1_000_000 },
  jumpLogOdds: { min: 0, max: 10 },
  endVolatility: { min: 0, max: 1_000 },
  errorBps: { min: 0, max: 5_000 },
  errorMessages: { min: 1, max: 1_000_000_000 },
  halfSpreadBps: { min: 0, max: 5_000 },
  depthBps: { min: 0, max: 5_000 },
  minLevels: { min: 1, max: 1_000, isWhole: true },
  medianShares: { min: 0.01, max: 1_000_000 },
  sizeSpread: { min: 0, max: 3 },
  takeShare: { min: 0, max: 1 },
  cancelShare: { min: 0, max: 1 },
  informedShare: { min: 0, max: 1 },
  haltEvery: { min: 0, max: 1_000_000_000 },
  haltMs: { min: 1, max: 86_400_000, isWhole: true },
  placeDelayMs: { min: 0, max: 60_000, isWhole: true },
  receiveDelayMs: { min: 0, max: 60_000, isWhole: true },
};

/** @throws InputFault that names the invalid field */
export function checkRecipe(recipe: SyntheticRecipe): void {
  const { tickBps, takeShare, cancelShare } = recipe;
  for (const field of Object.keys(RECIPE_RANGES).filter(isField)) checkRange(recipe, field, RECIPE_RANGES[field]);
  if (10_000 % tickBps !== 0) throw new InputFault('tickBps', tickBps, 'a divisor of 10000');
  checkRange(recipe, 'openingBps', { min: tickBps, max: 10_000 - tickBps });
  if (takeShare + cancelShare > 1)
    throw new InputFault('cancelShare', cancelShare, 'at most 1 minus the share of takers');
}

function isField(name: string): name is keyof SyntheticRecipe {
  return Object.hasOwn(RECIPE_RANGES, name);
}

function checkRange(recipe: SyntheticRecipe, field: keyof SyntheticRecipe, { min, max, isWhole = false }: Range): void {
  const value = recipe[field];
  if (value >= min && value <= max && (!isWhole || Number.isInteger(value))) return;
  throw new InputFault(field, value, `${isWhole ? 'an integer' : 'a number'} from ${min} to ${max}`);
}
