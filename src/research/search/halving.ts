/**
 * Successive halving: many trials on few events, the better ones on more (docs/spec/searches.md#halving). An event is the
 * subject of markets, such as a match. A `Search` gives the values of trials; these functions choose the events of each rung
 * and the promoted trials.
 */
import { seededRandom } from '../../clock/index.ts';
import { InputFault } from '../../domain/index.ts';

export interface HalvingOptions {
  /** Trials of the first rung. */
  readonly trials: number;
  /** Events of the last rung: all training events. */
  readonly events: number;
  /** Events of the first rung. Default 1. */
  readonly least?: number | undefined;
  /** A rung has 1/`eta` of the trials of the previous rung, and `eta` times the events. Default 3. */
  readonly eta?: number | undefined;
}

/** A number of trials, each run on the same number of events. */
export interface Rung {
  readonly trials: number;
  readonly events: number;
}

/** Numbers of runs of a trial on an event. */
export interface HalvingCost {
  /** If each rung runs all its events. */
  readonly fresh: number;
  /** If a promoted trial runs only events that are new to it. */
  readonly resumed: number;
  /** Without halving, if every trial runs all events. */
  readonly full: number;
}

/** The result of a trial on the events of a rung. */
export interface RungResult {
  readonly trial: number;
  /** Maximised; -Infinity if the trial failed. */
  readonly score: number;
  /** Standard error of the score. */
  readonly error: number;
}

/**
 * Returns the rungs. The last rung has all events; a rung with a single trial is the last. Trials are rounded down.
 * @throws InputFault unless all options are integers, `eta` of at least 2, the others of at least 1
 */
export function halvingRungs(options: HalvingOptions): readonly Rung[] {
  const { trials, events, least = 1, eta = 3 } = options;
  for (const [name, value] of Object.entries({ trials, events, least, eta })) {
    const lowest = name === 'eta' ? 2 : 1;
    if (!Number.isSafeInteger(value) || value < lowest) {
      throw new InputFault(name, value, `an integer of at least ${lowest}`);
    }
  }
  const rungs: Rung[] = [];
  let rung: Rung = { trials, events: least };
  while (rung.trials > 1 && rung.events < events) {
    rungs.push(rung);
    rung = { trials: Math.max(1, Math.floor(rung.trials / eta)), events: rung.events * eta };
  }
  return [...rungs, { trials: rung.trials, events }];
}

export function halvingCost(rungs: readonly Rung[]): HalvingCost {
  let fresh = 0;
  let resumed = 0;
  for (const [at, { trials, events }] of rungs.entries()) {
    fresh += trials * events;
    resumed += trials * (events - (rungs[at - 1]?.events ?? 0));
  }
  return { fresh, resumed, full: (rungs[0]?.trials ?? 0) * (rungs.at(-1)?.events ?? 0) };
}

/**
 * Returns the training events in a random order, which depends only on the seed. A rung with n events uses the first n, so
 * it contains the events of all earlier rungs.
 */
export function drawEvents(events: readonly string[], seed: number): readonly string[] {
  const random = seededRandom(seed).fork('events');
  const drawn = [...new Set(events)].sort();
  for (let left = drawn.length; left > 1; left -= 1) {
    const [moved] = drawn.splice(random.int(left), 1);
    if (moved !== undefined) drawn.push(moved);
  }
  return drawn;
}

/**
 * Returns the trials of the next rung, in ascending order: the best `keep`, and those within one standard error below the
 * last of them. On ties the lower trial number is better. A failed trial is never promoted.
 */
export function promoted(results: readonly RungResult[], keep: number): readonly number[] {
  const order = results
    .filter(({ score }) => Number.isFinite(score))
    .sort((a, b) => b.score - a.score || a.trial - b.trial);
  const last = order[Math.min(keep, order.length) - 1];
  if (last === undefined) return [];
  return order
    .filter(({ score }, at) => at < keep || score >= last.score - last.error)
    .map(({ trial }) => trial)
    .sort((a, b) => a - b);
}
