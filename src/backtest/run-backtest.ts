import { resolve } from 'node:path';
import { nextEventLoopTurn, wallClock } from '../clock/index.ts';
import { Fault } from '../domain/index.ts';
import { checkFolder, loadStrategies } from '../runtime/index.ts';
import { checkAccounts } from './check-accounts.ts';
import type { CollectedResult } from './collect/result-collector.ts';
import { adaptSpec, type OpenTapes, openTapes, withLocalTapes } from './open-tapes.ts';
import { writeReport } from './report/write-report.ts';
import { assertPinnedSources, createComponents, type RunComponents } from './run-components.ts';
import { computeResult, type FinishedRun, toBacktestRun } from './run-finish.ts';
import type { BacktestOptions } from './run-options.ts';
import type { BacktestRun, RunResult } from './run-result.ts';
import type { RunSpec } from './run-spec.ts';
import { toTables, writeTables } from './tables/write-tables.ts';

/** The rows per event loop turn (a slice) adapt, so that the abort signal is checked every 10 to 40 ms. */
const SLICE_MS = { min: 10, max: 40 } as const;
const SLICE_ROWS = { min: 64, max: 500_000 } as const;

/**
 * Replays the tapes of a spec against its strategy and returns the result. Writes the report if the spec sets a folder.
 * The same spec, strategy and tapes give the same steps, hashes and report on any machine.
 * @throws FileFault for an unusable tape or strategy, or a report that cannot be written
 * @throws InputFault for a wrong parameter, an empty window, or tapes that cannot be combined
 * @throws StrategyFault if the strategy throws, and Fault ABORTED if `signal` fires. The run cancels all orders first,
 *   and writes no report.
 */
export async function runBacktest(spec: RunSpec, options: BacktestOptions): Promise<BacktestRun> {
  const { finished, detail } = await replaySpec(spec, options, { shouldCollectDetails: true });
  if (detail === undefined) throw new Error('Invariant: a detailed run has no detail');
  const run = toBacktestRun(finished, detail);
  const { tableCollector } = finished.components;
  if (tableCollector !== undefined && options.tables !== undefined)
    await writeTables(toTables(run, tableCollector), options.tables);
  if (spec.report_dir === null) return run;
  const report = await writeReport(run, resolve(spec.report_dir));
  return { ...run, result: { ...run.result, report } };
}

/** Returns the result of `runBacktest` in less time, without details and report. @throws what `runBacktest` throws */
export async function runForResult(spec: RunSpec, options: BacktestOptions): Promise<RunResult> {
  return computeResult((await replaySpec(spec, options, { shouldCollectDetails: false })).finished);
}

/** Opens and checks the inputs of a run without a replay. @throws the FileFaults and InputFaults of `runBacktest` */
export async function checkBacktest(
  spec: RunSpec,
  options: InputOptions,
): Promise<{ readonly strategy: string; readonly tapes: number; readonly rows: number }> {
  const { adapted, strategies, tapes } = await openInputs(spec, options);
  try {
    createComponents(adapted, strategies, tapes, { shouldCollectDetails: false });
    const strategy = strategies.map(({ name }) => name).join(' + ');
    return { strategy, tapes: tapes.manifests.length, rows: tapes.totalRows };
  } finally {
    tapes.feed.close();
  }
}

type InputOptions = Pick<BacktestOptions, 'baseDir' | 'strategyFolders' | 'remote' | 'signal'>;

/** @returns the strategies, the tapes, and the spec adapted to the tapes */
async function openInputs(requested: RunSpec, { baseDir, strategyFolders, remote, signal }: InputOptions) {
  const spec = await withLocalTapes(requested, remote, signal);
  if (spec.report_dir !== null) checkFolder(spec.report_dir, 'Set report_dir to a folder that can be written');
  const strategies = await loadStrategies(spec, { folders: strategyFolders, baseDir });
  assertPinnedSources(spec, strategies);
  const tapes = openTapes(spec, baseDir);
  try {
    return { adapted: adaptSpec(spec, tapes), strategies, tapes };
  } catch (fault) {
    tapes.feed.close();
    throw fault;
  }
}

async function replaySpec(
  spec: RunSpec,
  options: BacktestOptions,
  { shouldCollectDetails }: { readonly shouldCollectDetails: boolean },
) {
  const { machine, signal, version } = options;
  const wall = wallClock();
  const started = wall.now();
  throwIfAborted(signal);
  const { adapted, strategies, tapes } = await openInputs(spec, options);
  try {
    const components = createComponents(adapted, strategies, tapes, {
      shouldCollectDetails,
      shouldCollectTables: options.tables !== undefined,
      ...(options.onLog !== undefined && { onLog: options.onLog }),
    });
    const replayStarted = wall.now();
    const collected = await replay(components, tapes, options, () => wall.now() - started);
    const detail = components.detailCollector?.finish(
      components.clock.now(),
      components.random.fork('report/recorded mid'),
    );
    const now = wall.now();
    const speed = {
      wallMs: now - started,
      eventsPerSecond: Math.round((tapes.countRowsRead() * 1_000) / Math.max(now - replayStarted, 1)),
      peakRssMb: Math.round(machine.peakRssMb()),
    };
    const finished: FinishedRun = { spec: adapted, strategies, tapes, components, collected, speed, version };
    return { finished, detail };
  } finally {
    tapes.feed.close();
  }
}

async function replay(
  components: RunComponents,
  tapes: OpenTapes,
  { signal, onProgress }: BacktestOptions,
  wallMs: () => number,
): Promise<CollectedResult> {
  const { run, venue, resultCollector, clock, capital, state, random, selection } = components;
  let cancelSignals: () => void = () => {};
  try {
    selection?.begin(run);
    await run.start();
    cancelSignals = deliverSignals(components, tapes);
    let isStopped = false;
    const stop = (): void => {
      cancelSignals();
      selection?.close();
      run.stop();
      isStopped = true;
    };
    let sliceRows: number = SLICE_ROWS.min;
    let sliceStarted = wallMs();
    while (venue.pump(sliceRows)) {
      sliceRows = nextSliceRows(sliceRows, wallMs() - sliceStarted);
      if (venue.hasTapeEnded && !isStopped) stop();
      onProgress?.({
        rows: tapes.countRowsRead(),
        totalRows: tapes.totalRows,
        time: clock.now(),
        fills: resultCollector.fillCount,
        pnlMicros: venue.ledger.equity - capital,
        wallMs: wallMs(),
      });
      await nextEventLoopTurn();
      if (signal?.aborted === true && !isStopped) stop();
      throwIfAborted(signal);
      sliceStarted = wallMs();
    }
    const collected = resultCollector.finish(clock.now(), random.fork('report'));
    checkAccounts(state, venue.ledger, collected, capital);
    const rewards = components.rewardCollector?.finish(clock.now()) ?? [];
    venue.payMakers(rewards);
    return collected;
  } finally {
    cancelSignals();
    selection?.close();
    await run.close();
  }
}

/** Delivers each signal of the window at its receive time. @returns a function that cancels the delivery */
function deliverSignals({ run, clock }: RunComponents, { signals, start }: OpenTapes): () => void {
  const upcoming = (signals?.signals ?? []).filter(({ time }) => time >= start);
  let cancel: () => void = () => {};
  const scheduleFrom = (index: number): void => {
    const next = upcoming[index];
    if (next === undefined) return;
    cancel = clock.schedule(next.time, () => {
      scheduleFrom(index + 1);
      run.submit({ type: 'signalReceived', name: next.name, value: next.value });
    });
  };
  scheduleFrom(0);
  return () => cancel();
}

function nextSliceRows(rows: number, ms: number): number {
  if (ms < SLICE_MS.min) return Math.min(rows * 2, SLICE_ROWS.max);
  return ms > SLICE_MS.max ? Math.max(Math.floor(rows / 2), SLICE_ROWS.min) : rows;
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  const message = 'the backtest was stopped before its end, and all orders were cancelled';
  throw new Fault('ABORTED', message, { cause: signal.reason });
}
