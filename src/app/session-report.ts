import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import {
  type BacktestRun,
  type MeasuredSession,
  quoteStandard,
  sectionFacts,
  sessionResults,
  toTables,
  writeReport,
  writeTables,
} from '../backtest/index.ts';
import { wallClock } from '../clock/index.ts';
import { FileFault } from '../domain/index.ts';
import { openRecordedRows, readStepLog } from '../history/index.ts';
import { version } from '../package-files.ts';
import { sessionHeadOf } from './replay.ts';

/**
 * Measures a recorded session, even during its recording. @param path steps file
 * @throws FileFault for a recording that cannot be read, or in which the bot never traded
 */
export function measureSession(path: string, tabled: boolean): MeasuredSession {
  const clock = wallClock();
  const started = clock.now();
  const log = readStepLog(path);
  const { file, snapshot, version: recordedBy } = sessionHeadOf(path, log.head);
  const rows = openRecordedRows(path.replace(/\.steps$/, '.tape'));
  const kind = file.mode === 'paper' ? 'paper' : 'live';
  try {
    const measured = sessionResults({
      kind,
      snapshot,
      steps: log.steps,
      rows,
      params: file.strategies ?? file.params,
      seed: file.seed,
      name: basename(path, '.steps'),
      standard: quoteStandard(),
      facts: [
        { name: 'Mode', value: kind },
        { name: 'Venue', value: file.venue.url },
        { name: 'Recording', value: basename(path) },
        { name: 'Recorded by', value: `halfspread ${recordedBy}` },
        { name: 'State', value: log.isEnded ? 'complete' : 'still being recorded, or interrupted' },
      ],
      settings: [...sectionFacts('risk', file.risk), ...sectionFacts('execution', file.execution)],
      version: version(),
      tabled,
      machine: { peakRssMb: () => process.resourceUsage().maxRSS / 1_024 },
      elapsed: () => clock.now() - started,
    });
    if (measured !== undefined) return measured;
  } finally {
    rows.feed.close();
  }
  const remedy = 'Name a recording of a bot that traded';
  throw new FileFault(path, undefined, 'the bot never traded in this session: there is nothing to measure', remedy);
}

export interface ReportFolders {
  /** Folder of the HTML page. */
  readonly folder: string;
  /** Folder of the tables. Default: no tables. */
  readonly tables?: string | undefined;
}

/** Measures a session and writes its page and tables. @returns the run with the path of its report. @throws FileFault */
export async function reportSession(path: string, { folder, tables }: ReportFolders): Promise<BacktestRun> {
  const { run, rows } = measureSession(path, tables !== undefined);
  if (tables !== undefined && rows !== undefined) await writeTables(toTables(run, rows), tables);
  const report = await writeReport(run, folder);
  return { ...run, result: { ...run.result, report } };
}

/** Returns the newest `.steps` file of a folder. @throws FileFault for a folder without recordings */
export function newestSession(folder: string): string {
  let names: readonly string[] = [];
  try {
    names = readdirSync(folder);
  } catch (cause) {
    throw new FileFault(folder, undefined, `cannot be read (${String(cause)})`, NO_RECORDING, { cause });
  }
  // The names begin with the start time.
  const newest = names
    .filter((name) => name.endsWith('.steps'))
    .toSorted()
    .at(-1);
  if (newest === undefined) throw new FileFault(folder, undefined, 'there is no recording of a session', NO_RECORDING);
  return join(folder, newest);
}

const NO_RECORDING = 'Set `record: true` in the bot’s configuration: a report is made from a recording';
