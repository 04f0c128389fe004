/** How far from the reservation price to quote. */

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
 * `gamma * amount * variance / 2 + ln(1 + gamma * amount / kappa) / (gamma * amount)`, USD (Avellaneda & Stoikov 2008,
 * section 3.2, where the amount is one). The first term pays for the risk of one more fill, the second maximises margin
 * times fill rate.
 */
export function halfSpread({ gamma, kappa, orderAmount, variance }: SpreadInputs): number {
  return (gamma * orderAmount * variance) / 2 + fillMargin(gamma * orderAmount, kappa);
}

/** `ln(1 + g / kappa) / g`, USD: the half-spread without volatility. @param g gamma times the order amount */
export function fillMargin(g: number, kappa: number): number {
  return Math.log1p(g / kappa) / g;
}
