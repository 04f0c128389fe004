import { type QuoteSpec, sharesFloor } from 'halfspread';
import type { GridParams } from './params.ts';

/** The centre after the mid moved, bps: it follows once the mid is `recentre_steps` intervals away. */
export function centreAfter(centre: number | undefined, mid: number, params: GridParams): number {
  if (centre === undefined) return mid;
  return Math.abs(mid - centre) >= params.recentre_steps * params.grid_interval ? mid : centre;
}

/** Levels at multiples of the interval around the centre. @param held YES less NO, shares */
export function levelQuotes(params: GridParams, centre: number, held: number): readonly QuoteSpec[] {
  const { grid_interval: interval, half_spread: half } = params;
  const reservation = centre - params.skew_bps_per_share * held;
  const bid = Math.floor((reservation - half) / interval) * interval;
  const ask = Math.ceil((reservation + half) / interval) * interval;
  const shares = sharesFloor(params.order_amount);
  return Array.from({ length: params.order_levels }, (_, level): readonly QuoteSpec[] => [
    { side: 'bid', price: bid - level * interval, shares },
    { side: 'ask', price: ask + level * interval, shares },
  ]).flat();
}
