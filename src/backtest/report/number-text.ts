/** Formats numbers for reports: with a minus sign (U+2212), separated thousands and units. */
import { formatMicros, formatShares, formatUsd, unchecked } from '../../domain/index.ts';

const MINUS = '−';

/** `+$1.23`, `−$0.50`: rounded to the nearest cent. */
export function signedUsd(micros: number): string {
  const text = usd(micros);
  return micros > 0 && text !== '$0.00' ? `+${text}` : text;
}

/** `−$1.23`: rounded to the nearest cent. */
export function usd(micros: number): string {
  return formatUsd(unchecked.usd(micros)).replace('-', MINUS);
}

/** `−1,234.567891`: exact. */
export function exactUsd(micros: number): string {
  const [whole = '', decimals = ''] = formatMicros(unchecked.usd(Math.abs(micros))).split('.');
  return `${micros < 0 ? MINUS : ''}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${decimals}`;
}

/** `1,234.5`: shares without a unit. */
export function shares(microShares: number): string {
  return microShares < 0
    ? `${MINUS}${formatShares(unchecked.shares(-microShares))}`
    : formatShares(unchecked.shares(microShares));
}

/** `1,234`: a count. */
export function count(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `12.3 %`. */
export function percent(fraction: number, digits = 1): string {
  return `${toFixed(fraction * 100, digits)} %`;
}

/** `61.5`: basis points of the payout. */
export function bps(value: number): string {
  return toFixed(value, 1);
}

/** `3 h 46 min`, `6.2 s`: at most two units. */
export function duration(ms: number): string {
  const seconds = (ms / 1_000).toFixed(1);
  if (Number(seconds) < 60) return `${seconds} s`;
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 2_880) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.floor(minutes / 1_440)} d ${Math.floor((minutes % 1_440) / 60)} h`;
}

/** `2022-07-11 11:00:20 UTC`. */
export function moment(epochMs: number): string {
  const text = new Date(epochMs).toISOString();
  return text.replace('T', ' ').replace(/\.\d+Z$/, ' UTC');
}

/** A value that is rounded to 0 has no sign. */
function toFixed(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) > 0 ? `${MINUS}${text}` : text;
}
