import { writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type SessionBacktest, sessionBacktest, sessionRunner, stepsPath } from '../../app/session-backtest.ts';
import { type CalibrationSession, calibrate as fit, testCalibration } from '../../backtest/index.ts';
import { yamlText } from '../../config/yaml-file.ts';
import { errorMessage, FileFault } from '../../domain/index.ts';
import { partsOf } from '../../history/index.ts';
import { makeFolder } from '../../runtime/index.ts';
import { action, flag, optionalText } from '../command.ts';
import { calibrationText } from '../output/comparison-text.ts';
import { writeResult } from '../output/terminal.ts';
import { strategyFolders } from '../paths.ts';

const OPTIONS = { json: flag, test: optionalText, out: optionalText };

/** Prints the candidates, the best models as YAML, and their errors on another session. */
export const calibrate = action(OPTIONS, async ({ terminal, interruption }, [name = ''], { json, test, out }) => {
  const { cwd } = terminal;
  const path = stepsPath(cwd, name);
  const session = sessionBacktest(path);
  const other = test === undefined ? undefined : sessionBacktest(stepsPath(cwd, test));
  const { signal } = interruption();
  try {
    const runnable = ({ spec, live, baseDir }: SessionBacktest): CalibrationSession => {
      return { spec, live, run: sessionRunner(baseDir, strategyFolders(cwd), signal) };
    };
    const calibration = await fit(runnable(session), session);
    const tested = other === undefined ? undefined : await testCalibration(runnable(other), calibration.models);
    const yaml = yamlText({ ...calibration.models, fitted_on: partsOf(path.replace(/\.steps$/, '.tape')) });
    if (out !== undefined) writeModels(resolve(cwd, out), yaml);
    const result = { ...calibration, tested: tested ?? null };
    writeResult(terminal, json, result, (width) => calibrationText(calibration, tested, yaml, width));
  } finally {
    session.close();
    other?.close();
  }
});

function writeModels(path: string, yaml: string): void {
  try {
    makeFolder(dirname(path));
    writeFileSync(path, yaml);
  } catch (cause) {
    const problem = `cannot be written (${errorMessage(cause)})`;
    throw new FileFault(path, undefined, problem, 'Name a file that can be written (--out)', { cause });
  }
}
