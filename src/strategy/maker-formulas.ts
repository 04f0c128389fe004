/**
 * Reservation price and half-spread of market makers (docs/spec/models.md#avellaneda-and-stoikov): Avellaneda & Stoikov
 * (2008), section 3.2, bounded to a price in (0, 1). Floats, for estimates.
 */

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
 * Computes the variance left to the horizon, USD²: `min(sigma² * horizon, mid * (1 - mid))`. No horizon exceeds the
 * second term, which is the variance of a martingale price that ends at 0 or 1.
 * @param sigma USD per square root of a second
 * @param horizon seconds
 */
export function varianceLeft(sigma: number, horizon: number, mid: number): number {
  return Math.min(sigma * sigma * horizon, mid * (1 - mid));
}

/**
 * Computes `logistic(logit(mid) - gamma * net * variance / (mid * (1 - mid)))`, USD. This price stays in (0, 1), and
 * equals the paper's `mid - gamma * net * variance` to first order. With a variance of mid * (1 - mid), the price is
 * the exact marginal value of a share held to settlement (CARA utility).
 */
export function reservationPrice({ mid, net, gamma, variance }: Reservation): number {
  return logistic(Math.log(mid / (1 - mid)) - (gamma * net * variance) / (mid * (1 - mid)));
}

/**
 * Computes the risk aversion that shifts the reservation price by `shift` (USD) at a position of `maxPosition` shares:
 * `shift / (maxPosition * variance)`, 1/USD; undefined without variance.
 */
export function gammaFromShift(shift: number, maxPosition: number, variance: number): number | undefined {
  return variance > 0 ? shift / (maxPosition * variance) : undefined;
}

/** Inputs of the half-spread. Money in USD of the $1 payout, sizes in shares. */
export interface SpreadInputs {
  /** Risk aversion, 1/USD. */
  readonly gamma: number;
  /** Decay of the fill rate with distance, 1/USD. */
  readonly kappa: number;
  /** Size of one quote. */
  readonly orderAmount: number;
  /** Variance of the price left to the horizon, USD². */
  readonly variance: number;
}

/**
 * Computes `gamma * amount * variance / 2 + ln(1 + gamma * amount / kappa) / (gamma * amount)`, USD (Avellaneda &
 * Stoikov 2008, section 3.2, with an amount of one). The first term pays for the risk of one more fill. The second term
 * maximises margin times fill rate.
 */
export function halfSpread({ gamma, kappa, orderAmount, variance }: SpreadInputs): number {
  return (gamma * orderAmount * variance) / 2 + fillMargin(gamma * orderAmount, kappa);
}

/** Computes the half-spread without volatility, USD: `ln(1 + g / kappa) / g`. @param g gamma times the order amount */
export function fillMargin(g: number, kappa: number): number {
  return Math.log1p(g / kappa) / g;
}

/** Minimum distance of prices from 0 and 1, so that log-odds are finite. */
const MIN_DISTANCE = 0.0001;

/** Computes `ln(p / (1 - p))` of a USD price, limited to [0.0001, 0.9999] (docs/spec/models.md#log-odds). */
export function logit(price: number): number {
  const inside = Math.max(MIN_DISTANCE, Math.min(1 - MIN_DISTANCE, price));
  return Math.log(inside / (1 - inside));
}

/** Computes the price for log-odds, USD: `1 / (1 + exp(-logOdds))`. */
export function logistic(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
