/** The workers of a study, and what each of them did for it. */
import { monotonic } from '../../clock/index.ts';
import { Pace } from '../study/pace.ts';
import type { SeenWorker } from './worker-list.ts';

/** Workers that are no longer there are kept for so long. */
const KEPT_MS = 600_000;

/** `gone`: it ended without saying so. */
export type WorkerState = SeenWorker['state'] | 'gone';

export interface StudyWorker {
  readonly name: string;
  readonly host: string;
  readonly threads: number;
  readonly state: WorkerState;
  /** That it computed for this study. */
  readonly backtests: number;
  /** Of them, those that ended with a problem. */
  readonly failed: number;
  /** That it gave back, as it lacks something. */
  readonly returned: number;
  readonly perSecond: number;
  /** Since it was last seen. */
  readonly silentMs: number;
}

interface Counts {
  backtests: number;
  failed: number;
  returned: number;
  readonly pace: Pace;
  /** Undefined before it was in the list of workers. */
  seen: Pick<SeenWorker, 'host' | 'threads'> | undefined;
  state: WorkerState;
  seenAt: number;
}

export class WorkerTally {
  readonly #byName = new Map<string, Counts>();
  readonly #now: () => number;

  /** @param now ms, of a clock that never goes back */
  constructor(now: () => number = monotonic) {
    this.#now = now;
  }

  onAnswer(name: string, isFailed: boolean): void {
    const counts = this.#counts(name);
    counts.backtests += 1;
    if (isFailed) counts.failed += 1;
    counts.pace.add(this.#now());
  }

  onReturn(name: string): void {
    this.#counts(name).returned += 1;
  }

  /** @param present all workers that are there now @returns names of those that are gone since the last call */
  onPresent(present: readonly SeenWorker[]): readonly string[] {
    const now = this.#now();
    for (const { name, host, threads, state, silentMs } of present) {
      if (state === 'ended' && !this.#byName.has(name)) continue;
      Object.assign(this.#counts(name), { seen: { host, threads }, state, seenAt: now - silentMs });
    }
    const names = new Set(present.map(({ name }) => name));
    const lost: string[] = [];
    for (const [name, counts] of this.#byName) {
      if (names.has(name)) continue;
      if (now - counts.seenAt > KEPT_MS) this.#byName.delete(name);
      if (counts.seen === undefined || counts.state === 'gone' || counts.state === 'ended') continue;
      counts.state = 'gone';
      lost.push(name);
    }
    return lost;
  }

  /** Those that are there first, then by name. */
  get workers(): readonly StudyWorker[] {
    const now = this.#now();
    const shown = [...this.#byName].flatMap(([name, { seen, seenAt, pace, ...counts }]) =>
      seen === undefined
        ? []
        : [{ name, ...seen, ...counts, perSecond: isThere(counts) ? pace.perSecond(now) : 0, silentMs: now - seenAt }],
    );
    return shown.toSorted((a, b) => Number(isThere(b)) - Number(isThere(a)) || a.name.localeCompare(b.name));
  }

  #counts(name: string): Counts {
    const now = this.#now();
    const fresh = { backtests: 0, failed: 0, returned: 0, seen: undefined, state: 'working' as const, seenAt: now };
    const counts = this.#byName.get(name) ?? { ...fresh, pace: new Pace(now) };
    this.#byName.set(name, counts);
    return counts;
  }
}

/** Whether it computes, at least what it has. */
export function isThere({ state }: { readonly state: WorkerState }): boolean {
  return state === 'working' || state === 'draining';
}
