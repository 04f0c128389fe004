/**
 * Prices of a recorded market: those of its tape, and of what may rest those of its own side
 * (docs/spec/models.md#price-grid).
 */
import {
  FULL_BPS,
  type MarketId,
  type Outcome,
  onGrid,
  type PriceBps,
  type Side,
  yesPrice,
  yesSign,
} from '../../domain/index.ts';
import type { ExchangeView, MarketRecord } from '../../exchange/index.ts';
import type { Refused } from '../rejection.ts';

export interface Priced {
  readonly outcome: Outcome;
  readonly side: Side;
  readonly priceBps: number;
  readonly timeInForce: 'GTC' | 'GTD' | 'FOK' | 'FAK';
}

/**
 * Nearest prices that an order could have instead, in terms of its outcome, from 1 to 9999 bps; the one that gives nothing
 * away first: of a BUY the lower one.
 * @returns undefined where its price is good, or the market has no list of prices
 */
export function nearestPrices(order: Priced, { following }: Readonly<MarketRecord>): readonly PriceBps[] | undefined {
  const grid = following?.grid;
  if (grid?.type !== 'list') return undefined;
  const { outcome, side, priceBps, timeInForce } = order;
  const sign = yesSign(outcome, side);
  const yes = outcome === 'YES' ? priceBps : FULL_BPS - priceBps;
  const rests = timeInForce === 'GTC' || timeInForce === 'GTD';
  if (onGrid(grid, yes, rests ? sign : undefined)) return undefined;
  const prices = sign === 1 ? grid.bids : grid.asks;
  const near = [prices.findLast((each) => each < yes), prices.find((each) => each > yes)];
  if (sign === -1) near.reverse();
  return near.flatMap((each) => (each === undefined ? [] : [yesPrice(outcome, each)]));
}

/** A refusal of the engine; where it is about a price that the tape does not have, with the nearest one it has as `limit`. */
export function withNearestPrice(
  refusal: Refused,
  order: Priced & { readonly marketId: MarketId },
  view: ExchangeView,
): Refused {
  if (refusal.reason !== 'INVALID_TICK' || refusal.limit !== undefined) return refusal;
  const market = view.marketById(order.marketId);
  const near = market === undefined ? undefined : nearestPrices(order, market);
  const [limit] = near ?? [];
  if (near === undefined || limit === undefined) return refusal;
  const because = `the market is a recording and has its prices: nearest ${near.join(' and ')}`;
  return { ...refusal, because, limit, value: order.priceBps, unit: 'BPS' };
}
