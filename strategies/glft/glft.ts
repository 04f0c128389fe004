/** Quotes without an end in time (docs/spec/models.md#glft): Guéant, Lehalle & Fernandez-Tapia (2013), with order size as Guéant (2017), 4.6 and 4.7. */
import { fillMargin } from 'halfspread';

/** Inputs of the asymptotic quotes. Money in USD of the $1 payout, sizes in shares, time in seconds. */
export interface GlftInputs {
  readonly mid: number;
  /** Position net of its target, YES minus NO. */
  readonly net: number;
  readonly gamma: number;
  readonly kappa: number;
  /** Fill rate of an own order at the mid, 1/s. */
  readonly intensity: number;
  readonly orderAmount: number;
  /** USD per square root of a second. */
  readonly sigma: number;
  /** Factors of the half-spread and of the shift; 1 if left out. */
  readonly adjSpread?: number;
  readonly adjSkew?: number;
  /** The largest half-spread, USD; none if left out. */
  readonly maxHalf?: number;
}

/** What the quotes are made of, USD. */
export interface GlftQuotes {
  readonly half: number;
  /** How far both quotes are moved against the position. */
  readonly shift: number;
  readonly bid: number;
  readonly ask: number;
}

/**
 * `half = adjSpread * (c1 + amount * sigma * c2 / 2)`, `shift = adjSkew * sigma * c2 * net`, with c1 = ln(1 + g/kappa) / g,
 * g = gamma * amount and c2 = sqrt(gamma / (2 * A * amount * kappa) * (1 + g/kappa)^(kappa/g + 1)). The shift is capped at
 * gamma * |net| * mid * (1 - mid): a price between 0 and 1 has no more variance than that to pay for.
 */
export function glftQuotes(inputs: GlftInputs): GlftQuotes {
  const { mid, net, gamma, kappa, orderAmount, sigma, adjSpread = 1, adjSkew = 1, maxHalf = Infinity } = inputs;
  const c2 = glftRiskFactor(inputs);
  const margin = fillMargin(gamma * orderAmount, kappa);
  const half = Math.min(maxHalf, adjSpread * (margin + (orderAmount * sigma * c2) / 2));
  const cap = gamma * Math.abs(net) * mid * (1 - mid);
  const shift = Math.max(-cap, Math.min(cap, adjSkew * sigma * c2 * net));
  return { half, shift, bid: mid - half - shift, ask: mid + half - shift };
}

/** The factor c2 of the risk terms, square root of seconds over shares. */
export function glftRiskFactor({
  gamma,
  kappa,
  intensity,
  orderAmount,
}: Pick<GlftInputs, 'gamma' | 'kappa' | 'intensity' | 'orderAmount'>): number {
  const g = gamma * orderAmount;
  // Math.pow differs in its last bit between Node versions; exp and log do not.
  const power = Math.exp((kappa / g + 1) * Math.log1p(g / kappa));
  return Math.sqrt((gamma / (2 * intensity * orderAmount * kappa)) * power);
}
