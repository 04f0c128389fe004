/** Formats numbers for reports: with a minus sign (U+2212), separated thousands and units. */
import { formatMicros, formatShares, formatUsd, unchecked } from '../../domain/index.ts';

const MINUS = '−';

/** `+$1.23`, `−$0.50`: rounded to the nearest cent. */
export function signedUsd(micros: number): string {
  const text = formatUsd(unchecked.usd(Math.abs(micros)));
  return micros === 0 || text === '$0.00' ? '$0.00' : `${micros < 0 ? MINUS : '+'}${text}`;
}

/** `$1.23`: rounded to the nearest cent. */
export function usd(micros: number): string {
  return micros < 0 ? `${MINUS}${formatUsd(unchecked.usd(-micros))}` : formatUsd(unchecked.usd(micros));
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
  return `${(fraction * 100).toFixed(digits).replace('-', MINUS)} %`;
}

/** `61.5`: basis points of the payout. */
export function bps(value: number): string {
  return value.toFixed(1).replace('-', MINUS);
}

/** `3 h 46 min`, `6.2 s`: at most two units. */
export function duration(ms: number): string {
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
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
