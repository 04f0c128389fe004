/** Formats whole units as Polymarket's decimals: no exponent, no trailing zeros. */

/** A price in dollars: 5200 is `0.52`. @param bps 0..10000 */
export function priceText(bps: number): string {
  return decimalOf(bps, 4);
}

/** Shares: 40500000 is `40.5`. @param micro whole, not negative */
export function sharesText(micro: number): string {
  return decimalOf(micro, 6);
}

/** Dollars: 5200000 is `5.2`. @param micro whole, not negative */
export function dollarsText(micro: number): string {
  return decimalOf(micro, 6);
}

function decimalOf(units: number, places: number): string {
  const digits = String(units).padStart(places + 1, '0');
  const decimals = digits.slice(-places).replace(/0+$/, '');
  const whole = digits.slice(0, -places);
  return decimals === '' ? whole : `${whole}.${decimals}`;
}
