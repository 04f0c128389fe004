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
  runSensitivity,
} from '../../backtest/index.ts';
import { renderSensitivity } from '../../backtest/report/index.ts';
import type { Configuration } from '../../config/configuration.ts';
import { readConfigurationOfKind } from '../../config/kinds.ts';
import { version } from '../../package-files.ts';
import { action, assignments, flag, type OptionsOf, optionalText } from '../command.ts';
import { sensitivityText } from '../output/comparison-text.ts';
import { perSecond, withProgressBar } from '../output/progress.ts';
import { strategyLogLine, summary } from '../output/summary.ts';
import { endInterrupted, type Session, type Terminal, writeResult } from '../output/terminal.ts';
import { writePage } from '../output/write-page.ts';
import { displayPath, locatedFault, strategyFolders, withFaultLocation } from '../paths.ts';
import { remoteWithProgress } from '../remote-tapes.ts';

const OPTIONS = {
  json: flag,
  out: optionalText,
  report: z.boolean(),
  tables: optionalText,
  quiet: flag,
  sensitivity: flag,
  seed: z.string().optional(),
  set: assignments,
};
type Options = OptionsOf<typeof OPTIONS>;

/** Without `--json`, the report's path is the last line. */
export const backtest = action(OPTIONS, async (session, [config = ''], options) => {
  const { terminal } = session;
  const configuration = readConfigurationOfKind('backtest', config, terminal.cwd, overrides(options));
  if (options.sensitivity) return runSensitivityCommand(session, configuration, options);
  const run = await runOne(session, configuration, options);
  if (run === undefined) return;
  const { result, detail } = run;
  const { report } = result;
  if (options.json) return terminal.out.write(`${JSON.stringify(result)}\n`);
  if (detail !== undefined && !options.quiet) terminal.out.writeColored(summary({ result, detail }, terminal.out));
  if (report !== null) terminal.out.write(`report: ${displayPath(terminal.cwd, report)}\n`);
  else if (!options.quiet) terminal.out.write('no report was written\n');
});

async function runSensitivityCommand(
  { terminal, interruption }: Session,
  configuration: Configuration,
  options: Options,
): Promise<void> {
  await withFaultLocation(configuration, terminal.cwd, async () => {
    const spec = parseRunSpec(configuration.value);
    const backtestOptions = runOptions(terminal, configuration, interruption().signal);
    const cells = await withProgressBar('runs', 'runs', terminal.err, (update) =>
      runSensitivity(spec, backtestOptions, (done, total) => options.quiet || update(done, total)),
    );
    if (options.out !== undefined) {
      const page = await renderSensitivity(cells, basename(configuration.givenPath));
      await writePage(terminal, '--out', join(options.out, 'sensitivity.html'), page);
    }
    writeResult(terminal, options.json, cells, (width) => sensitivityText(cells, width));
  });
}

export function runOptions({ cwd, err }: Terminal, { path }: Configuration, signal: AbortSignal): BacktestOptions {
  return {
    baseDir: dirname(path),
    strategyFolders: strategyFolders(cwd),
    version: version(),
    remote: remoteWithProgress(err),
    machine: { peakRssMb: () => process.resourceUsage().maxRSS / 1_024 },
    signal,
  };
}

/** Runs a backtest, with details only for a summary, report or tables. Returns undefined after an interruption. */
async function runOne(
  session: Session,
  configuration: Configuration,
  options: Options,
): Promise<{ readonly result: RunResult; readonly detail?: RunDetail } | undefined> {
  const { terminal, interruption } = session;
  try {
    const spec = parseRunSpec(configuration.value);
    return await withProgressBar('replay', 'rows', terminal.err, async (update) => {
      const backtestOptions = {
        ...runOptions(terminal, configuration, interruption().signal),
        ...(options.tables !== undefined && { tables: resolve(terminal.cwd, options.tables) }),
        ...(!options.quiet && {
          onProgress: ({ rows, totalRows, wallMs }) => update(rows, totalRows, perSecond(rows, wallMs)),
        }),
        onLog: (line, time) => terminal.err.write(strategyLogLine(line, time)),
      } satisfies BacktestOptions;
      const needsDetail = options.tables !== undefined || spec.report_dir !== null || !(options.json || options.quiet);
      if (needsDetail) return await runBacktest(spec, backtestOptions);
      return { result: await runForResult(spec, backtestOptions) };
    });
  } catch (fault) {
    if (!endInterrupted(session, fault, 'every order was cancelled, no report was written'))
      throw locatedFault(fault, configuration, terminal.cwd);
    return undefined;
  }
}

/** Converts options that replace keys of the file to values of `--set`. */
function overrides({ set, seed, out, report }: Options): readonly string[] {
  return [
    ...set,
    ...(seed === undefined ? [] : [`seed=${seed}`]),
    ...(out === undefined ? [] : [`report_dir=${JSON.stringify(out)}`]),
    ...(report ? [] : ['report_dir=null']),
  ];
}
