/** Splits the tapes of a study into training and tests (docs/spec/judging.md#walk-forward). */
import { epochMs, formatTime, InputFault } from '../../domain/index.ts';
import type { StudySpec } from './study-spec.ts';
import type { StudyTape } from './study-tapes.ts';

const MS_PER_HOUR = 3_600_000;

/** The tapes of a test, and the tapes on which its parameters may be fitted. */
export interface TestSplit {
  /** Start of the test period, epoch ms. */
  readonly from: number;
  /** Tapes that ended at least the embargo before `from`, and have no event in common with `test`. */
  readonly train: readonly StudyTape[];
  /** Tapes that end in the test period, without their part before `from`. */
  readonly test: readonly StudyTape[];
}

export interface StudySplits {
  /** Tapes on which every trial runs. */
  readonly training: readonly StudyTape[];
  readonly tests: readonly TestSplit[];
}

/** @throws InputFault for a test that these tapes or this search do not allow */
export function splitTapes(tapes: readonly StudyTape[], { test, search, together }: StudySpec): StudySplits {
  if (test === undefined) return { training: tapes, tests: [] };
  if (together)
    throw new InputFault('test', 'a test', 'no test, because together: true has a single run that cannot be divided');
  const sorted = tapes.toSorted((a, b) => getEnd(a) - getEnd(b) || (a.id < b.id ? -1 : 1));
  const embargo = test.embargo_hours * MS_PER_HOUR;
  if ('last' in test) {
    const first = sorted.length - Math.max(1, Math.round(sorted.length * test.last));
    const split = splitAt(sorted, first, sorted.length, embargo);
    if (split === undefined) throw tooFewFault('test.last', test.last);
    return { training: split.train, tests: [split] };
  }
  if (search.method === 'tpe' || search.method === 'halving') {
    const expected = `grid, random or sobol with test.folds: ${search.method} chooses trials by results on all tapes`;
    throw new InputFault('search.method', search.method, expected);
  }
  const starts = Array.from({ length: test.folds + 1 }, (_, fold) =>
    Math.round((sorted.length * (fold + 1)) / (test.folds + 1)),
  );
  const tests = starts
    .slice(0, -1)
    .flatMap((first, fold) => splitAt(sorted, first, starts[fold + 1] ?? sorted.length, embargo) ?? []);
  if (tests.length === 0) throw tooFewFault('test.folds', test.folds);
  return { training: sorted, tests };
}

/** @returns undefined if there is no tape to train on, or none to test */
function splitAt(sorted: readonly StudyTape[], first: number, end: number, embargo: number): TestSplit | undefined {
  const last = sorted[first - 1];
  if (last === undefined) return undefined;
  const from = getEnd(last) + embargo;
  const test = sorted.slice(first, end).filter((tape) => getEnd(tape) > from);
  const events = new Set(test.flatMap(({ markets }) => markets.map(({ event }) => event)));
  const isShared = ({ markets }: StudyTape) => markets.some(({ event }) => events.has(event));
  const train = sorted.filter((tape) => getEnd(tape) <= from - embargo && !isShared(tape));
  if (train.length === 0 || test.length === 0) return undefined;
  return { from, train, test: test.map((tape) => cutTape(tape, from)) };
}

/** Cuts off the part of a tape before a time. */
function cutTape(tape: StudyTape, from: number): StudyTape {
  if (Math.min(...tape.markets.map(({ start }) => start)) >= from) return tape;
  const time = formatTime(epochMs(from));
  return { ...tape, id: `${tape.id} from ${time}`, part: { ...tape.part, from: time } };
}

function getEnd({ markets }: StudyTape): number {
  return Math.max(...markets.map(({ end }) => end));
}

function tooFewFault(field: string, value: number): InputFault {
  const expected =
    'a test with tapes before and in it: add tapes of other events and times, or lower test.embargo_hours';
  return new InputFault(field, value, expected);
}
