/** What a regime does to quotes (docs/spec/models.md#event-regime). No quote gets a better price or a larger size. */
import {
  gridAbove,
  gridDown,
  type MarketView,
  makerQuotes,
  microShares,
  type PriceGrid,
  type Quote,
  type QuoteSpec,
  sharesFloor,
  toShares,
  withinPosition,
} from 'halfspread';
import type { EventRegimeParams } from './params.ts';

/** What a jump of the mid has to reach, bps. Infinity when jumps do not count, or need a volatility that is unknown. */
export function jumpLine(params: EventRegimeParams, tick: number, sigma: number | undefined): number {
  const { jump_ticks: ticks, jump_sigmas: sigmas, jump_window: window } = params;
  const fromSigma = sigma === undefined ? 0 : sigmas * sigma * Math.sqrt(window);
  const line = Math.max(ticks * tick, fromSigma);
  return line > 0 ? line : Number.POSITIVE_INFINITY;
}

/** Price step at a price, bps: the distance between the price of the grid at or below it and the next one. */
export function tickAt(grid: PriceGrid, price: number): number {
  const below = gridDown(grid, price);
  const above = below === undefined ? undefined : gridAbove(grid, below);
  return below === undefined || above === undefined ? 1 : above - below;
}

export interface WidthInputs {
  /** Bps per square root of a second; undefined while unknown. */
  readonly fast: number | undefined;
  readonly slow: number | undefined;
  /** Seconds since the end of the last pull; Infinity without one. */
  readonly sincePull: number;
}

/** Factor on the distance of quotes from their middle, at least 1. */
export function widthMultiplier(params: EventRegimeParams, { fast, slow, sincePull }: WidthInputs): number {
  const { max_vol_multiplier: most, recovery_multiplier: recovery, recovery_time: time } = params;
  const ratio = fast === undefined || slow === undefined || slow === 0 ? 1 : fast / slow;
  const left = Math.max(0, 1 - sincePull / time);
  return Math.min(Math.max(ratio, 1), most) * (1 + (recovery - 1) * left);
}

/** Factor on sizes so long before resolution (seconds): from 1 down to 0 at the reduce-only window. */
export function sizeFactor(
  { taper_window: taper, reduce_only_window: reduce }: EventRegimeParams,
  left: number,
): number {
  return left >= taper ? 1 : Math.max(0, (left - reduce) / (taper - reduce));
}

/**
 * Moves quotes away from the middle of the best bid and ask among them; of quotes on one side alone, away from `mid` (bps).
 * A quote on the wrong side of it stays.
 */
export function widened(quotes: readonly Quote[], multiplier: number, mid: number): readonly QuoteSpec[] {
  const prices = (wanted: Quote['side']) => quotes.filter(({ side }) => side === wanted).map(({ price }) => price);
  const [bids, asks] = [prices('bid'), prices('ask')];
  const center = bids.length === 0 || asks.length === 0 ? mid : (Math.max(...bids) + Math.min(...asks)) / 2;
  return quotes.map((quote) => {
    // To a millionth of a bps, nearest: noise of floats does not move a quote by a whole price step.
    const moved = Math.round((center + multiplier * (quote.price - center)) * 1e6) / 1e6;
    return { ...quote, price: quote.side === 'bid' ? Math.min(quote.price, moved) : Math.max(quote.price, moved) };
  });
}

export interface Regime {
  readonly multiplier: number;
  /** Seconds to resolution; Infinity while unknown. */
  readonly left: number;
}

/** The quotes of a regime: the same list when it changes nothing. Sizes are rounded down to the lot. */
export function regimeQuotes(
  params: EventRegimeParams,
  market: MarketView,
  quotes: readonly Quote[],
  { multiplier, left }: Regime,
): readonly Quote[] {
  if (left <= params.halt_window) return [];
  const isReducing = left <= params.reduce_only_window;
  const factor = isReducing ? 1 : sizeFactor(params, left);
  if (multiplier === 1 && factor === 1 && !isReducing) return quotes;
  const wide = widened(quotes, multiplier, (market.mark ?? 0) / 2);
  const { net } = market.position;
  const sized = isReducing
    ? withinPosition(wide, net, microShares(0))
    : wide.map((quote) => ({ ...quote, shares: sharesFloor(toShares(quote.shares) * factor) }));
  return makerQuotes(market, sized);
}
