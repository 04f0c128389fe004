/** The thread that runs backtests of a study; see `trial-pool.ts`. */
import { runForResult } from '../../backtest/index.ts';
import { Fault, FileFault } from '../../domain/index.ts';
import { figuresOf } from './figures.ts';
import type { ThreadAnswer, TrialJob } from './trial-pool.ts';

/** A strategy can throw an error with any text. */
const MOST_CHARACTERS = 1_000;

export default async function trial({ spec, ...options }: TrialJob): Promise<ThreadAnswer> {
  try {
    return { figures: figuresOf(await runForResult(spec, { ...options, machine: { peakRssMb: () => 0 } })) };
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    if (fault instanceof FileFault) return { fault: fault.message };
    return { problem: fault.message.slice(0, MOST_CHARACTERS) };
  }
}
