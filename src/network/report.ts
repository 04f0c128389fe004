/** Texts of others in our messages: short, not too often, and without controls. */
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

/** What colours text, moves a cursor, sets a title or turns text around: controls but tab and line feed, and Unicode's own. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/** Names in tapes and words in errors come from outside: they may not steer the terminal. */
export function harmless(text: string): string {
  return text.replace(CONTROLS, escaped);
}

/** The same for a text that is one cell or one line, so that it cannot look like more of them. */
export function harmlessLine(text: string): string {
  return harmless(text.replace(/[\t\n]/g, escaped));
}

function escaped(control: string): string {
  return `\\u{${control.charCodeAt(0).toString(16)}}`;
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

/** A limiter for each kind of report, so that a frequent kind does not hide another. */
export class ReportLimiters {
  readonly #everyMs: number;
  readonly #byKind = new Map<string, ReportLimiter>();

  /** @param everyMs one report of a kind in this time at most */
  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** As `ReportLimiter.count`. @param kind one of a few, such as the text of the log line; never a text of a peer */
  count(kind: string, now: number): number | undefined {
    const limiter = this.#byKind.get(kind) ?? new ReportLimiter(this.#everyMs);
    this.#byKind.set(kind, limiter);
    return limiter.count(now);
  }
}
