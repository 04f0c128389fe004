/** Reports and backtests of recorded sessions. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import {
  type BacktestRun,
  configurationFacts,
  type LatencyPercentiles,
  type MeasuredSession,
  parseRunSpec,
  parseUptimeConditions,
  type RunSpec,
  runForResult,
  type SessionOutcome,
  sessionResults,
  toTables,
  writeReport,
  writeTables,
} from '../backtest/index.ts';
import { wallClock } from '../clock/index.ts';
import { type EpochMs, FileFault, formatTime } from '../domain/index.ts';
import { findParts, joinTapes, openRecordedRows, readStepLog, TapeFile } from '../history/index.ts';
import { version } from '../package-files.ts';
import { recover } from '../runtime/index.ts';
import { measureSessionLatency } from '../venues/sim/index.ts';
import { parseSessionHead } from './replay.ts';

const machine = { peakRssMb: () => process.resourceUsage().maxRSS / 1_024 };

/** Measures a recorded session, even during its recording. @throws FileFault if unreadable, or without trades */
function measureSession(path: string, { shouldCollectTables = false } = {}): MeasuredSession {
  const clock = wallClock();
  const startedAt = clock.now();
  const log = readStepLog(path);
  const { file, snapshot, version: recordedBy } = parseSessionHead(path, log.head);
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
      uptimeConditions: parseUptimeConditions(),
      facts: [
        { name: 'Mode', value: kind },
        { name: 'Venue', value: file.venue.url },
        { name: 'Recording', value: basename(path) },
        { name: 'Recorded by', value: `halfspread ${recordedBy}` },
        { name: 'State', value: log.isEnded ? 'complete' : 'still being recorded, or interrupted' },
      ],
      settings: [...configurationFacts('risk', file.risk), ...configurationFacts('execution', file.execution)],
      version: version(),
      shouldCollectTables,
      machine,
      elapsed: () => clock.now() - startedAt,
    });
    if (measured !== undefined) return measured;
  } finally {
    rows.feed.close();
  }
  const remedy = 'Name a recording of a bot that traded';
  throw new FileFault(path, undefined, 'the bot never traded in this session: there is nothing to measure', remedy);
}

/** Measures a session and writes its HTML page, and its tables if `tables` names a folder. @throws FileFault */
export async function reportSession(path: string, folder: string, tables?: string): Promise<BacktestRun> {
  const { run, tableCollector } = measureSession(path, { shouldCollectTables: tables !== undefined });
  if (tables !== undefined && tableCollector !== undefined) await writeTables(toTables(run, tableCollector), tables);
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

/**
 * Prepares a backtest of a recorded session, and returns the session's results for a comparison. @param path steps file
 * @throws FileFault for a recording that cannot be read or in which the bot never traded
 */
export function prepareSessionBacktest(
  path: string,
  models: Partial<Pick<RunSpec, 'latency' | 'queue' | 'fees' | 'liquidity'>> = {},
) {
  const log = readStepLog(path);
  const { file, baseDir, snapshot } = parseSessionHead(path, log.head);
  const { result, detail } = measureSession(path).run;
  const { state } = recover({ snapshot, steps: [], risk: snapshot.risk });
  const isHolding = state.markets.some(({ position }) => position.yes > 0 || position.no > 0);
  let feeRateBps = state.markets.reduce((max, { limits }) => Math.max(max, limits.feeRateBps), 0);
  let from: EpochMs | undefined;
  for (const { event } of log.steps()) {
    if (event?.type === 'started') from ??= event.time;
    if (event?.type === 'marketAdded') feeRateBps = Math.max(feeRateBps, event.limits.feeRateBps);
  }
  const { places, cancels, answers } = measureSessionLatency(log.steps());
  if (from === undefined) throw new FileFault(path, undefined, 'no strategy started in it', 'Name another session');
  const parts = findParts(path.replace(/\.steps$/, '.tape'));
  const spec = parseRunSpec({
    ...(file.strategies ? { strategies: file.strategies } : { strategy: file.strategy, params: file.params }),
    tapes: [parts[0] ?? ''],
    from: formatTime(from),
    capital_usd: detail.capitalMicros / 1e6,
    seed: file.seed,
    risk: file.risk,
    execution: file.execution,
    report_dir: null,
    ...models,
  });
  // Joins after the spec is checked, so that an invalid spec leaves no temporary folder.
  const { tape, close } = toSingleTape(parts);
  return {
    spec: { ...spec, tapes: [tape] },
    /** Removes the tape if this function joined it. Call this after the last backtest. */
    close,
    baseDir,
    live: { fills: result.fills.count, shares: result.fills.shares, pnlMicros: result.pnl.totalMicros },
    /** The highest taker fee rate of the session's markets, bps. */
    feeRateBps,
    /** Latency of commands, measured on cancels because they have no placing delay, and of the venue's answers. */
    entryMs: computeLatencyPercentiles(cancels),
    responseMs: computeLatencyPercentiles(answers),
    /** Median placement latency less median cancel latency, at least 0, whole ms. */
    placingMs: Math.max(
      0,
      Math.round(computeLatencyPercentiles(places).median - computeLatencyPercentiles(cancels).median),
    ),
    /** Features of the session that the backtest cannot reproduce, as sentences. */
    warnings: isHolding ? ['The session began with holdings; the backtest begins with cash of the same value.'] : [],
  };
}

export type SessionBacktest = Readonly<ReturnType<typeof prepareSessionBacktest>>;

/** Returns the path of a recording's steps. @param name path of the steps or the tape */
export function stepsPath(cwd: string, name: string): string {
  return resolve(cwd, name.replace(/\.tape$/, '.steps'));
}

export function createSessionRunner(baseDir: string, strategyFolders: readonly string[], signal: AbortSignal) {
  return async (spec: RunSpec): Promise<SessionOutcome> => {
    const { fills, pnl } = await runForResult(spec, { baseDir, strategyFolders, version: version(), machine, signal });
    return { fills: fills.count, shares: fills.shares, pnlMicros: pnl.totalMicros };
  };
}

/** Returns the only part of a recording, or joins its parts to a tape that `close` removes. */
export function toSingleTape(parts: readonly string[]): { readonly tape: string; readonly close: () => void } {
  const [first = '', ...others] = parts;
  if (others.length === 0) return { tape: first, close: () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'halfspread-'));
  const tape = join(folder, 'joined.tape');
  const close = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const files = parts.map((part) => TapeFile.open(part));
    joinTapes(files, tape);
  } catch (fault) {
    close();
    throw fault;
  }
  return { tape, close };
}

/** Returns median and p99. Recorded times are whole ms, so a median of 0 becomes 0.1 ms, unless the p99 is 0, too. */
function computeLatencyPercentiles(times: readonly { readonly ms: number }[]): LatencyPercentiles {
  const sorted = times.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const quantile = (fraction: number): number => sorted[Math.floor(fraction * (sorted.length - 1))] ?? 0;
  const p99 = quantile(0.99);
  return { median: Math.max(quantile(0.5), Math.min(p99, 0.1)), p99 };
}
