/** Makes the texts of network peers safe for messages and logs, and limits the rate of reports. */
import { NETWORK_LIMITS } from './limits.ts';

/** Returns a peer's text as one line of bounded length without control characters. */
export function shortLine(text: string, maxLength: number = NETWORK_LIMITS.shortLine): string {
  // Cut first, so that the pattern does not run over megabytes.
  const line = text
    .slice(0, 2 * maxLength)
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  return line.length > maxLength || text.length > 2 * maxLength ? `${line.slice(0, maxLength)}…` : line;
}

/**
 * Characters that steer a terminal, change the direction of text, or are invisible: control characters except tab and
 * line feed, format characters, line and paragraph separators, and lone surrogates. Variation selectors (U+FE00 to
 * U+FE0F) are allowed.
 */
const CONTROLS = /(?![\t\n]|[\ufe00-\ufe0f])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Escapes a peer's control characters, which could steer the terminal. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, escapeCharacter);
}

/** Like `escapeControls`, and also escapes tabs and line feeds, for a text in one cell or line. */
export function escapeLine(text: string): string {
  return escapeControls(text.replace(/[\t\n]/g, escapeCharacter));
}

/** Uses the escapes of JSON, so that a JSON text keeps its value. */
function escapeCharacter(control: string): string {
  return control
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** Allows a report of each kind every `everyMs`, and counts suppressed reports. */
export class ReportLimiter {
  readonly #everyMs: number;
  readonly #byKind = new Map<string, { readonly reportedAt: number; suppressed: number }>();

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /**
   * @param kind one of a few values, such as the text of a log line; never a peer's text
   * @returns the number of events suppressed since the previous report; undefined if this event is suppressed, too
   */
  count(kind: string, now: number): number | undefined {
    const previous = this.#byKind.get(kind);
    if (previous !== undefined && now - previous.reportedAt < this.#everyMs) {
      previous.suppressed += 1;
      return undefined;
    }
    this.#byKind.set(kind, { reportedAt: now, suppressed: 0 });
    return previous?.suppressed ?? 0;
  }
}
