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

/**
 * What colours text, moves a cursor, sets a title, turns text around or is not seen: controls but tab and line feed, format
 * characters (marks and overrides of direction, tags), invisible ones, separators of lines and paragraphs, halves of surrogate
 * pairs. Not the selectors that choose between forms of the character before them, U+FE00 to U+FE0F.
 */
const CONTROLS = /(?![\t\n]|[\ufe00-\ufe0f])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Names in tapes and words in errors come from outside: they may not steer the terminal. */
export function harmless(text: string): string {
  return text.replace(CONTROLS, escaped);
}

/** The same for a text that is one cell or one line, so that it cannot look like more of them. */
export function harmlessLine(text: string): string {
  return harmless(text.replace(/[\t\n]/g, escaped));
}

/** As JSON escapes it: a JSON text stays one, with the same value. */
function escaped(control: string): string {
  const units = Array.from({ length: control.length }, (_, at) => control.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
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
