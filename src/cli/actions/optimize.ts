/** `halfspread optimize`: searches the parameters of a backtest. */
import { basename, dirname, resolve } from 'node:path';
import { z } from 'zod';
import { bestAsConfig, openStudy, optimize as runOptimize } from '../../app/optimize.ts';
import { writeWhole } from '../../backtest/report/index.ts';
import { wallClock } from '../../clock/index.ts';
import { type Configuration, readConfiguration } from '../../config/configuration.ts';
import { Fault, FileFault, thrownText } from '../../domain/index.ts';
import { version } from '../../package-files.ts';
import { type EndedStudy, readStudy, renderStudy, studyResult } from '../../research/index.ts';
import { makeFolder } from '../../runtime/index.ts';
import { listenForInterrupt } from '../interrupt.ts';
import { progressBar } from '../output/progress.ts';
import { studyText } from '../output/study-text.ts';
import type { Session, Terminal } from '../output/terminal.ts';
import { blamedFault, fromHere, strategyFolders, withPlaces } from '../paths.ts';

const optionsSchema = z.object({
  json: z.boolean().default(false),
  quiet: z.boolean().default(false),
  resume: z.boolean().default(false),
  new: z.boolean().default(false),
  trials: z.string().optional(),
  report: z.string().min(1).optional(),
  workers: z.coerce.number().int().min(1).max(256).optional(),
  set: z.array(z.string()).default([]),
});

/** Runs a study, or what is left of it, and prints what it found. */
export async function optimize({ terminal, end }: Session, config: string, given: unknown): Promise<void> {
  const options = optionsSchema.parse(given);
  const trials = options.trials === undefined ? [] : [`trials=${options.trials}`];
  const configuration = readConfiguration(config, terminal.cwd, [...options.set, ...trials]);
  const bar = progressBar('study', 'runs', terminal.err);
  const interruption = listenForInterrupt();
  const clock = wallClock();
  const started = clock.now();
  try {
    const study = openStudy(configuration, terminal.cwd);
    const ended = await runOptimize(study, {
      strategyFolders: strategyFolders(terminal.cwd),
      version: version(),
      workers: options.workers,
      begun: options.new ? 'replace' : options.resume ? 'resume' : undefined,
      signal: interruption.signal,
      onProgress: ({ done, total }) => options.quiet || bar.update(done, total, clock.now() - started),
    });
    bar.stop();
    const result = studyResult(ended);
    await writePage(ended, options.report, configuration, terminal);
    terminal.out.write(options.json ? `${JSON.stringify(result)}\n` : studyText(result, terminal.out.columns));
  } catch (fault) {
    bar.stop();
    const code = interruption.code();
    if (code === undefined || !(fault instanceof Fault && fault.code === 'ABORTED'))
      throw blamedFault(fault, configuration, terminal.cwd);
    terminal.err.write('interrupted: trials that ended are kept; --resume goes on\n');
    end(code);
  } finally {
    bar.stop();
    interruption.release();
  }
}

const bestOptions = z.object({
  json: z.boolean().default(false),
  asConfig: z.boolean().default(false),
  report: z.string().min(1).optional(),
  set: z.array(z.string()).default([]),
});

/** Prints what a study has found so far, or the file of its backtest with the values of the best trial. */
export async function optimizeBest({ terminal }: Session, config: string, given: unknown): Promise<void> {
  const { json, asConfig, report, set } = bestOptions.parse(given);
  const configuration = readConfiguration(config, terminal.cwd, set);
  await withPlaces(configuration, terminal.cwd, async () => {
    const study = openStudy(configuration, terminal.cwd);
    const ended = readStudy(study);
    const result = studyResult(ended);
    await writePage(ended, report, configuration, terminal);
    if (asConfig) terminal.out.write(bestAsConfig(study, ended, result));
    else terminal.out.write(json ? `${JSON.stringify(result)}\n` : studyText(result, terminal.out.columns));
  });
}

async function writePage(
  ended: EndedStudy,
  report: string | undefined,
  { shown }: Configuration,
  { cwd, err }: Terminal,
): Promise<void> {
  if (report === undefined) return;
  const path = resolve(cwd, report);
  try {
    makeFolder(dirname(path));
    await writeWhole(path, await renderStudy(ended, basename(shown).replace(/\.ya?ml$/, '')));
  } catch (cause) {
    const problem = `the page cannot be written (${thrownText(cause)})`;
    throw new FileFault(path, undefined, problem, 'Set --report to a file in a folder that can be written', { cause });
  }
  err.write(`report: ${fromHere(cwd, path)}\n`);
}
