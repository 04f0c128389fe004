import { basename, dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { z } from 'zod';
import {
  type BacktestOptions,
  parseRunSpec,
  type RunDetail,
  type RunResult,
  runBacktest,
  runForResult,
  sensitivityOf,
} from '../../backtest/index.ts';
import { renderSensitivity } from '../../backtest/report/index.ts';
import { wallClock } from '../../clock/index.ts';
import { type Configuration, readConfiguration } from '../../config/configuration.ts';
import { expectKind } from '../../config/kinds.ts';
import { Fault } from '../../domain/index.ts';
import { version } from '../../package-files.ts';
import { listenForInterrupt } from '../interrupt.ts';
import { sensitivityText } from '../output/comparison-text.ts';
import { remoteWithBar } from '../output/download-bar.ts';
import { perSecond, progressBar } from '../output/progress.ts';
import { strategyLogLine } from '../output/strategy-log-line.ts';
import { summary } from '../output/summary.ts';
import { type Session, type Terminal, tableWidth } from '../output/terminal.ts';
import { writePage } from '../output/write-page.ts';
import { fromHere, locatedFault, strategyFolders } from '../paths.ts';

const optionsSchema = z.object({
  json: z.boolean().default(false),
  out: z.string().min(1).optional(),
  report: z.boolean(),
  tables: z.string().min(1).optional(),
  quiet: z.boolean().default(false),
  sensitivity: z.boolean().default(false),
  seed: z.string().optional(),
  set: z.array(z.string()).default([]),
});
type Options = z.output<typeof optionsSchema>;

/** Runs one backtest. Prints the JSON object, or the summary with the report's path as the last line. */
export async function backtest(session: Session, config: string, given: unknown): Promise<void> {
  const options = optionsSchema.parse(given);
  const { terminal } = session;
  const configuration = readConfiguration(config, terminal.cwd, overrides(options));
  expectKind(configuration, 'backtest');
  if (options.sensitivity) {
    await sensitivity(session, configuration, options);
    return;
  }
  const run = await runOne(session, configuration, options);
  if (run === undefined) return;
  if (options.json) {
    terminal.out.write(`${JSON.stringify(run.result)}\n`);
    return;
  }
  const { result, detail } = run;
  if (detail !== undefined && !options.quiet) terminal.out.writeColored(summary({ result, detail }, terminal.out));
  const { report } = result;
  if (report !== null) terminal.out.write(`report: ${fromHere(terminal.cwd, report)}\n`);
  else if (!options.quiet) terminal.out.write('no report was written\n');
}

/** Prints the table of all combinations. */
async function sensitivity({ terminal }: Session, configuration: Configuration, options: Options): Promise<void> {
  const bar = progressBar('runs', 'runs', terminal.err);
  const interruption = listenForInterrupt();
  const clock = wallClock();
  const started = clock.now();
  try {
    const running = runOptions(terminal, configuration, interruption.signal);
    const onCell = (done: number, of: number) =>
      options.quiet || bar.update(done, of, perSecond(done, clock.now() - started));
    const cells = await sensitivityOf(parseRunSpec(configuration.value), running, onCell);
    bar.stop();
    if (options.out !== undefined) {
      const page = await renderSensitivity(cells, basename(configuration.shown));
      await writePage(terminal, '--out', join(options.out, 'sensitivity.html'), page);
    }
    terminal.out.write(options.json ? `${JSON.stringify(cells)}\n` : sensitivityText(cells, tableWidth(terminal.out)));
  } catch (fault) {
    throw locatedFault(fault, configuration, terminal.cwd);
  } finally {
    bar.stop();
    interruption.release();
  }
}

export function runOptions({ cwd, err }: Terminal, { path }: Configuration, signal: AbortSignal): BacktestOptions {
  return {
    baseDir: dirname(path),
    strategyFolders: strategyFolders(cwd),
    version: version(),
    remote: remoteWithBar(err),
    machine: { peakRssMb: () => process.resourceUsage().maxRSS / 1_024 },
    signal,
  };
}

/** A finished run, with details only when they are shown. */
interface FinishedRun {
  readonly result: RunResult;
  readonly detail?: RunDetail;
}

/** Returns undefined if the run was interrupted. */
async function runOne(
  { terminal, end }: Session,
  configuration: Configuration,
  options: Options,
): Promise<FinishedRun | undefined> {
  const bar = progressBar('replay', 'rows', terminal.err);
  const interruption = listenForInterrupt();
  try {
    const spec = parseRunSpec(configuration.value);
    const running = {
      ...runOptions(terminal, configuration, interruption.signal),
      ...(options.tables !== undefined && { tables: resolve(terminal.cwd, options.tables) }),
      ...(!options.quiet && {
        onProgress: ({ rows, totalRows, wallMs }) => bar.update(rows, totalRows, perSecond(rows, wallMs)),
      }),
      onLog: (line, time) => terminal.err.write(strategyLogLine(line, time)),
    } satisfies BacktestOptions;
    const isDetailHidden = options.tables === undefined && spec.report_dir === null && (options.json || options.quiet);
    return isDetailHidden ? { result: await runForResult(spec, running) } : await runBacktest(spec, running);
  } catch (fault) {
    bar.stop();
    const code = interruption.code();
    if (code === undefined || !(fault instanceof Fault && fault.code === 'ABORTED'))
      throw locatedFault(fault, configuration, terminal.cwd);
    terminal.err.write('interrupted: every order was cancelled, no report was written\n');
    end(code);
    return undefined;
  } finally {
    bar.stop();
    interruption.release();
  }
}

/** Returns the options that replace keys of the file, as values of `--set`. */
function overrides({ set, seed, out, report }: Options): readonly string[] {
  return [
    ...set,
    ...(seed === undefined ? [] : [`seed=${seed}`]),
    ...(out === undefined ? [] : [`report_dir=${JSON.stringify(out)}`]),
    ...(report ? [] : ['report_dir=null']),
  ];
}
