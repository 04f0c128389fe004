import type { CapitalDetail, TapeUsed } from './run-result.ts';

const DAY_MS = 86_400_000;

/**
 * What was earned on the capital in use. A rate of a day rests on as many returns as the Sharpe ratio: fewer are single
 * draws.
 * @returns a part of 1, with ` a day` where it is one; undefined where nothing was in use
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
