/** Backtests on worker threads. */
import { Piscina } from 'piscina';
import type { RunSpec } from '../../backtest/index.ts';
import { Fault } from '../../domain/index.ts';
import type { RunFigures } from './figures.ts';

/** One backtest, as data that a thread takes. */
export interface TrialJob {
  readonly spec: RunSpec;
  readonly baseDir: string;
  readonly strategyFolders: readonly string[];
  readonly version: string;
  /** Content hashes of its tapes; a run on others is a fault. Default: not checked. */
  readonly hashes?: readonly string[];
  /** Also measures the two-sided uptime, which takes longer. Default false. */
  readonly detailed?: boolean;
}

/** Figures, or why this backtest failed. Another faulty file or a full disk ends the study instead. */
export type TrialOutcome = { readonly figures: RunFigures } | { readonly problem: string };

/** A thread's answer: its outcome, or a fault that concerns all trials. */
export type ThreadAnswer = TrialOutcome | { readonly fault: string };

/** Where the backtests of a study run: on threads of this process, or on other machines. */
export interface TrialWorkers {
  /** Backtests that may wait for a worker or run at the same time. */
  readonly ahead: number;
  /** @throws Fault when none of them can be used */
  ready(): Promise<void>;
  /** @throws Fault for what concerns all trials, such as a damaged tape; ABORTED when `signal` fires */
  run(job: TrialJob, signal: AbortSignal): Promise<TrialOutcome>;
  close(): Promise<void>;
}

const ENTRY = import.meta.url.endsWith('.ts') ? './trial-thread.ts' : './trial-thread.js';

export class TrialPool implements TrialWorkers {
  /** One for each worker, and one that waits at it. */
  readonly ahead: number;
  readonly #pool: Piscina<TrialJob | undefined, ThreadAnswer>;
  /** A thread that ended while it ran no backtest: no trial is to blame. */
  #failure: Fault | undefined;

  /**
   * @param workers threads that compute at the same time, at least 1
   * @param entry module of the threads, for tests
   */
  constructor(workers: number, entry: URL = new URL(ENTRY, import.meta.url)) {
    this.ahead = 2 * workers;
    this.#pool = new Piscina<TrialJob | undefined, ThreadAnswer>({
      filename: entry.href,
      minThreads: workers,
      maxThreads: workers,
      // A thread that waits on shared memory does not go on with a backtest that waits for its next turn.
      atomics: 'disabled',
    });
    // Piscina may start no other thread after this, so that backtests would wait forever.
    this.#pool.on('error', (cause: Error) => {
      this.#failure ??= new Fault('STRATEGY', `a worker thread ended between two backtests: ${cause.message}`, {
        cause,
      });
      void this.#pool.destroy();
    });
  }

  /** Waits until a thread has loaded its module. @throws Fault INSTALL when none can */
  async ready(): Promise<void> {
    try {
      await this.#pool.run(undefined, { name: 'ready' });
    } catch (thrown) {
      // When an idle thread dies, the pool is destroyed, and `thrown` says only that.
      const cause = this.#failure?.cause ?? thrown;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Fault('INSTALL', `a worker thread cannot start: ${reason}. Install halfspread again`, { cause });
    }
  }

  async run(job: TrialJob, signal: AbortSignal): Promise<TrialOutcome> {
    let answer: ThreadAnswer;
    if (this.#failure !== undefined) throw this.#failure;
    try {
      answer = await this.#pool.run(job, { signal });
    } catch (cause) {
      if (signal.aborted) throw new Fault('ABORTED', 'the study was stopped', { cause });
      if (this.#failure !== undefined) throw this.#failure;
      // A thread that ended, by its memory or by process.exit of a strategy: Piscina starts another.
      return { problem: cause instanceof Error ? cause.message : String(cause) };
    }
    if ('fault' in answer) throw new Fault('FILE', answer.fault);
    return answer;
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}

/**
 * Does `work` for each of `items` in their order, several at the same time: as many as the workers take ahead. After a
 * failure nothing new begins, and the first failure is thrown.
 */
export async function forEachOf<T>(
  items: Iterable<T>,
  { ahead }: TrialWorkers,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  let hasFailed = false;
  const workOff = async (): Promise<void> => {
    try {
      for (let next = left.next(); next.done !== true && !hasFailed; next = left.next()) await work(next.value);
    } catch (fault) {
      hasFailed = true;
      throw fault;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: ahead }, workOff));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}
