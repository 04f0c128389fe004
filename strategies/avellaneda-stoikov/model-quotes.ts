import {
  gammaFromShift,
  halfSpread,
  type MakerInputs,
  type MakerModel,
  reservationPrice,
  varianceLeft,
} from 'halfspread';
import type { AvellanedaStoikovParams } from './params.ts';

/**
 * A bid and an ask around the reservation price (docs/spec/models.md#avellaneda-and-stoikov). Undefined when there is no time
 * left, or no volatility from which gamma follows.
 * @param horizon seconds; undefined when unknown
 */
export function modelQuotes(
  params: AvellanedaStoikovParams,
  { mid, net, sigma, kappa }: Pick<MakerInputs, 'mid' | 'net' | 'sigma' | 'kappa'>,
  horizon: number | undefined,
): MakerModel | undefined {
  if (horizon === undefined || horizon <= 0) return undefined;
  const variance = varianceLeft(sigma, horizon, mid);
  const gamma = params.gamma ?? gammaFromShift((params.max_skew_bps ?? 0) / 10_000, params.max_position, variance);
  if (gamma === undefined) return undefined;
  const centre = reservationPrice({ mid, net, gamma, variance });
  const half = halfSpread({ gamma, kappa, orderAmount: params.order_amount, variance });
  return { bid: centre - half, ask: centre + half };
}
