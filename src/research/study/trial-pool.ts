import { Piscina } from 'piscina';
import type { RunSpec } from '../../backtest/index.ts';
import { errorMessage, Fault } from '../../domain/index.ts';
import { entryUrl } from '../../package-files.ts';
import type { RunMetrics } from './run-metrics.ts';

/** A backtest as structured-cloneable data. */
export interface TrialJob {
  readonly spec: RunSpec;
  readonly baseDir: string;
  readonly strategyFolders: readonly string[];
  readonly version: string;
  /** Expected content hashes of the tapes. Default: the thread does not check them. */
  readonly hashes?: readonly string[];
  /** Also measures the two-sided uptime, which takes longer. Default false. */
  readonly detailed?: boolean;
}

/** Metrics, or why this backtest failed. A damaged file or a full disk fails the study instead. */
export type TrialOutcome = { readonly figures: RunMetrics } | { readonly problem: string };

/** A fault concerns all trials. */
export type ThreadResult = TrialOutcome | { readonly fault: string };

/** Workers for backtests of a study: threads of this process, or other machines. */
export interface TrialWorkers {
  /** Maximum number of backtests that wait or run at a time. */
  readonly maxPending: number;
  /** Waits until a worker can run backtests. @throws Fault when no worker can run backtests */
  ready(): Promise<void>;
  /** @throws Fault for a problem of all trials, such as a damaged tape; ABORTED when `signal` fires */
  run(job: TrialJob, signal: AbortSignal): Promise<TrialOutcome>;
  close(): Promise<void>;
}

export class TrialPool implements TrialWorkers {
  /** For each thread one backtest that runs and one that waits. */
  readonly maxPending: number;
  readonly #pool: Piscina<TrialJob | undefined, ThreadResult>;
  /** Failure of an idle thread, which fails the study. */
  #failure: Fault | undefined;

  /** @param workers number of threads, at least 1 @param entry module of the threads, for tests */
  constructor(workers: number, entry: URL = entryUrl('trial-thread', import.meta.url)) {
    this.maxPending = 2 * workers;
    this.#pool = new Piscina<TrialJob | undefined, ThreadResult>({
      filename: entry.href,
      minThreads: workers,
      maxThreads: workers,
      // A thread that waits on shared memory cannot continue an asynchronous backtest.
      atomics: 'disabled',
    });
    // After this error, Piscina may start no other thread, so that backtests would wait forever.
    this.#pool.on('error', (cause: Error) => {
      const problem = `a worker thread ended between two backtests: ${cause.message}`;
      this.#failure ??= new Fault('STRATEGY', problem, { cause });
      void this.#pool.destroy();
    });
  }

  /** Waits until a thread has loaded its module. @throws Fault INSTALL when no thread can load its module */
  async ready(): Promise<void> {
    try {
      await this.#pool.run(undefined, { name: 'ready' });
    } catch (thrown) {
      // When an idle thread dies, the pool is destroyed. `thrown` reports only the destruction.
      const cause = this.#failure?.cause ?? thrown;
      const reason = errorMessage(cause);
      throw new Fault('INSTALL', `a worker thread cannot start: ${reason}. Install halfspread again`, { cause });
    }
  }

  async run(job: TrialJob, signal: AbortSignal): Promise<TrialOutcome> {
    let result: ThreadResult;
    if (this.#failure !== undefined) throw this.#failure;
    try {
      result = await this.#pool.run(job, { signal });
    } catch (cause) {
      if (signal.aborted) throw new Fault('ABORTED', 'the study was stopped', { cause });
      if (this.#failure !== undefined) throw this.#failure;
      // The thread ran out of memory, or a strategy called process.exit. Piscina starts another thread.
      return { problem: errorMessage(cause) };
    }
    if ('fault' in result) throw new Fault('FILE', result.fault);
    return result;
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}

/** Calls `work` for each item in order, up to `maxPending` at a time. Starts no more after a failure, and throws it. */
export async function forEachConcurrently<T>(
  items: Iterable<T>,
  { maxPending }: TrialWorkers,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const remaining = items[Symbol.iterator]();
  let hasFailed = false;
  const runNext = async (): Promise<void> => {
    try {
      for (let next = remaining.next(); next.done !== true && !hasFailed; next = remaining.next())
        await work(next.value);
    } catch (fault) {
      hasFailed = true;
      throw fault;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: maxPending }, runNext));
  for (const result of ended) if (result.status === 'rejected') throw result.reason;
}
