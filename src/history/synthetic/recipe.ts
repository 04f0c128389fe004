import { type EpochMs, epochMs, InputFault } from '../../domain/index.ts';

/** What a synthetic tape is made of. The same recipe gives the same rows on every machine. */
export interface SyntheticRecipe {
  /** Seed of everything random, 0..2^32-1. */
  readonly seed: number;
  /** Rows wanted; the tape has at least as many, at most one message more, and never less than its opening books. */
  readonly events: number;
  /** Markets on the tape, 1..65536; each message picks one at random. */
  readonly markets: number;
  readonly start: EpochMs;
  /** Mean rate of messages of all markets together; arrivals are a Poisson process. */
  readonly messagesPerSecond: number;
  /** Price step in bps, a divisor of 10000. */
  readonly tickBps: number;
  /** Where the fair price begins, bps. */
  readonly openingBps: number;
  /**
   * Standard deviation that the log-odds of the fair price gather over the whole tape: 0 stands still, 1 wanders from a
   * half to a quarter or three quarters, 4 decides most markets.
   */
  readonly totalVolatility: number;
  /** What the log-odds of the fair price gain over the whole tape at a half; then it is no martingale. 0 for none. */
  readonly drift: number;
  /** Mean number of jumps of each market's fair price over the whole tape; 0 for none. */
  readonly jumps: number;
  /** Size of a jump in log-odds, up or down at random. */
  readonly jumpLogOdds: number;
  /** Volatility at the end of the tape over that at its start; it changes evenly. 1 for the same. */
  readonly endVolatility: number;
  /** Standard deviation of what makers believe around what the price is at a half, bps; smaller towards 0 and 1. */
  readonly errorBps: number;
  /** Messages of its market after which an error has shrunk to 1/e. */
  readonly errorMessages: number;
  /** Makers quote at least this far from what they believe, bps. */
  readonly halfSpreadBps: number;
  /** Mean distance of a new quote behind that, bps. */
  readonly depthBps: number;
  /** Levels a side below which makers fill up first. */
  readonly minLevels: number;
  /** Median size of a quote, shares; takers want half of it in the median. Sizes are log-normal. */
  readonly medianShares: number;
  /** Standard deviation of the logarithm of a size. */
  readonly sizeSpread: number;
  /** Share of messages with the trade of an uninformed taker, 0..1. */
  readonly takeShare: number;
  /** Share of messages in which a maker cancels, 0..1; all others place. */
  readonly cancelShare: number;
  /** Chance per message, 0..1, that an informed taker takes a quote on the wrong side of the fair price. */
  readonly informedShare: number;
  /** Mean number of a market's messages between two halts; 0 for none. */
  readonly haltEvery: number;
  /** Length of a halt, ms. */
  readonly haltMs: number;
  /** The venue's delay of places, ms. */
  readonly placeDelayMs: number;
  /** Receive time minus exchange time, ms; 0 leaves the receive times out. */
  readonly receiveDelayMs: number;
}

/** A million rows of one lively market, about three days. */
export const DEFAULT_RECIPE: SyntheticRecipe = {
  seed: 1,
  events: 1_000_000,
  markets: 1,
  start: epochMs(1_767_225_600_000),
  messagesPerSecond: 4,
  tickBps: 10,
  openingBps: 5_000,
  totalVolatility: 1,
  drift: 0,
  jumps: 0,
  jumpLogOdds: 0.5,
  endVolatility: 1,
  errorBps: 70,
  errorMessages: 200,
  halfSpreadBps: 10,
  depthBps: 40,
  minLevels: 5,
  medianShares: 100,
  sizeSpread: 1.2,
  takeShare: 0.06,
  cancelShare: 0.4,
  informedShare: 0.3,
  haltEvery: 0,
  haltMs: 30_000,
  placeDelayMs: 0,
  receiveDelayMs: 0,
};

/** Refuses a recipe that cannot be followed. @throws InputFault that names the field */
export function checkRecipe(recipe: SyntheticRecipe): void {
  const within = (field: keyof SyntheticRecipe, least: number, most: number, whole = false): void => {
    const value = recipe[field];
    if (!(value >= least && value <= most) || (whole && !Number.isInteger(value))) {
      throw new InputFault(field, value, `${whole ? 'an integer' : 'a number'} from ${least} to ${most}`);
    }
  };
  within('seed', 0, 4_294_967_295, true);
  within('events', 1, 100_000_000_000, true);
  within('markets', 1, 65_536, true);
  within('start', 0, 4_102_444_800_000, true);
  within('messagesPerSecond', 0.000_001, 1_000_000);
  within('tickBps', 1, 1_000, true);
  if (10_000 % recipe.tickBps !== 0) throw new InputFault('tickBps', recipe.tickBps, 'a divisor of 10000');
  within('openingBps', recipe.tickBps, 10_000 - recipe.tickBps);
  within('totalVolatility', 0, 100);
  within('drift', -20, 20);
  within('jumps', 0, 1_000_000);
  within('jumpLogOdds', 0, 10);
  within('endVolatility', 0, 1_000);
  within('errorBps', 0, 5_000);
  within('errorMessages', 1, 1_000_000_000);
  within('halfSpreadBps', 0, 5_000);
  within('depthBps', 0, 5_000);
  within('minLevels', 1, 1_000, true);
  within('medianShares', 0.01, 1_000_000);
  within('sizeSpread', 0, 3);
  within('takeShare', 0, 1);
  within('cancelShare', 0, 1);
  if (recipe.takeShare + recipe.cancelShare > 1) {
    throw new InputFault('cancelShare', recipe.cancelShare, 'no more than is left beside takeShare');
  }
  within('informedShare', 0, 1);
  within('haltEvery', 0, 1_000_000_000);
  within('haltMs', 1, 86_400_000, true);
  within('placeDelayMs', 0, 60_000, true);
  within('receiveDelayMs', 0, 60_000, true);
}
