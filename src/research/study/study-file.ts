/** Reads a study from its database only, without its tapes and configurations. */
import { z } from 'zod';
import { FileFault } from '../../domain/index.ts';
import { StudyStore } from '../../store/index.ts';
import type { StudyData } from './study-result.ts';
import { StudyRuns } from './study-runs.ts';
import { parseObjectives, parseStudy, type StudySpec, toDimensions } from './study-spec.ts';
import { splitTapes } from './study-splits.ts';
import { type StudyTape, tapeSchema } from './study-tapes.ts';

/** Reads the results of a study so far, even while it runs. @throws FileFault for a file without an intact study */
export function readStudyFile(file: string): StudyData {
  const store = StudyStore.openReadOnly(file);
  try {
    const spec = readStoredSpec(store);
    const { training, tests } = splitTapes(readStoredTapes(store), spec);
    const objectives = parseObjectives(spec);
    const runs = new StudyRuns(store);
    const scores = runs.scores(training, objectives);
    return { spec, dimensions: toDimensions(spec), objectives, training, tests, scores, runs, controls: runs.controls };
  } finally {
    store.close();
  }
}

function readStoredSpec(store: StudyStore): StudySpec {
  const identity = store.identity();
  try {
    const parts = z.record(z.string(), z.string()).parse(identity);
    // A missing part becomes '', which JSON.parse refuses.
    const { parameters = '', objectives = '', search = '', test = '' } = parts;
    const stored = {
      ...z.looseObject({}).parse(JSON.parse(search)),
      parameters: JSON.parse(parameters),
      objectives: JSON.parse(objectives),
      test: JSON.parse(test) ?? undefined,
    };
    // The backtest's name is neither stored nor needed.
    return parseStudy({ version: 1, backtest: '-', ...stored });
  } catch (cause) {
    const problem = 'it is damaged, or its study has not begun';
    throw new FileFault(store.file, 'study', problem, 'Run the study again', { cause });
  }
}

function readStoredTapes(store: StudyStore): readonly StudyTape[] {
  const tapes = z.array(tapeSchema).safeParse(store.tapes());
  if (tapes.success && tapes.data.length > 0) return tapes.data.map((tape) => ({ ...tape, part: { tapes: [] } }));
  const remedy = 'Run `npx halfspread optimize` on its study with --resume once';
  throw new FileFault(store.file, 'tapes', 'it does not contain the tapes of the study', remedy);
}
