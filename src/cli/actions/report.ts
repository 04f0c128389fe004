import { resolve } from 'node:path';
import { livePaths } from '../../app/live/paths.ts';
import { newestSession, reportSession } from '../../app/session-report.ts';
import { readLiveFile } from '../../config/live-file.ts';
import { InputFault } from '../../domain/index.ts';
import { action, flag, optionalText } from '../command.ts';
import { summary } from '../output/summary.ts';
import { displayPath } from '../paths.ts';

const OPTIONS = { json: flag, out: optionalText, quiet: flag, tables: optionalText };

/** Measures a recorded session of a bot, prints its summary or its result as JSON, and writes the HTML report. */
export const report = action(OPTIONS, async ({ terminal }, [subject = ''], { json, out, quiet, tables }) => {
  const { steps, folder } = recordingOf(subject, terminal.cwd);
  const run = await reportSession(steps, {
    folder: resolve(terminal.cwd, out ?? folder),
    ...(tables !== undefined && { tables: resolve(terminal.cwd, tables) }),
  });
  if (json) {
    terminal.out.write(`${JSON.stringify(run.result)}\n`);
    return;
  }
  if (!quiet) terminal.out.writeColored(summary(run, terminal.out));
  terminal.out.write(`report: ${displayPath(terminal.cwd, run.result.report ?? '')}\n`);
});

/** @param subject a recording, or the configuration of a bot for its newest recording */
function recordingOf(subject: string, cwd: string): { readonly steps: string; readonly folder: string } {
  if (/\.(steps|tape)$/.test(subject)) {
    const steps = resolve(cwd, subject.replace(/\.tape$/, '.steps'));
    return { steps, folder: DEFAULT_FOLDER };
  }
  if (!/\.ya?ml$/.test(subject)) {
    const expected =
      'a .steps file of a recording, or the YAML file of a bot (a database has no market data to measure with)';
    throw new InputFault('session', subject, expected);
  }
  const { configuration, file } = readLiveFile(subject, cwd);
  const { record } = livePaths(configuration, file, cwd);
  if (record === undefined)
    throw new InputFault('record', false, 'true: a report is made from the recording of a session');
  return { steps: newestSession(record.folder), folder: file.report_dir ?? DEFAULT_FOLDER };
}

const DEFAULT_FOLDER = 'reports';
