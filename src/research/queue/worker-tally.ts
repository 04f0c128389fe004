/** The workers of a study, with counts of their backtests. */
import { monotonic } from '../../clock/index.ts';
import { CompletionRate } from '../study/completion-rate.ts';
import type { SeenWorker } from './worker-list.ts';

/** Workers that are gone stay in the list for this long. */
const GONE_RETENTION_MS = 600_000;

/** A `gone` worker disappeared without ending. */
export type WorkerState = SeenWorker['state'] | 'gone';

export interface StudyWorker {
  readonly name: string;
  readonly host: string;
  readonly threads: number;
  readonly state: WorkerState;
  readonly backtests: number;
  readonly failed: number;
  readonly returned: number;
  readonly perSecond: number;
  /** Time since the worker last wrote its key in Redis (worker-list.ts). */
  readonly silentMs: number;
}

interface Counts {
  backtests: number;
  failed: number;
  returned: number;
  readonly completionRate: CompletionRate;
  /** Undefined until the worker is in the list of workers. */
  seen: Pick<SeenWorker, 'host' | 'threads'> | undefined;
  state: WorkerState;
  seenAt: number;
}

export class WorkerTally {
  readonly #byName = new Map<string, Counts>();
  readonly #now: () => number;

  /** @param now monotonic time, ms */
  constructor(now: () => number = monotonic) {
    this.#now = now;
  }

  onAnswer(name: string, isFailed: boolean): void {
    const counts = this.#getOrCreateCounts(name);
    counts.backtests += 1;
    if (isFailed) counts.failed += 1;
    counts.completionRate.add(this.#now());
  }

  onReturn(name: string): void {
    this.#getOrCreateCounts(name).returned += 1;
  }

  /** Updates the workers of this study's queue. @returns names of workers that disappeared since the last call */
  onWorkers(listed: readonly SeenWorker[]): readonly string[] {
    const now = this.#now();
    for (const { name, host, threads, state, silentMs } of listed) {
      if (state === 'ended' && !this.#byName.has(name)) continue;
      Object.assign(this.#getOrCreateCounts(name), { seen: { host, threads }, state, seenAt: now - silentMs });
    }
    const names = new Set(listed.map(({ name }) => name));
    const lost: string[] = [];
    for (const [name, counts] of this.#byName) {
      if (names.has(name)) continue;
      if (now - counts.seenAt > GONE_RETENTION_MS) this.#byName.delete(name);
      if (counts.seen === undefined || counts.state === 'gone' || counts.state === 'ended') continue;
      counts.state = 'gone';
      lost.push(name);
    }
    return lost;
  }

  /** Returns the workers by name, connected workers first. */
  get workers(): readonly StudyWorker[] {
    const now = this.#now();
    const workers = [...this.#byName].flatMap(([name, { seen, seenAt, completionRate, ...counts }]) => {
      if (seen === undefined) return [];
      const perSecond = isConnected(counts) ? completionRate.perSecond(now) : 0;
      return [{ name, ...seen, ...counts, perSecond, silentMs: now - seenAt }];
    });
    return workers.toSorted((a, b) => Number(isConnected(b)) - Number(isConnected(a)) || a.name.localeCompare(b.name));
  }

  #getOrCreateCounts(name: string): Counts {
    const now = this.#now();
    const initial = { backtests: 0, failed: 0, returned: 0, seen: undefined, state: 'working' as const, seenAt: now };
    const counts = this.#byName.get(name) ?? { ...initial, completionRate: new CompletionRate(now) };
    this.#byName.set(name, counts);
    return counts;
  }
}

export function isConnected({ state }: { readonly state: WorkerState }): boolean {
  return state === 'working' || state === 'draining';
}
