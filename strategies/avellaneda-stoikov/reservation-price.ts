/** Where a maker with inventory is indifferent: Avellaneda & Stoikov (2008), section 3.2, bounded to a price in (0, 1). */

/** Inputs of the reservation price. Money in USD of the $1 payout, sizes in shares. */
export interface Reservation {
  /** Mid, in (0, 1). */
  readonly mid: number;
  /** Position net of its target, YES minus NO. */
  readonly net: number;
  /** Risk aversion, 1/USD. */
  readonly gamma: number;
  /** Variance of the price left to the horizon, USD². */
  readonly variance: number;
}

/**
 * Variance left to the horizon: `min(sigma² * horizon, mid * (1 - mid))`. A price that ends at 0 or 1 has, as a
 * martingale, no more than mid * (1 - mid) of it, whatever the time.
 * @param sigma USD per square root of a second
 * @param horizon seconds
 */
export function varianceLeft(sigma: number, horizon: number, mid: number): number {
  return Math.min(sigma * sigma * horizon, mid * (1 - mid));
}

/**
 * `logistic(logit(mid) - gamma * net * variance / (mid * (1 - mid)))`: stays in (0, 1), equals the paper's
 * `mid - gamma * net * variance` to first order, and is the exact marginal value of a share held to settlement (CARA
 * utility) when the variance is all of mid * (1 - mid). USD.
 */
export function reservationPrice({ mid, net, gamma, variance }: Reservation): number {
  return logistic(Math.log(mid / (1 - mid)) - (gamma * net * variance) / (mid * (1 - mid)));
}

/** The paper's own form, which can leave (0, 1) near the end or with a large position; for comparison. USD. */
export function linearReservationPrice({ mid, net, gamma, variance }: Reservation): number {
  return mid - gamma * net * variance;
}

/**
 * The risk aversion that shifts the reservation price by `shift` (USD) at a position of `maxPosition` shares:
 * `shift / (maxPosition * variance)`, 1/USD; undefined without variance.
 */
export function gammaFromShift(shift: number, maxPosition: number, variance: number): number | undefined {
  return variance > 0 ? shift / (maxPosition * variance) : undefined;
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
