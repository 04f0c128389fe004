/** `compare` and `calibrate`: compare backtests with each other, and with recorded sessions. */
import { resolve } from 'node:path';
import {
  createSessionRunner,
  prepareSessionBacktest,
  type SessionBacktest,
  stepsPath,
} from '../../app/recorded-session.ts';
import {
  attributeDifference,
  type BacktestOptions,
  baselineSpecs,
  type CalibrationSession,
  type ComparedRun,
  compareRuns,
  calibrate as fitModels,
  parseRunSpec,
  type RunSpec,
  readResult,
  runBacktest,
  testCalibration,
} from '../../backtest/index.ts';
import { renderComparison, writeAtomically } from '../../backtest/report/index.ts';
import { seededRandom } from '../../clock/index.ts';
import { readConfigurationOfKind } from '../../config/kinds.ts';
import { yamlText } from '../../config/yaml-file.ts';
import { InputFault } from '../../domain/index.ts';
import { findParts } from '../../history/index.ts';
import { action, assignments, flag, type OptionsOf, optionalText } from '../command.ts';
import { attributionText, calibrationText, comparisonText } from '../output/comparison-text.ts';
import { type Session, writeResult } from '../output/terminal.ts';
import { writePage } from '../output/write-page.ts';
import { strategyFolders, withFaultLocation } from '../paths.ts';
import { runOptions } from './backtest.ts';

const COMPARE_OPTIONS = { json: flag, baselines: flag, live: optionalText, report: optionalText, set: assignments };

export const compare = action(COMPARE_OPTIONS, async (session, names, { json, baselines, live, report, set }) => {
  if (live !== undefined) {
    if (report !== undefined) throw new InputFault('--report', report, 'no --report together with --live');
    if (baselines) throw new InputFault('--baselines', true, 'no --baselines together with --live');
    return compareLive(session, live, names, { json, set });
  }
  const { terminal } = session;
  const isRunAgain = names.some((name) => !isResult(name));
  if (set.length > 0 && !isRunAgain) throw new InputFault('--set', set.join(' '), `${SOME_CONFIGURATION} changed`);
  if (baselines && !isRunAgain) throw new InputFault('--baselines', true, `${SOME_CONFIGURATION} run with baselines`);
  const runs: ComparedRun[] = [];
  for (const name of names) runs.push(...(await loadRuns(session, name, { set, baselines })));
  if (runs.length < 2) throw new InputFault('run', names.join(' '), 'at least two runs, or one with --baselines');
  const comparison = compareRuns(runs, seededRandom(1));
  if (report !== undefined) await writePage(terminal, '--report', report, await renderComparison(comparison));
  writeResult(terminal, json, comparison, (width) => comparisonText(comparison, width));
});

const SOME_CONFIGURATION = 'the YAML file of a backtest as one of the runs, because a stored result cannot be';

/** Returns whether a run is a result that is read. Any other run is a configuration, which is run. */
function isResult(name: string): boolean {
  return name.endsWith('.json');
}

/** Compares a recorded session with a backtest of its tape, so only the backtest's assumptions cause differences. */
async function compareLive(
  { terminal, interruption }: Session,
  name: string,
  configurations: readonly string[],
  { json, set }: { readonly json: boolean; readonly set: readonly string[] },
): Promise<void> {
  const [configuration, ...others] = configurations;
  if (others.length > 0) throw new InputFault('run', others.join(' '), 'at most one configuration with --live');
  const path = stepsPath(terminal.cwd, name);
  const models = readModels(configuration, set, terminal.cwd);
  const { spec, baseDir, live, feeRateBps, warnings, close } = prepareSessionBacktest(path, models);
  try {
    const run = createSessionRunner(baseDir, strategyFolders(terminal.cwd), interruption().signal);
    const attribution = await attributeDifference({ spec, session: path, live, feeRateBps, run });
    const warningText = warnings.map((warning) => `${warning}\n`).join('');
    const text = (width: number): string => `${attributionText(attribution, width)}${warningText}`;
    writeResult(terminal, json, { ...attribution, warnings }, text);
  } finally {
    close();
  }
}

/** Reads queue, latency, fees and liquidity from a backtest's file. Returns an empty object if no file is named. */
function readModels(name: string | undefined, set: readonly string[], cwd: string) {
  if (name === undefined) {
    if (set.length > 0) throw new InputFault('set', set.join(' '), 'a configuration that it changes');
    return {};
  }
  const configuration = readConfigurationOfKind('backtest', name, cwd, set);
  const { latency, queue, fees, liquidity } = parseRunSpec(configuration.value);
  return { latency, queue, fees, liquidity };
}

async function loadRuns(
  { terminal, interruption }: Session,
  name: string,
  { set, baselines }: Pick<OptionsOf<typeof COMPARE_OPTIONS>, 'set' | 'baselines'>,
): Promise<readonly ComparedRun[]> {
  if (isResult(name)) return [{ name, result: readResult(resolve(terminal.cwd, name)) }];
  const configuration = readConfigurationOfKind('backtest', name, terminal.cwd, [...set, 'report_dir=null']);
  const options = runOptions(terminal, configuration, interruption().signal);
  return withFaultLocation(configuration, terminal.cwd, async () => {
    const spec = parseRunSpec(configuration.value);
    const runs = [await runWithEquity(name, spec, options)];
    if (!baselines) return runs;
    for (const baseline of baselineSpecs(spec)) runs.push(await runWithEquity(baseline.name, baseline.spec, options));
    return runs;
  });
}

async function runWithEquity(name: string, spec: RunSpec, options: BacktestOptions): Promise<ComparedRun> {
  const { result, detail } = await runBacktest(spec, options);
  return { name, result, equity: detail.equity };
}

const CALIBRATE_OPTIONS = { json: flag, test: optionalText, out: optionalText };

export const calibrate = action(
  CALIBRATE_OPTIONS,
  async ({ terminal, interruption }, [name = ''], { json, test, out }) => {
    const { cwd } = terminal;
    const path = stepsPath(cwd, name);
    const session = prepareSessionBacktest(path);
    let testSession: SessionBacktest | undefined;
    const { signal } = interruption();
    try {
      if (test !== undefined) testSession = prepareSessionBacktest(stepsPath(cwd, test));
      const withRunner = ({ spec, live, baseDir }: SessionBacktest): CalibrationSession => {
        return { spec, live, run: createSessionRunner(baseDir, strategyFolders(cwd), signal) };
      };
      const calibration = await fitModels(withRunner(session), session);
      const tested = testSession && (await testCalibration(withRunner(testSession), calibration.models));
      const yaml = yamlText({ ...calibration.models, fitted_on: findParts(path.replace(/\.steps$/, '.tape')) });
      if (out !== undefined)
        await writeAtomically(resolve(cwd, out), yaml, 'the models', 'Name a file that can be written (--out)');
      const result = { ...calibration, tested: tested ?? null };
      writeResult(terminal, json, result, (width) => calibrationText(calibration, tested, yaml, width));
    } finally {
      session.close();
      testSession?.close();
    }
  },
);
