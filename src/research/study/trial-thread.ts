/** The thread that runs backtests of a study; see `trial-pool.ts`. */
import { runForResult } from '../../backtest/index.ts';
import { Fault, FileFault } from '../../domain/index.ts';
import { figuresOf } from './figures.ts';
import type { ThreadAnswer, TrialJob } from './trial-pool.ts';

/** A strategy can throw an error with any text. */
const MOST_CHARACTERS = 1_000;

export default async function trial({ spec, hashes, ...options }: TrialJob): Promise<ThreadAnswer> {
  try {
    const result = await runForResult(spec, { ...options, machine: { peakRssMb: () => 0 } });
    const changed = result.tapes.find(({ sha256 }) => hashes !== undefined && !hashes.includes(sha256));
    if (changed === undefined) return { figures: figuresOf(result) };
    return { fault: `the tape ${changed.name} changed while the study ran. Put the old one back, or start with --new` };
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    if (fault instanceof FileFault) return { fault: fault.message };
    return { problem: fault.message.slice(0, MOST_CHARACTERS) };
  }
}
