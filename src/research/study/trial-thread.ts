/** Entry of the thread that runs backtests of a study. A `problem` fails the trial, a `fault` the whole study. */
import { runBacktest, runForResult } from '../../backtest/index.ts';
import { Fault, FileFault } from '../../domain/index.ts';
import { meanOf } from '../judge/mean-error.ts';
import { toMetrics } from './run-metrics.ts';
import type { ThreadResult, TrialJob } from './trial-pool.ts';

/** Maximum length of a problem, because a strategy can throw an error with any text. */
const MAX_CHARACTERS = 1_000;

/** The pool calls this function to load the module. */
export function ready(): void {}

export default async function trial({ spec, hashes, detailed = false, ...rest }: TrialJob): Promise<ThreadResult> {
  try {
    const options = { ...rest, machine: { peakRssMb: () => 0 } };
    const run = detailed ? await runBacktest(spec, options) : { result: await runForResult(spec, options) };
    const uptimes = 'detail' in run ? run.detail.markets.flatMap(({ uptime }) => uptime ?? []) : [];
    const changed = run.result.tapes.find(({ sha256 }) => hashes !== undefined && !hashes.includes(sha256));
    if (changed === undefined) return { figures: toMetrics(run.result, uptimes.length === 0 ? null : meanOf(uptimes)) };
    return { fault: `the tape ${changed.name} changed while the study ran. Restore the old one, or start with --new` };
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    if (fault instanceof FileFault) return { fault: fault.message };
    return { problem: fault.message.slice(0, MAX_CHARACTERS) };
  }
}
