/**
 * Results of a study's backtests, in memory and in its database. A `subject` is the number of a trial, or the name of a
 * control.
 */
import { z } from 'zod';
import { FileFault } from '../../domain/index.ts';
import type { StudyStore } from '../../store/index.ts';
import { valuesSchema } from '../search/space.ts';
import { metricsSchema, type RunMetrics } from './run-metrics.ts';
import type { Objective } from './study-spec.ts';
import type { StudyTape } from './study-tapes.ts';
import type { TrialOutcome } from './trial-pool.ts';
import { type ScoredTrial, scoreTrial } from './trial-score.ts';

const outcomeSchema = z.union([z.object({ figures: metricsSchema }), z.object({ problem: z.string() })]);

export class StudyRuns {
  readonly #store: StudyStore;
  readonly #outcomes = new Map<string, TrialOutcome>();

  /** Reads the stored results. @throws FileFault for damaged results */
  constructor(store: StudyStore) {
    this.#store = store;
    for (const { subject, tape, outcome } of store.runs()) {
      const { data: validOutcome, error: cause } = outcomeSchema.safeParse(outcome);
      if (validOutcome === undefined) {
        const remedy = 'Put back a good copy of the file, or start a new study';
        throw new FileFault(store.file, `run of ${subject} on ${tape}`, 'it is damaged', remedy, { cause });
      }
      this.#outcomes.set(toKey(subject, tape), validOutcome);
    }
  }

  get controls(): readonly string[] {
    const subjects = [...this.#outcomes.keys()].map((key) => key.slice(0, key.indexOf('\n')));
    return [...new Set(subjects)].filter((subject) => !/^\d+$/.test(subject));
  }

  has(subject: string, { id }: StudyTape): boolean {
    return this.#outcomes.has(toKey(subject, id));
  }

  /** Stores a result. @throws FileFault */
  add(subject: string, { id }: StudyTape, outcome: TrialOutcome): void {
    this.#store.storeRun({ subject, tape: id, outcome });
    this.#outcomes.set(toKey(subject, id), outcome);
  }

  /** Returns the metrics on these tapes, the problem of a failed run, or undefined while a run is missing. */
  metrics(subject: string, tapes: readonly StudyTape[]): readonly RunMetrics[] | string | undefined {
    const runs: RunMetrics[] = [];
    for (const { id } of tapes) {
      const outcome = this.#outcomes.get(toKey(subject, id));
      if (outcome === undefined) return undefined;
      if ('problem' in outcome) return outcome.problem;
      runs.push(outcome.figures);
    }
    return runs;
  }

  /** Returns the scores of the stored trials that have run on all of these tapes. */
  scores(tapes: readonly StudyTape[], objectives: readonly Objective[]): readonly ScoredTrial[] {
    return [...this.#store.trials()].flatMap(([number, values]) => {
      const found = this.metrics(`${number}`, tapes);
      return found === undefined ? [] : [scoreTrial(number, valuesSchema.parse(values), found, tapes, objectives)];
    });
  }
}

function toKey(subject: string, tape: string): string {
  return `${subject}\n${tape}`;
}
