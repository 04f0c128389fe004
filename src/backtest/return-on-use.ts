/** What was earned on the capital in use. A run shorter than a day has no rate of a day. */
import type { CapitalDetail } from './run-detail.ts';
import type { TapeUsed } from './run-result.ts';

const DAY_MS = 86_400_000;

/** @returns a part of 1, with ` a day` where it is one; undefined where nothing was in use */
export function returnOnUse(
  totalMicros: number,
  { meanInUseMicros, returnPerDollarDay }: Pick<CapitalDetail, 'meanInUseMicros' | 'returnPerDollarDay'>,
  { from, to }: Pick<TapeUsed, 'from' | 'to'>,
): { readonly rate: number; readonly per: '' | ' a day' } | undefined {
  if (returnPerDollarDay === undefined || meanInUseMicros <= 0) return undefined;
  if (Date.parse(to) - Date.parse(from) >= DAY_MS) return { rate: returnPerDollarDay, per: ' a day' };
  return { rate: totalMicros / meanInUseMicros, per: '' };
}
