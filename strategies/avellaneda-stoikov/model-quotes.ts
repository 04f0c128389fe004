/** Computes a bid and an ask with the chosen model. */
import { gammaFromShift, halfSpread, reservationPrice, varianceLeft } from 'halfspread';
import { glftQuotes } from './glft.ts';
import type { AvellanedaStoikovParams } from './params.ts';

/** Inputs of the models. Money in USD of the $1 payout, time in seconds, sizes in shares. */
export interface ModelInputs {
  /** In (0, 1). */
  readonly mid: number;
  /** Position net of its target, YES minus NO. */
  readonly net: number;
  /** USD per square root of a second. */
  readonly sigma: number;
  /** Seconds to the horizon; undefined when unknown. Not used by glft. */
  readonly horizon: number | undefined;
  /** Decay of the fill rate, 1/USD. */
  readonly kappa: number;
  /** Fill rate of an own order at the mid, 1/s; undefined while unknown. Used by glft only. */
  readonly intensity: number | undefined;
}

/** USD of the $1 payout. Prices outside (0, 1) are not quoted. */
export interface ModelQuotes {
  readonly bid: number;
  readonly ask: number;
}

/**
 * Undefined when there is no time left, no fill rate, no volatility from which gamma follows, or a result that is not
 * finite.
 */
export function modelQuotes(params: AvellanedaStoikovParams, inputs: ModelInputs): ModelQuotes | undefined {
  const quotes = params.model === 'glft' ? stationary(params, inputs) : toHorizon(params, inputs);
  if (quotes === undefined || !Number.isFinite(quotes.bid) || !Number.isFinite(quotes.ask)) return undefined;
  return apart(quotes, params.min_spread / 10_000);
}

function toHorizon(params: AvellanedaStoikovParams, inputs: ModelInputs): ModelQuotes | undefined {
  const { mid, net, sigma, horizon, kappa } = inputs;
  if (horizon === undefined || horizon <= 0) return undefined;
  const variance = varianceLeft(sigma, horizon, mid);
  const gamma = params.gamma ?? gammaFromShift((params.max_skew_bps ?? 0) / 10_000, params.max_position, variance);
  if (gamma === undefined) return undefined;
  const centre = reservationPrice({ mid, net, gamma, variance });
  const half = halfSpread({ gamma, kappa, orderAmount: params.order_amount, variance });
  return { bid: centre - half, ask: centre + half };
}

function stationary(
  params: AvellanedaStoikovParams,
  { mid, net, sigma, kappa, intensity }: ModelInputs,
): ModelQuotes | undefined {
  const { gamma, order_amount: orderAmount } = params;
  if (gamma === undefined || intensity === undefined) return undefined;
  return glftQuotes({
    mid,
    net,
    gamma,
    kappa,
    intensity,
    orderAmount,
    sigma,
    adjSpread: params.adj_spread,
    adjSkew: params.adj_skew,
    maxHalf: params.max_half_spread_bps / 10_000,
  });
}

function apart({ bid, ask }: ModelQuotes, least: number): ModelQuotes {
  const missing = Math.max(0, least - (ask - bid)) / 2;
  return { bid: bid - missing, ask: ask + missing };
}
