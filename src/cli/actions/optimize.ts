import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { z } from 'zod';
import { bestAsConfig, openStudy, optimize as runOptimize } from '../../app/optimize.ts';
import { StudyWatch } from '../../app/study-watch.ts';
import type { StudyWorkers, StudyWorkersOptions } from '../../app/study-workers.ts';
import { type Configuration, readConfiguration } from '../../config/configuration.ts';
import { Fault, InputFault } from '../../domain/index.ts';
import { version } from '../../package-files.ts';
import { computeStudyResult, findChangedInputs, readStudy, renderStudy, type StudyData } from '../../research/index.ts';
import { action, assignments, flag, type OptionsOf, optionalText, whole } from '../command.ts';
import { progressBar } from '../output/progress.ts';
import { studyText } from '../output/study-text.ts';
import { endInterrupted, writeResult } from '../output/terminal.ts';
import { writePage } from '../output/write-page.ts';
import { locatedFault, strategyFolders, withFaultLocation } from '../paths.ts';
import { remoteWithProgress } from '../remote-tapes.ts';

const EXPECTED_WORKERS = 'expected a whole number from 1 to 256, or the URL of a Redis, such as redis://127.0.0.1:6379';
const EXPECTED_PRICE = 'expected the price of one thread for an hour, such as 0.04';

const OPTIONS = {
  json: flag,
  quiet: flag,
  resume: flag,
  new: flag,
  trials: z.string().optional(),
  report: optionalText,
  workers: z
    .string()
    .regex(/^(rediss?:\/\/.*|[1-9]\d{0,2})$/, EXPECTED_WORKERS)
    .transform((text) => (text.startsWith('redis') ? text : Number(text)))
    .refine((count) => typeof count === 'string' || count <= 256, EXPECTED_WORKERS)
    .optional(),
  pricePerHour: z.coerce.number(EXPECTED_PRICE).min(0, EXPECTED_PRICE).optional(),
  metricsPort: whole(1, 65_535, 'a port').optional(),
  set: assignments,
};

export const optimize = action(OPTIONS, async (session, [config = ''], options) => {
  const { terminal, interruption } = session;
  if (options.new && options.resume)
    throw new InputFault('--new', true, '--new or --resume, not both: --new removes the study that --resume continues');
  // Listen before downloads start: otherwise their progress bar handles the first Ctrl+C.
  const { signal } = interruption();
  const trialsOverride = options.trials === undefined ? [] : [`trials=${options.trials}`];
  const configuration = readConfiguration(config, terminal.cwd, [...options.set, ...trialsOverride]);
  const bar = progressBar('study', 'runs', terminal.err);
  let remoteWorkers: StudyWorkers | undefined;
  const watch = new StudyWatch({
    threads: typeof options.workers === 'number' ? options.workers : availableParallelism(),
    remote: () => remoteWorkers?.status,
    show: ({ done, total, perSecond, best, remote }) => {
      const notes = [best, remote?.problem ?? remoteWorkers?.text].flatMap((note) => note ?? []);
      if (!options.quiet) bar.update(done, total, perSecond, notes.join(' | ') || undefined);
    },
    notice(text) {
      bar.stop();
      terminal.err.write(`${text}\n`);
    },
  });
  try {
    const study = await openStudy(configuration, terminal.cwd, remoteWithProgress(terminal.err));
    const studyOptions = { baseDir: study.baseDir, strategyFolders: strategyFolders(terminal.cwd), version: version() };
    const created = await createRemoteWorkers(options, { ...studyOptions, notice: (text) => watch.notice(text) });
    remoteWorkers = created;
    await created?.start(() => watch.status);
    const studyData = await runOptimize(study, {
      ...studyOptions,
      watch,
      workers: typeof options.workers === 'number' ? options.workers : created && (() => created.workers),
      existing: options.new ? 'replace' : options.resume ? 'resume' : undefined,
      signal,
      onProgress: (progress) => watch.onProgress(progress),
    });
    bar.stop();
    const result = computeStudyResult(studyData);
    if (options.report !== undefined)
      await writePage(terminal, '--report', options.report, await renderReport(studyData, configuration));
    writeResult(terminal, options.json, result, (width) => studyText(studyData, result, width));
    assertNotAllFailed(studyData);
  } catch (fault) {
    bar.stop();
    if (!endInterrupted(session, fault, 'finished trials are kept; --resume continues'))
      throw locatedFault(fault, configuration, terminal.cwd);
  } finally {
    bar.stop();
    if (remoteWorkers !== undefined && remoteWorkers.workers.totals.backtests > 0)
      terminal.err.write(`${remoteWorkers.summary}\n`);
    await remoteWorkers?.stop();
  }
});

/** Returns the workers on other machines; undefined if none are configured. */
async function createRemoteWorkers(
  { workers, pricePerHour, metricsPort }: OptionsOf<typeof OPTIONS>,
  rest: Pick<StudyWorkersOptions, 'baseDir' | 'strategyFolders' | 'version' | 'notice'>,
): Promise<StudyWorkers | undefined> {
  if (typeof workers !== 'string') {
    if (pricePerHour === undefined && metricsPort === undefined) return undefined;
    const expected = 'the URL of a Redis: --price-per-hour and --metrics-port apply only to workers on other machines';
    throw new InputFault('--workers', workers, expected);
  }
  const { StudyWorkers: Workers } = await import('../../app/study-workers.ts');
  return new Workers({ ...rest, url: workers, pricePerHour, metricsPort });
}

/** @throws Fault TRIALS with the problem of the first trial if all trials failed */
function assertNotAllFailed({ scores }: StudyData): void {
  const [first] = scores;
  if (first?.problem === undefined || scores.some(({ problem }) => problem === undefined)) return;
  const trialsText = scores.length === 1 ? 'the only trial' : `all ${scores.length} trials`;
  const problem = `${trialsText} failed. Correct the cause, and start again with --new. Trial ${first.number}: ${first.problem}`;
  throw new Fault('TRIALS', problem);
}

const BEST_OPTIONS = { json: flag, asConfig: flag, report: optionalText, set: assignments };

export const optimizeBest = action(BEST_OPTIONS, async ({ terminal }, [config = ''], options) => {
  const { json, asConfig, report, set } = options;
  const configuration = readConfiguration(config, terminal.cwd, set);
  await withFaultLocation(configuration, terminal.cwd, async () => {
    const study = await openStudy(configuration, terminal.cwd);
    const studyData = readStudy(study);
    const changed = findChangedInputs(study);
    if (changed.length > 0) terminal.err.write(`warning: ${changedText(changed)}\n`);
    const result = computeStudyResult(studyData);
    if (report !== undefined)
      await writePage(terminal, '--report', report, await renderReport(studyData, configuration));
    if (asConfig)
      terminal.out.write(
        (changed.length === 0 ? '' : `# ${changedText(changed)}\n`) + bestAsConfig(study, studyData, result),
      );
    else writeResult(terminal, json, result, (width) => studyText(studyData, result, width));
    assertNotAllFailed(studyData);
  });
});

function changedText(changed: readonly string[]): string {
  return `since the study ran, its ${changed.join(' and ')} changed: the results are not those of this configuration`;
}

async function renderReport(studyData: StudyData, { givenPath }: Configuration): Promise<string> {
  return renderStudy(studyData, basename(givenPath).replace(/\.ya?ml$/, ''));
}
