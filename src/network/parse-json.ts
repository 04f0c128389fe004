/**
 * JSON of others. `JSON.parse` itself survives ten million nested brackets. What handles the value afterwards does not: `JSON.stringify`,
 * `structuredClone` and every recursive function throw a RangeError at about 4,000 levels, in places that expect none. So the nesting is
 * bounded first. The scan takes a fifth of the time of parsing.
 */
import { InputFault } from '../domain/index.ts';
import { NETWORK_LIMITS } from './limits.ts';

/** Bytes or characters that cannot nest deeper than 2,048 levels, which any recursion survives: most messages are not scanned. */
const SMALL = 4_096;
const QUOTE = 34;
const BACKSLASH = 92;
/** Sets the bit in which `[` differs from `{`, and `]` from `}`. */
const CURLY = 32;
const OPEN = 123;
const CLOSE = 125;

/** @throws SyntaxError for what is no JSON, and for more than 4,096 bytes or characters nested too deeply */
export function parseJson(json: string | Buffer): unknown {
  if (isTooDeep(json)) throw new SyntaxError(`more than ${NETWORK_LIMITS.nesting} brackets in each other`);
  return JSON.parse(typeof json === 'string' ? json : json.toString('utf8'));
}

/** The same; undefined for what `parseJson` refuses. */
export function tryParseJson(json: string | Buffer): unknown {
  try {
    return parseJson(json);
  } catch {
    return undefined;
  }
}

/** What a reader makes of parsed JSON; undefined where it refuses it with an InputFault. */
export function tryRead<T>(read: (json: unknown) => T, json: unknown): T | undefined {
  try {
    return read(json);
  } catch (error) {
    if (error instanceof InputFault) return undefined;
    throw error;
  }
}

/** Whether `parseJson` refuses it unread; for what is parsed by a library. */
export function isTooDeep(json: string | Buffer): boolean {
  if (json.length <= SMALL) return false;
  // Bytes are read in half the time that characters take.
  return isNestedBeyond(typeof json === 'string' ? Buffer.from(json) : json, NETWORK_LIMITS.nesting);
}

/** Whether more than `most` brackets are nested; those in strings do not count. No byte of another character is one of ASCII. */
function isNestedBeyond(bytes: Uint8Array, most: number): boolean {
  const end = bytes.length;
  let depth = 0;
  for (let at = 0; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) {
      // To the closing quote. In this loop: as a function of its own it takes half as long again.
      for (at += 1; at < end && bytes[at] !== QUOTE; at += 1) if (bytes[at] === BACKSLASH) at += 1;
    } else if ((byte | CURLY) === OPEN) {
      depth += 1;
      if (depth > most) return true;
    } else if ((byte | CURLY) === CLOSE) depth -= 1;
  }
  return false;
}
