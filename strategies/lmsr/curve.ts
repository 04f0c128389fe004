/**
 * The logarithmic market scoring rule as a price curve (Hanson 2003). All that it needs is the own inventory, so on every
 * path the loss is bounded. Probabilities are 0 to 1, sizes in shares, amounts in USD.
 */
import { FULL_BPS, type QuoteSpec, sharesFloor } from 'halfspread';
import type { LmsrParams } from './params.ts';

export interface Curve {
  /** Price at which nothing was bought or sold, 0 to 1. */
  readonly start: number;
  /** Depth, shares. */
  readonly b: number;
}

/** The curve of the parameters from a price on. With `max_loss_usd` it is as deep as that loss allows. */
export function curveFrom(params: LmsrParams, start: number): Curve {
  const { b, max_loss_usd: loss = 0 } = params;
  return { start, b: b ?? loss / Math.max(-Math.log(start), -Math.log(1 - start)) };
}

/** What `bought` shares of YES have cost in all; negative shares were sold. */
export function costOf({ start, b }: Curve, bought: number): number {
  return -b * Math.log1p(start * Math.expm1(-bought / b));
}

/** The price of the next share. */
export function priceAfter({ start, b }: Curve, bought: number): number {
  const odds = Math.log(start / (1 - start)) - bought / b;
  return 1 / (1 + Math.exp(-odds));
}

/** Levels of `order_amount` along the curve, moved away from it by `quote_spread_bps`. @param bought shares since the start */
export function curveQuotes(params: LmsrParams, curve: Curve, bought: number): readonly QuoteSpec[] {
  const { order_amount: amount, order_levels: levels, quote_spread_bps: spread } = params;
  const shares = sharesFloor(amount);
  const mean = (from: number, to: number): number =>
    ((costOf(curve, to) - costOf(curve, from)) / (to - from)) * FULL_BPS;
  return Array.from({ length: levels }, (_, level): readonly QuoteSpec[] => {
    const [near, far] = [level * amount, (level + 1) * amount];
    return [
      { side: 'bid', price: mean(bought + near, bought + far) - spread, shares },
      { side: 'ask', price: mean(bought - far, bought - near) + spread, shares },
    ];
  })
    .flat()
    .filter(({ price }) => price > 0 && price < FULL_BPS);
}
