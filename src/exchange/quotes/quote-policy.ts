/** Distance of retail quotes from the reference (docs/spec/venue.md#quoted-prices). */
import { FULL_BPS, mulDivCeil } from '../../domain/index.ts';

/** One outcome of a market, with prices in that outcome's terms. */
interface QuoteBasis {
  /** bps, 1 … 9999. */
  readonly reference: number;
  /** Price of its cheapest seller, bps; undefined without a seller. */
  readonly bestAsk: number | undefined;
  /** The venue's `spreadBps`: a whole number from 0. */
  readonly spreadBps: number;
}

/** Returns the price of one share of an outcome, whole bps, before rounding to the tick and clamping. */
export type QuotePolicy = (basis: QuoteBasis) => number;

/** Adds half of the spread; rounds **up**. */
export const additive: QuotePolicy = ({ reference, spreadBps }) => reference + Math.ceil(spreadBps / 2);

/** Adds the spread as a fraction of the reference; rounds **up**. */
const multiplicative: QuotePolicy = ({ reference, spreadBps }) => mulDivCeil(reference, FULL_BPS + spreadBps, FULL_BPS);

/** Adds half of the spread times 4p(1 - p): all of it at 5000, nothing at 0 and 10000; rounds **up**. */
export const varianceScaled: QuotePolicy = ({ reference, spreadBps }) =>
  reference + mulDivCeil(2 * reference * (FULL_BPS - reference), spreadBps, FULL_BPS * FULL_BPS);

/** Returns the best ask; `additive` without an ask. */
export const fromBook: QuotePolicy = (basis) => basis.bestAsk ?? additive(basis);

/** The policies by their names in the configuration. */
export const QUOTE_POLICIES = {
  additive,
  multiplicative,
  variance: varianceScaled,
  book: fromBook,
} as const satisfies Record<string, QuotePolicy>;
export type QuotePolicyName = keyof typeof QUOTE_POLICIES;
