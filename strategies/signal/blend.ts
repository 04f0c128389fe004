/** How an outside probability and the book become one estimate, and how much to bet on it (docs/spec/models.md#signal). */
import { logistic, logit } from 'halfspread';

/** Standard deviations in log-odds. */
export interface Estimates {
  /** Mid, USD of the $1 payout. */
  readonly mid: number;
  readonly midSd: number;
  /** Probability of YES that the signal states, in (0, 1). */
  readonly signal: number;
  /** With its age: see `agedSd`. */
  readonly signalSd: number;
  /** Correlation of both errors. */
  readonly correlation: number;
}

/** The standard deviation of a signal some time after it: `sqrt(sd² + sigma² * age)`, as the market has moved since. */
export function agedSd(sd: number, sigmaPerRootSecond: number, ageSeconds: number): number {
  return Math.sqrt(sd * sd + sigmaPerRootSecond * sigmaPerRootSecond * ageSeconds);
}

/**
 * The weight of the signal, 0..1, with which the blend has the least variance: Bates & Granger (1969). Without correlation it
 * is Bayes' rule.
 */
export function signalWeight({ midSd, signalSd, correlation }: Omit<Estimates, 'mid' | 'signal'>): number {
  const shared = correlation * midSd * signalSd;
  const weight = (midSd * midSd - shared) / (midSd * midSd + signalSd * signalSd - 2 * shared);
  return Math.max(0, Math.min(1, weight));
}

/** The probability of YES between mid and signal, blended in log-odds. */
export function blended(estimates: Estimates): number {
  const { mid, signal } = estimates;
  return logistic(logit(mid) + signalWeight(estimates) * (logit(signal) - logit(mid)));
}

/** How far mid and signal are apart, in standard deviations of their difference if their errors are independent. */
export function disagreement({ mid, midSd, signal, signalSd }: Omit<Estimates, 'correlation'>): number {
  return Math.abs(logit(signal) - logit(mid)) / Math.sqrt(midSd * midSd + signalSd * signalSd);
}

/** A bet at a price. */
export interface KellyBet {
  /** Probability of YES. */
  readonly probability: number;
  /** Price of YES, USD of the $1 payout, in (0, 1). */
  readonly price: number;
  /** USD. */
  readonly bankroll: number;
  /** Part of the Kelly position, 0..1. */
  readonly fraction: number;
}

/**
 * The shares to hold after Kelly (1956): `fraction * bankroll * (probability - price) / (price * (1 - price))`, which is
 * positive for YES and negative for NO.
 */
export function kellyShares({ probability, price, bankroll, fraction }: KellyBet): number {
  return (fraction * bankroll * (probability - price)) / (price * (1 - price));
}
