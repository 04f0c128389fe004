/** Results of a study's backtests, in memory and in its database. */
import { FileFault } from '../../domain/index.ts';
import type { StudyStore } from '../../store/index.ts';
import { figuresSchema, type RunFigures } from './figures.ts';
import type { StudyTape } from './study-tapes.ts';
import type { TrialOutcome } from './trial-pool.ts';

export class StudyRuns {
  readonly #store: StudyStore;
  readonly #outcomes = new Map<string, TrialOutcome>();

  /** Reads the stored results. @throws FileFault for damaged results */
  constructor(store: StudyStore) {
    this.#store = store;
    for (const { subject, tape, outcome } of store.runs()) {
      if ('problem' in outcome) {
        this.#outcomes.set(keyOf(subject, tape), outcome);
        continue;
      }
      const figures = figuresSchema.safeParse(outcome.figures);
      if (!figures.success) {
        const remedy = 'Put back a good copy of the file, or start a new study';
        throw new FileFault(store.file, `run of ${subject} on ${tape}`, 'it is damaged', remedy, {
          cause: figures.error,
        });
      }
      this.#outcomes.set(keyOf(subject, tape), { figures: figures.data });
    }
  }

  /** Names of the controls that ran. */
  get controls(): readonly string[] {
    const subjects = [...this.#outcomes.keys()].map((key) => key.slice(0, key.indexOf('\n')));
    return [...new Set(subjects)].filter((subject) => !/^\d+$/.test(subject));
  }

  has(subject: string, { id }: StudyTape): boolean {
    return this.#outcomes.has(keyOf(subject, id));
  }

  /** Stores a result. @throws FileFault */
  add(subject: string, { id }: StudyTape, outcome: TrialOutcome): void {
    this.#store.storeRun({ subject, tape: id, outcome });
    this.#outcomes.set(keyOf(subject, id), outcome);
  }

  /** The figures on these tapes; undefined while a run is missing; the problem if a run failed. */
  of(subject: string, tapes: readonly StudyTape[]): readonly RunFigures[] | string | undefined {
    const runs: RunFigures[] = [];
    for (const { id } of tapes) {
      const outcome = this.#outcomes.get(keyOf(subject, id));
      if (outcome === undefined) return undefined;
      if ('problem' in outcome) return outcome.problem;
      runs.push(outcome.figures);
    }
    return runs;
  }
}

function keyOf(subject: string, tape: string): string {
  return `${subject}\n${tape}`;
}
