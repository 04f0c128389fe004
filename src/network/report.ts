/** What is said of a peer's mistakes: short, and not too often. */
import { NETWORK_LIMITS } from './limits.ts';

/** A peer's text for a message or a log: one line of bounded length, without control characters. */
export function shownText(text: string, longest: number = NETWORK_LIMITS.shownText): string {
  // Cut first: a pattern is not run over megabytes.
  const line = text
    .slice(0, 2 * longest)
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  return line.length > longest || text.length > 2 * longest ? `${line.slice(0, longest)}…` : line;
}

/** Counts what happens too often to be reported each time. */
export class ReportLimiter {
  readonly #everyMs: number;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #suppressed = 0;

  /** @param everyMs one report in this time at most */
  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** It happened. @returns how many were not reported since the last report; undefined where this one is not to be reported either */
  count(now: number): number | undefined {
    if (now - this.#reportedAt < this.#everyMs) {
      this.#suppressed += 1;
      return undefined;
    }
    const suppressed = this.#suppressed;
    this.#reportedAt = now;
    this.#suppressed = 0;
    return suppressed;
  }
}
