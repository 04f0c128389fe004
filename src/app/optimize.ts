/** A study from its configuration: the backtest that it searches, and the file that keeps it. */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { parseRunSpec, withLocalTapes } from '../backtest/index.ts';
import { type Configuration, parsePath, readConfiguration, withKey } from '../config/configuration.ts';
import { expectKind } from '../config/kinds.ts';
import { yamlWith } from '../config/yaml-file.ts';
import { FileFault, InputFault } from '../domain/index.ts';
import {
  type EndedStudy,
  parseStudy,
  runStudy,
  type StudyInput,
  type StudyProgress,
  type StudyResult,
  TrialPool,
  type TrialWorkers,
} from '../research/index.ts';
import { StudyStore } from '../store/index.ts';
import { remoteAccess } from './remote-access.ts';
import { whileAlone } from './shared-lease.ts';
import type { StudyWatch } from './study-watch.ts';

export interface OpenedStudy extends StudyInput {
  /** The backtest as its file has it. */
  readonly configuration: Configuration;
}

/** @throws ConfigFault for the study or its backtest */
export async function openStudy(study: Configuration, cwd: string, remote = remoteAccess()): Promise<OpenedStudy> {
  expectKind(study, 'study');
  const spec = parseStudy(study.value);
  const folder = dirname(study.path);
  const configuration = readConfiguration(resolve(folder, spec.backtest), cwd);
  expectKind(configuration, 'backtest');
  const { value } = configuration;
  const { tapes } = await withLocalTapes(parseRunSpec(value), remote);
  return {
    spec,
    configuration,
    backtest: (values) => ({
      ...parseRunSpec(Object.entries(values).reduce<unknown>((all, [key, one]) => withKey(all, key, one), value)),
      tapes,
    }),
    baseDir: dirname(configuration.path),
    file: resolve(folder, spec.file ?? study.path.replace(/(\.ya?ml)?$/, '.study')),
  };
}

export interface OptimizeOptions {
  readonly strategyFolders: readonly string[];
  readonly version: string;
  /** Threads that compute, or what opens other workers. Default: a thread for each core. */
  readonly workers: number | (() => TrialWorkers) | undefined;
  /** What to do with a study that was begun: go on with it, or remove it. Undefined: neither, which is a fault. */
  readonly begun: 'resume' | 'replace' | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: StudyProgress) => void;
  /** Told about the study while it runs. */
  readonly watch?: StudyWatch;
}

/** Runs a study while no other process does. @throws as `runStudy`; FileFault for a study that was begun */
export async function optimize(
  study: OpenedStudy,
  { begun, workers = availableParallelism(), watch, ...options }: OptimizeOptions,
): Promise<EndedStudy> {
  const { file } = study;
  return whileAlone(file, 'Wait until it ends, or name another `file` in the study', async () => {
    if (begun === 'replace') StudyStore.remove(file);
    if (begun === undefined && existsSync(file)) {
      const remedy = 'Continue it with --resume, or replace it with --new';
      throw new FileFault(file, undefined, 'there is a study in this file', remedy);
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
 * The file of the study's backtest with the values of the best trial. The tapes that they were found on are in
 * `fitted_on`, so that a backtest on them says it is in-sample.
 * @throws InputFault when no trial has ended well
 */
export function bestAsConfig(
  { configuration, spec }: OpenedStudy,
  { training }: EndedStudy,
  { best, trials }: StudyResult,
): string {
  if (best === null) throw new InputFault('trials', trials.done, 'a study with a trial that did not fail');
  const values = Object.entries(best.params).map(([key, value]) => [parsePath(key), value] as const);
  const hashes = training.flatMap(({ hashes: own }) => own);
  const scores = Object.entries(best.values).map(([text, value]) => `${text} = ${value}`);
  const head = `# Trial ${best.number} of ${trials.done} of a study of ${spec.backtest}: ${scores.join(', ')}\n`;
  // The comment at the top is about the values before: "nothing here was fitted".
  return head + yamlWith(configuration.path, [...values, [['fitted_on'], hashes]]).replace(/^(?:#.*\n|\n)+/, '');
}
