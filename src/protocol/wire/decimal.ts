/** Reads decimal texts of other venues as whole units, digit by digit, without floats. */

const ZERO_CODE = 48;
const POINT_CODE = 46;

/**
 * Reads a non-negative decimal in units of 10^-places, rounded **down**. `decimalDown('0.525', 4)` is 5250. Accepts
 * `.48` and `5.`, which some venues send.
 * @returns NaN for any other text, and for 2^53 units or more
 */
export function decimalDown(text: string, places: number): number {
  let units = 0;
  let digits = 0;
  let decimals = -1;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === POINT_CODE && decimals < 0) {
      decimals = 0;
      continue;
    }
    const digit = code - ZERO_CODE;
    if (digit < 0 || digit > 9) return Number.NaN;
    digits += 1;
    if (decimals === places) continue;
    if (decimals >= 0) decimals += 1;
    units = units * 10 + digit;
    if (units > Number.MAX_SAFE_INTEGER) return Number.NaN;
  }
  if (digits === 0) return Number.NaN;
  for (let place = Math.max(decimals, 0); place < places; place += 1) units *= 10;
  return units <= Number.MAX_SAFE_INTEGER ? units : Number.NaN;
}

/** Returns whether a decimal has only zeros after `places` decimals, so that `decimalDown` is exact. */
export function hasAtMostDecimals(text: string, places: number): boolean {
  const point = text.indexOf('.');
  if (point < 0) return true;
  for (let index = point + 1 + places; index < text.length; index += 1)
    if (text.charCodeAt(index) !== ZERO_CODE) return false;
  return true;
}

/** Returns a JSON number as decimal text without exponent, and a text unchanged; undefined for anything else. */
export function decimalText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  const text = String(value);
  return text.includes('e') ? value.toFixed(20) : text;
}
