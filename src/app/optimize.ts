import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { parseRunSpec, withLocalTapes } from '../backtest/index.ts';
import { type Configuration, parsePath, withKey } from '../config/configuration.ts';
import { expectKind, readConfigurationOfKind } from '../config/kinds.ts';
import { replaceYamlValues } from '../config/yaml-file.ts';
import { FileFault, InputFault } from '../domain/index.ts';
import {
  parseStudy,
  runStudy,
  type StudyData,
  type StudyInput,
  type StudyProgress,
  type StudyResult,
  TrialPool,
  type TrialWorkers,
} from '../research/index.ts';
import { StudyStore } from '../store/index.ts';
import { remoteAccess } from './remote-access.ts';
import { withFileLease } from './shared-lease.ts';
import type { StudyWatch } from './study-watch.ts';

export interface OpenedStudy extends StudyInput {
  readonly configuration: Configuration;
}

/** @throws ConfigFault for the study or its backtest */
export async function openStudy(study: Configuration, cwd: string, remote = remoteAccess()): Promise<OpenedStudy> {
  expectKind(study, 'study');
  const spec = parseStudy(study.value);
  const folder = dirname(study.path);
  const configuration = readConfigurationOfKind('backtest', resolve(folder, spec.backtest), cwd);
  const { value } = configuration;
  const { tapes } = await withLocalTapes(parseRunSpec(value), remote);
  return {
    spec,
    configuration,
    backtest: (values) => ({
      ...parseRunSpec(
        Object.entries(values).reduce<unknown>((config, [key, setting]) => withKey(config, key, setting), value),
      ),
      tapes,
    }),
    baseDir: dirname(configuration.path),
    file: resolve(folder, spec.file ?? study.path.replace(/(\.ya?ml)?$/, '.study')),
  };
}

export interface OptimizeOptions {
  readonly strategyFolders: readonly string[];
  readonly version: string;
  /** Number of computing threads, or a function that opens other workers. Default: a thread per core. */
  readonly workers: number | (() => TrialWorkers) | undefined;
  /** Treatment of an existing study; undefined throws a FileFault. */
  readonly existing: 'resume' | 'replace' | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: StudyProgress) => void;
  readonly watch?: StudyWatch;
}

/** Runs a study, in one process at a time. @throws as `runStudy`; FileFault for an existing study */
export async function optimize(
  study: OpenedStudy,
  { existing, workers = availableParallelism(), watch, ...options }: OptimizeOptions,
): Promise<StudyData> {
  const { file } = study;
  return withFileLease(file, 'Wait until it ends, or name another `file` in the study', async () => {
    if (existing === 'replace') StudyStore.remove(file);
    if (existing === undefined && existsSync(file)) {
      const remedy = 'Continue it with --resume, or replace it with --new';
      throw new FileFault(file, undefined, 'this file already contains a study', remedy);
    }
    const openWorkers = typeof workers === 'number' ? () => new TrialPool(workers) : workers;
    watch?.start(study);
    try {
      return await runStudy({ ...study, ...options, openWorkers });
    } finally {
      watch?.stop();
    }
  });
}

/**
 * Returns the configuration of the study's backtest with the parameters of the best trial. `fitted_on` lists the
 * training tapes, so that a backtest on these tapes reports that it is in-sample.
 * @throws InputFault when every trial failed
 */
export function bestAsConfig(
  { configuration, spec }: OpenedStudy,
  { training }: StudyData,
  { best, trials }: StudyResult,
): string {
  if (best === null) throw new InputFault('trials', trials.done, 'a study with a trial that did not fail');
  const values = Object.entries(best.params).map(([key, value]) => [parsePath(key), value] as const);
  const hashes = training.flatMap((tape) => tape.hashes);
  const scores = Object.entries(best.values).map(([name, value]) => `${name} = ${value}`);
  const head = `# Trial ${best.number} of ${trials.done} of a study of ${spec.backtest}: ${scores.join(', ')}\n`;
  // Removes the comment at the top, which describes the parameters before the study.
  return (
    head + replaceYamlValues(configuration.path, [...values, [['fitted_on'], hashes]]).replace(/^(?:#.*\n|\n)+/, '')
  );
}
