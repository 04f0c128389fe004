import { Fault, thrownText } from './errors.ts';
import { formatTime } from './format.ts';
import type { InstanceNo } from './ids.ts';
import type { InputEvent } from './input-event.ts';
import type { EpochMs } from './units.ts';

export interface StrategyFailure {
  readonly bot: InstanceNo;
  readonly strategy: string;
  readonly handler: string;
  readonly time: EpochMs;
  /** Number of rows of market data that the run has processed. */
  readonly row: number;
  /** Slug of the market whose message caused the call; undefined if `event` caused the call. */
  readonly market?: string | undefined;
  readonly event: InputEvent | undefined;
  /** The thrown value, or a TypeError for an invalid return value. */
  readonly cause: unknown;
}

/** A handler threw or returned something invalid. The strategy's orders were cancelled before this fault is thrown. */
export class StrategyFault extends Fault {
  readonly failure: StrategyFailure;

  constructor(failure: StrategyFailure) {
    const { strategy, handler, time, row, market, event, cause } = failure;
    const problem = thrownText(cause);
    const source = event === undefined ? `market row ${row} of "${market}"` : `${event.type} after market row ${row}`;
    super(
      'STRATEGY',
      `strategy "${strategy}" failed in ${handler} at ${formatTime(time)}, ${source}: ${problem}. ` +
        'Its orders were cancelled; the stack shows the line to correct.',
      { cause },
    );
    this.name = 'StrategyFault';
    this.failure = failure;
  }
}
