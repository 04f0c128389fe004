/** A backtest of a recorded session, with the bot's strategy, parameters and limits. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { type LegTimes, parseRunSpec, type RunSpec, runForResult, type SessionOutcome } from '../backtest/index.ts';
import { type EpochMs, FileFault, formatTime } from '../domain/index.ts';
import { findParts, joinTapes, readStepLog, TapeFile } from '../history/index.ts';
import { version } from '../package-files.ts';
import { recover } from '../runtime/index.ts';
import { sessionLatency } from '../venues/sim/index.ts';
import { sessionHeadOf } from './replay.ts';
import { measureSession } from './session-report.ts';

/**
 * @param path steps file of the session
 * @param models assumptions. Default: the defaults of a backtest
 * @throws FileFault for a recording that cannot be read or in which the bot never traded
 */
export function sessionBacktest(
  path: string,
  models: Partial<Pick<RunSpec, 'latency' | 'queue' | 'fees' | 'liquidity'>> = {},
) {
  const log = readStepLog(path);
  const { file, baseDir, snapshot } = sessionHeadOf(path, log.head);
  const { result, detail } = measureSession(path, false).run;
  const { state } = recover({ snapshot, steps: [], risk: snapshot.risk });
  const isHolding = state.markets.some(({ position }) => position.yes > 0 || position.no > 0);
  let feeRateBps = state.markets.reduce((max, { limits }) => Math.max(max, limits.feeRateBps), 0);
  let started: EpochMs | undefined;
  for (const { event } of log.steps()) {
    if (event?.type === 'started') started ??= event.time;
    if (event?.type === 'marketAdded') feeRateBps = Math.max(feeRateBps, event.limits.feeRateBps);
  }
  const { places, cancels, answers } = sessionLatency(log.steps());
  if (started === undefined) throw new FileFault(path, undefined, 'no strategy started in it', 'Name another session');
  const { tape, close } = oneTape(findParts(path.replace(/\.steps$/, '.tape')));
  const spec = parseRunSpec({
    ...(file.strategies === undefined
      ? { strategy: file.strategy, params: file.params }
      : { strategies: file.strategies }),
    tapes: [tape],
    from: formatTime(started),
    capital_usd: detail.capitalMicros / 1e6,
    seed: file.seed,
    risk: file.risk,
    execution: file.execution,
    report_dir: null,
    ...models,
  });
  return {
    spec,
    /** Removes a joined tape; called after the last backtest. */
    close,
    /** Base of relative paths in the spec. */
    baseDir,
    live: { fills: result.fills.count, shares: result.fills.shares, pnlMicros: result.pnl.totalMicros },
    /** The highest taker fee rate of the session's markets, bps. */
    feeRateBps,
    /** Latencies of commands and answers in the session. */
    entryMs: legTimes(cancels),
    responseMs: legTimes(answers),
    /** Median placement latency less median cancel latency, at least 0, whole ms. */
    placingMs: Math.max(0, Math.round(legTimes(places).median - legTimes(cancels).median)),
    /** Differences from the session that the backtest cannot reproduce, as sentences. */
    warnings: isHolding ? ['The session began with holdings; the backtest begins with cash of the same value.'] : [],
  };
}

export type SessionBacktest = Readonly<ReturnType<typeof sessionBacktest>>;

/** Returns the path of a recording's steps. @param name path of the steps or the tape */
export function stepsPath(cwd: string, name: string): string {
  return resolve(cwd, name.replace(/\.tape$/, '.steps'));
}

/** Returns a function that runs backtests of a session. @param baseDir folder of the session's configuration */
export function sessionRunner(
  baseDir: string,
  folders: readonly string[],
  signal: AbortSignal,
): (spec: RunSpec) => Promise<SessionOutcome> {
  const machine = { peakRssMb: () => process.resourceUsage().maxRSS / 1_024 };
  return async (spec) => {
    const { fills, pnl } = await runForResult(spec, {
      baseDir,
      strategyFolders: folders,
      version: version(),
      machine,
      signal,
    });
    return { fills: fills.count, shares: fills.shares, pnlMicros: pnl.totalMicros };
  };
}

/** Returns the only part of a recording, or joins its parts to a tape that `close` removes. */
function oneTape(parts: readonly string[]): { readonly tape: string; readonly close: () => void } {
  const [first = '', ...others] = parts;
  if (others.length === 0) return { tape: first, close: () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'halfspread-'));
  const tape = join(folder, 'joined.tape');
  joinTapes(
    parts.map((part) => TapeFile.open(part)),
    tape,
  );
  return { tape, close: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Recorded times are whole ms, so a median of 0 becomes 0.1 ms, or a lower p99. */
function legTimes(times: readonly { readonly ms: number }[]): LegTimes {
  const sorted = times.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  const p99 = at(0.99);
  return { median: Math.max(at(0.5), Math.min(p99, 0.1)), p99 };
}
