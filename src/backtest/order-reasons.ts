import { STOPPED_CODES } from '../domain/index.ts';
import type { OrderReasons, RunResult } from './run-result.ts';

/** Reasons for display, with orders refused because trading was stopped apart from refusals by a limit. */
export interface ShownReasons extends OrderReasons {
  readonly refusedCount: number;
  /** `PAUSED` and `KILLED`. */
  readonly stopped: Readonly<Record<string, number>>;
}

export function orderReasonsOf({ orderReasons: { rejected, refused } }: Pick<RunResult, 'orderReasons'>): ShownReasons {
  const entries = Object.entries(refused);
  const limits = entries.filter(([code]) => !STOPPED_CODES.has(code));
  return {
    rejected,
    refused: Object.fromEntries(limits),
    refusedCount: limits.reduce((sum, [, count]) => sum + count, 0),
    stopped: Object.fromEntries(entries.filter(([code]) => STOPPED_CODES.has(code))),
  };
}
