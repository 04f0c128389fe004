import type { CapitalDetail, TapeUsed } from './run-result.ts';

const DAY_MS = 86_400_000;

/**
 * Returns the return on the capital in use as a fraction; undefined when nothing was in use. The rate is per day only if
 * there are enough returns for a Sharpe ratio and the tape lasts a day.
 */
export function returnOnUse(
  totalMicros: number,
  { meanInUseMicros, returnPerDollarDay, sharpe }: Omit<CapitalDetail, 'maxInUseMicros'>,
  tape: Pick<TapeUsed, 'from' | 'to'>,
): { readonly rate: number; readonly per: '' | ' a day' } | undefined {
  if (returnPerDollarDay === undefined || meanInUseMicros <= 0) return undefined;
  if (sharpe !== undefined && lastsADay(tape)) return { rate: returnPerDollarDay, per: ' a day' };
  return { rate: totalMicros / meanInUseMicros, per: '' };
}

export function lastsADay({ from, to }: Pick<TapeUsed, 'from' | 'to'>): boolean {
  return Date.parse(to) - Date.parse(from) >= DAY_MS;
}
