/** Avellaneda and Stoikov in log-odds (docs/spec/models.md#avellaneda-and-stoikov-in-log-odds). */
import { fillMargin, logistic, logit, type MakerModel } from 'halfspread';

/** Risk, fill decay and volatility are per log-odds; sizes in shares, time in seconds. */
export interface LogOddsInputs {
  /** USD, in (0, 1). */
  readonly mid: number;
  /** Position net of its target, YES minus NO. */
  readonly net: number;
  /** Variance of the log-odds left to the horizon: see `logOddsVariance`. */
  readonly variance: number;
  readonly gamma: number;
  readonly kappa: number;
  readonly orderAmount: number;
}

/** `min(sigma² * horizon, 1 / (mid * (1 - mid)))`: no more than a price that ends at 0 or 1 has left, seen from the mid. */
export function logOddsVariance(sigma: number, horizon: number, mid: number): number {
  return Math.min(sigma * sigma * horizon, 1 / (mid * (1 - mid)));
}

/**
 * `r = logit(mid) - gamma * net * variance`, half = `gamma * amount * variance / 2 + ln(1 + gamma * amount / kappa) / (gamma *
 * amount)`; bid and ask are the prices of r - half and r + half.
 */
export function logOddsQuotes({ mid, net, variance, gamma, kappa, orderAmount }: LogOddsInputs): Required<MakerModel> {
  const centre = logit(mid) - gamma * net * variance;
  const half = (gamma * orderAmount * variance) / 2 + fillMargin(gamma * orderAmount, kappa);
  return { bid: logistic(centre - half), ask: logistic(centre + half), half };
}
