/**
 * Finds valid prices in recorded markets, where only prices of the tape are valid. A resting order must use a price of
 * its own side (docs/spec/models.md#price-grid).
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
import type { ApiRefusal } from '../rejection.ts';

export interface PricedOrder {
  readonly outcome: Outcome;
  readonly side: Side;
  readonly priceBps: number;
  readonly timeInForce: 'GTC' | 'GTD' | 'FOK' | 'FAK';
}

/**
 * Returns the valid prices next to an invalid price, in bps of the order's outcome. The price that is better for the
 * order's owner comes first. Returns undefined if the price is valid or the market has no price list.
 */
export function findNearestPrices(
  order: PricedOrder,
  { following }: Readonly<MarketRecord>,
): readonly PriceBps[] | undefined {
  const grid = following?.grid;
  if (grid?.type !== 'list') return undefined;
  const { outcome, side, priceBps, timeInForce } = order;
  const sign = yesSign(outcome, side);
  const yes = outcome === 'YES' ? priceBps : FULL_BPS - priceBps;
  const canRest = timeInForce === 'GTC' || timeInForce === 'GTD';
  if (onGrid(grid, yes, canRest ? sign : undefined)) return undefined;
  const prices = sign === 1 ? grid.bids : grid.asks;
  const nearest = [prices.findLast((price) => price < yes), prices.find((price) => price > yes)];
  if (sign === -1) nearest.reverse();
  return nearest.flatMap((price) => (price === undefined ? [] : [yesPrice(outcome, price)]));
}

/** Adds the result of `findNearestPrices` to a refusal of the price: all prices to the text, the first as `limit`. */
export function withNearestPrice(
  refusal: ApiRefusal,
  order: PricedOrder & { readonly marketId: MarketId },
  view: ExchangeView,
): ApiRefusal {
  if (refusal.reason !== 'INVALID_TICK' || refusal.limit !== undefined) return refusal;
  const market = view.marketById(order.marketId);
  const nearest = market === undefined ? undefined : findNearestPrices(order, market);
  const [limit] = nearest ?? [];
  if (nearest === undefined || limit === undefined) return refusal;
  const explanation = `the market is a recording with fixed prices: the nearest are ${nearest.join(' and ')}`;
  return { ...refusal, explanation, limit, value: order.priceBps, unit: 'BPS' };
}
