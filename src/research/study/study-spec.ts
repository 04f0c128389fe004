/** The configuration of a study: parameters, objectives, search and tests. */
import { z } from 'zod';
import { fileVersion, parseStrict, whole, within } from '../../strategy/index.ts';
import { searchSchema } from '../search/search.ts';
import type { Dimension } from '../search/space.ts';
import { type Formula, parseFormula } from './formula.ts';
import { OBJECTIVE_METRICS } from './run-metrics.ts';

const nonEmpty = z.string().min(1);
const value = z.union([z.number(), z.string().max(200), z.boolean()]);

/** Key of a backtest, such as `a.b[0].c`. */
const KEY = /^[\w-]+(\[\d+\])*(\.[\w-]+(\[\d+\])*)*$/;

const condition = z
  .record(nonEmpty, z.array(value).min(1).max(100))
  .refine((when) => Object.keys(when).length === 1, 'one parameter with a list of its values')
  .optional()
  .describe('Condition: another parameter has one of these values. Default: always searched.');

const parameterSchema = z.union([
  z
    .strictObject({
      low: z.number().describe('Lowest value.'),
      high: z.number().describe('Highest value.'),
      log: z.boolean().default(false).describe('Searched in the logarithm. Default false.'),
      whole: z.boolean().default(false).describe('Whole numbers only. Default false.'),
      step: z.number().positive().optional().describe('Values are low plus multiples of this. Default: any number.'),
      when: condition,
    })
    .describe('A range.'),
  z
    .strictObject({ choices: z.array(value).min(2).max(100).describe('Values to choose from.'), when: condition })
    .describe('A choice.'),
]);

const formulaText = nonEmpty.max(500).optional();
const objectiveSchema = z
  .strictObject({
    maximise: formulaText.describe('The larger the better.'),
    minimise: formulaText.describe('The smaller the better.'),
  })
  .refine(
    ({ maximise, minimise }) => (maximise === undefined) !== (minimise === undefined),
    'either maximise or minimise; add a list entry for another objective',
  )
  .describe(`A formula of ${Object.keys(OBJECTIVE_METRICS).join(', ')}.`);

const embargo = within(0, 8_760, 24, 'Time between the end of training and the start of a test, hours.');

export const studySchema = z
  .strictObject({
    version: fileVersion,
    backtest: nonEmpty.describe('File of the backtest whose keys are searched, relative to this file.'),
    parameters: z
      .record(z.string().max(200).regex(KEY, 'keys of the backtest, such as params.bid_spread'), parameterSchema)
      .describe('Searched parameters by key of the backtest, such as params.half_spread_bps.'),
    objectives: z
      .array(objectiveSchema)
      .min(1)
      .max(4)
      .default([{ maximise: 'pnl - pnl_error' }])
      .describe('Objectives of the search. Default: maximise pnl - pnl_error.'),
    search: searchSchema.prefault({ method: 'tpe' }),
    trials: whole(1, 1_000_000, 100, 'Number of trials.'),
    seed: whole(0, 4_294_967_295, 1, 'Seed of the search, 0 to 2^32-1.'),
    together: z
      .boolean()
      .default(false)
      .describe('True: all tapes in one backtest with common capital. False: a backtest for each tape. Default false.'),
    test: z
      .union([
        z
          .strictObject({
            last: z.number().gt(0).lt(1).describe('Share of the markets, the last to resolve, that trials do not use.'),
            embargo_hours: embargo,
          })
          .describe('Markets held back for the best trial.'),
        z
          .strictObject({
            folds: z
              .int()
              .min(2)
              .max(50)
              .describe('Number of folds in time. Each tests the best trial of the time before it.'),
            embargo_hours: embargo,
          })
          .describe('Walk-forward.'),
      ])
      .optional()
      .describe('How the result is tested. Default: not at all.'),
    random_controls: z
      .int()
      .min(0)
      .max(1_000)
      .default(20)
      .describe('Runs that quote at random distances, to compare the best trial with. Default 20; 0 for none.'),
    file: nonEmpty
      .optional()
      .describe('Database of the study, relative to this file. Default: the name of this file with .study.'),
  })
  .describe('A study: a search for parameters of a backtest.');

export type StudySpec = z.output<typeof studySchema>;

export interface Objective {
  readonly text: string;
  readonly direction: 'maximise' | 'minimise';
  readonly formula: Formula;
}

/** @throws InputFault that names the first wrong field */
export function parseStudy(given: unknown): StudySpec {
  return parseStrict(studySchema, given, '');
}

/** @throws InputFault for a formula that cannot be read */
export function parseObjectives({ objectives }: Pick<StudySpec, 'objectives'>): readonly Objective[] {
  const names = Object.keys(OBJECTIVE_METRICS);
  return objectives.map(({ maximise, minimise = '' }, index) => {
    const direction = maximise === undefined ? 'minimise' : 'maximise';
    const text = maximise ?? minimise;
    return { text, direction, formula: parseFormula(`objectives[${index}].${direction}`, text, names) };
  });
}

export function toDimensions({ parameters }: Pick<StudySpec, 'parameters'>): readonly Dimension[] {
  return Object.entries(parameters).map(([name, parameter]): Dimension => {
    const [when] = Object.entries(parameter.when ?? {}).map(([key, is]) => ({ parameter: key, is }));
    if ('choices' in parameter) return { kind: 'choice', name, choices: parameter.choices, when };
    const { low, high, log, whole, step } = parameter;
    const range = { name, low, high, log, when };
    return whole ? { kind: 'integer', ...range } : { kind: 'number', ...range, step };
  });
}
