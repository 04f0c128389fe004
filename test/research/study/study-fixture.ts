/** A folder with short synthetic tapes, a backtest of `ladder` on them, and studies of it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { openStudy, optimize } from '../../../src/app/optimize.ts';
import { readConfiguration } from '../../../src/config/configuration.ts';
import { recipeSchema, toRecipe } from '../../../src/config/recipe-schema.ts';
import { generateTape } from '../../../src/history/index.ts';
import { computeStudyResult, type StudyData, type TrialWorkers } from '../../../src/research/index.ts';
import { scratchFolder } from '../../history/scratch.ts';

const STRATEGIES = join(import.meta.dirname, '../../../strategies');
const DAY = 86_400_000;
const START = Date.parse('2026-01-01T00:00:00Z');

export interface StudyFixture {
  readonly folder: string;
  /** Writes the files again with these sections replaced. */
  write(sections?: object, backtest?: object): void;
  run(options?: RunOptions): Promise<StudyData>;
}

interface RunOptions {
  readonly workers?: number | (() => TrialWorkers);
  readonly begun?: 'resume' | 'replace' | 'neither';
  /** After each backtest. */
  readonly onProgress?: (done: number) => void;
  /** Number of backtests after which the study stops. */
  readonly stopAfter?: number;
}

/** @param tapes number of tapes, two days apart @param folder default: a folder that the test removes */
export function studyFixture(tapes = 2, events = 1_500, folder = scratchFolder()): StudyFixture {
  mkdirSync(join(folder, 'tapes'));
  for (let index = 0; index < tapes; index += 1) {
    const start = new Date(START + 2 * index * DAY).toISOString();
    const recipe = toRecipe(recipeSchema.parse({ seed: index + 1, events, start }));
    generateTape(recipe, join(folder, 'tapes', `t${index}.tape`));
  }
  const write = (sections: object = {}, backtest: object = {}): void => {
    writeFileSync(join(folder, 'backtest.yaml'), stringify({ ...BACKTEST, ...backtest }));
    writeFileSync(join(folder, 'study.yaml'), stringify({ ...STUDY, ...sections }));
  };
  write();
  return {
    folder,
    write,
    async run({ workers = 1, begun = 'resume', stopAfter = Number.POSITIVE_INFINITY, onProgress } = {}) {
      const stop = new AbortController();
      const study = await openStudy(readConfiguration('study.yaml', folder), folder);
      return optimize(study, {
        strategyFolders: [STRATEGIES],
        version: 'test',
        workers,
        existing: begun === 'neither' ? undefined : begun,
        signal: stop.signal,
        onProgress: ({ done }) => {
          onProgress?.(done);
          if (done >= stopAfter) stop.abort();
        },
      });
    },
  };
}

const BACKTEST = {
  strategy: 'ladder',
  params: { bid_spread: 60, ask_spread: 60, order_amount: 20, max_position: 300 },
  tapes: ['tapes'],
};

const STUDY = {
  version: 1,
  backtest: 'backtest.yaml',
  parameters: {
    'params.bid_spread': { low: 10, high: 200, whole: true },
    'params.ask_spread': { low: 10, high: 200, log: true },
  },
  search: { method: 'tpe', startup: 4, batch: 4 },
  trials: 8,
  random_controls: 0,
};

/** Returns the result of a study and the scores of its trials. */
export function outcomeOf(ended: StudyData): unknown {
  const scores = ended.scores.map(({ number, values, objectives }) => ({ number, values, objectives }));
  return JSON.parse(JSON.stringify({ ...computeStudyResult(ended), scores }));
}
