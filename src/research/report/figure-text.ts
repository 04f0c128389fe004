import type { OutOfSample } from '../study/verdict.ts';

/** Formats a number with at most `digits` significant digits. Whole numbers keep all digits. */
export function figureText(value: number, digits = 5): string {
  if (Number.isInteger(value)) return `${value}`;
  return value
    .toPrecision(digits)
    .replace(/(\.\d*?)0+(e|$)/, '$1$2')
    .replace(/\.(e|$)/, '$1');
}

/** Result of a study's tests as text. */
export function outOfSampleText({ passes, pnl, error, interval, markets, events }: OutOfSample): string {
  const where = `${markets} ${markets === 1 ? 'market' : 'markets'} of ${events} ${events === 1 ? 'event' : 'events'}`;
  const range = interval === null ? '' : ` (95 % interval ${interval.map((end) => end.toFixed(2)).join(' to ')})`;
  return `${passes ? 'passed' : 'not passed'}, ${pnl.toFixed(2)} ± ${error.toFixed(2)} USD a market${range} on ${where}`;
}
