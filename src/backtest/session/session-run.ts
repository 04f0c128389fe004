/** Computes the results of a bot's recorded session in the form of a backtest's results. */
import { createHash } from 'node:crypto';
import { StrategyTotals } from '../../analytics/index.ts';
import { seededRandom } from '../../clock/index.ts';
import { ByteWriter, unchecked } from '../../domain/index.ts';
import type { RecordedRows } from '../../history/index.ts';
import type { Ledger, SplitMicros } from '../../ledger/index.ts';
import { type BotSnapshot, encodeStep, type RecoveredBot, recover, type Step } from '../../runtime/index.ts';
import { DetailCollector, type DetailCollectorOptions } from '../collect/detail-collector.ts';
import { ResultCollector } from '../collect/result-collector.ts';
import { combineObservers, type RunObserver } from '../collect/run-observer.ts';
import { collectedDetail, collectedFields, marketDetails, marketResult } from '../run-finish.ts';
import type { Machine } from '../run-options.ts';
import {
  type BacktestRun,
  type Fact,
  MID_MARK,
  type PnlResult,
  quotingResult,
  type RunDetail,
  type RunResult,
  type SplitResult,
} from '../run-result.ts';
import { TableCollector } from '../tables/table-collector.ts';
import { sessionWarnings } from '../warnings.ts';
import { replaySession } from './session-replay.ts';

export interface RecordedSession {
  readonly kind: 'live' | 'paper';
  /** State of the bot when the recording began. */
  readonly snapshot: BotSnapshot;
  readonly steps: () => Iterable<Step>;
  readonly rows: RecordedRows;
  readonly params: unknown;
  readonly seed: number;
  /** Name of the tape in the report. */
  readonly name: string;
  readonly uptimeConditions: DetailCollectorOptions['uptimeConditions'];
  readonly facts: readonly Fact[];
  readonly settings: readonly Fact[];
  readonly version: string;
  readonly machine: Machine;
  readonly shouldCollectTables: boolean;
  /** Elapsed ms, for the speed in the result. */
  readonly elapsed: () => number;
}

export interface MeasuredSession {
  readonly run: BacktestRun;
  /** Undefined without tables. */
  readonly tableCollector: TableCollector | undefined;
}

/** Accounts and collectors when the bot began to trade. */
interface SessionStart {
  readonly equity: number;
  readonly deposited: number;
  readonly time: number;
  readonly pnl: PnlResult;
  readonly splits: readonly SplitMicros[];
  readonly resultCollector: ResultCollector;
  readonly detailCollector: DetailCollector;
  readonly tableCollector: TableCollector | undefined;
}

/**
 * Replays a session and measures P&L, fills and quotes since the bot began to trade. P&L excludes deposits and
 * withdrawals.
 * @returns undefined for a session that ended before the bot began to trade
 */
export function sessionResults(session: RecordedSession): MeasuredSession | undefined {
  const measured = measureSession(session);
  return measured && { run: computeRun(measured), tableCollector: measured.start.tableCollector };
}

function measureSession(session: RecordedSession) {
  const { snapshot } = session;
  const recovered = recover({ snapshot, steps: [], risk: snapshot.risk });
  const { state } = recovered;
  const { ledger } = state;
  const markets = countMarkets(session, recovered);
  const totals = new StrategyTotals();
  const hash = createHash('sha256');
  let start: SessionStart | undefined;
  const begin = (): RunObserver => {
    const { equity, deposited } = ledger;
    const equityWithoutDeposits = () => ledger.equity - ledger.deposited + deposited;
    const collectorOptions = { start: state.now, capital: equity, state, markets, equity: equityWithoutDeposits };
    start = {
      equity,
      deposited,
      time: state.now,
      pnl: ledger.pnl(),
      splits: splitByMarket(ledger, markets),
      resultCollector: new ResultCollector(collectorOptions),
      detailCollector: new DetailCollector({ ...collectorOptions, uptimeConditions: session.uptimeConditions }),
      tableCollector: session.shouldCollectTables ? new TableCollector(state) : undefined,
    };
    return combineObservers(start.resultCollector, start.detailCollector, start.tableCollector);
  };
  const steps = hashSteps(session.steps(), hash);
  const replayed = replaySession({ recovered, feed: session.rows.feed, steps, totals, begin });
  if (start === undefined) return undefined;
  const random = seededRandom(session.seed);
  const collected = start.resultCollector.finish(state.now, random.fork('report'));
  const detail = start.detailCollector.finish(state.now, random.fork('report/recorded mid'));
  return { session, recovered, markets, totals, start, replayed, collected, detail, stepsHash: hash.digest('hex') };
}

function* hashSteps(steps: Iterable<Step>, hash: ReturnType<typeof createHash>): Generator<Step> {
  const writer = new ByteWriter(4_096);
  for (const step of steps) {
    encodeStep(step, writer);
    hash.update(writer.finish());
    yield step;
  }
}

/** Counts the markets, including markets added later. */
function countMarkets({ steps }: RecordedSession, { state }: RecoveredBot): number {
  let count = state.markets.length;
  for (const { event } of steps()) if (event?.type === 'marketAdded') count = Math.max(count, event.info.market + 1);
  return count;
}

function splitByMarket(ledger: Ledger, markets: number): readonly SplitMicros[] {
  return Array.from({ length: markets }, (_, market) => ledger.pnlSplit(unchecked.market(market)));
}

type Measured = NonNullable<ReturnType<typeof measureSession>>;

function computeRun(measured: Measured): BacktestRun {
  const { session, recovered, markets, totals, start, replayed, collected, stepsHash } = measured;
  const { state, assignments } = recovered;
  const { rows } = session;
  const strategies = [...new Set(assignments.entries.map(({ strategy }) => strategy))];
  const pnl = subtractFields(state.ledger.pnl(), start.pnl);
  const splits = splitByMarket(state.ledger, markets).map((split, market) =>
    moveToSpread(subtractFields(split, start.splits[market] ?? split), replayed.movedPnl[market] ?? 0),
  );
  const total = splits.reduce((sum, part) => combineFields(sum, part, (a, b) => a + b), ZERO_SPLIT);
  const { roundingMicros: _, ...parts } = total;
  const tape = {
    name: session.name,
    sha256: rows.contentHash ?? '',
    events: replayed.rows,
    from: new Date(start.time).toISOString(),
    to: new Date(state.now).toISOString(),
  };
  const wallMs = session.elapsed();
  const result: RunResult = {
    strategy: strategies.join(' + '),
    params: session.params,
    seed: session.seed,
    tape,
    tapes: [tape],
    models: MODELS[session.kind],
    orders: collected.orders,
    orderReasons: collected.orderReasons,
    fills: collected.fills,
    strategies: totals.results(strategies, (market) => ({
      mark: state.market(market).mark,
      settlement: state.market(market).position.settlement,
    })),
    markets: state.markets.map(({ info: { slug }, position: { settlement: payout = null } }, index) =>
      marketResult({ slug, payout }, collected.markets[index], splits[index]),
    ),
    inSample: false,
    pnl,
    split: { ...parts, roundingMicros: pnl.totalMicros - Object.values(parts).reduce((sum, part) => sum + part, 0) },
    rewards: { rebatesMicros: parts.rewardsMicros - replayed.rewards, liquidityMicros: replayed.rewards },
    ...collectedFields(collected, pnl.totalMicros, tape),
    eventLogHash: stepsHash,
    stateHash: null,
    wallMs,
    eventsPerSecond: Math.round((replayed.rows * 1_000) / Math.max(wallMs, 1)),
    peakRssMb: Math.round(session.machine.peakRssMb()),
    report: null,
    quoting: null,
  };
  const run = { result, detail: computeDetail(measured, result) };
  return { ...run, result: { ...result, quoting: quotingResult(run.detail) } };
}

function computeDetail(measured: Measured, result: RunResult): RunDetail {
  const { session, recovered, start, replayed, collected, detail } = measured;
  const names = recovered.state.markets.map(({ info: { question } }, index) => {
    return { question, outcomes: session.rows.markets[index]?.outcomes };
  });
  const markets = marketDetails(names, result.markets, detail.markets);
  const warnings = sessionWarnings({
    fills: result.fills,
    pnl: result.pnl,
    split: result.split,
    markets: markets.length,
    unresolved: markets.filter(({ payout }) => payout === undefined).length,
  });
  return {
    kind: session.kind,
    ...collectedDetail(start.equity, collected, detail, result, markets),
    warnings: [
      ...(replayed.rowsEnded ? ['The recorded market data end before the bot’s steps: later fills have no mark.'] : []),
      ...warnings,
    ],
    facts: session.facts,
    settings: session.settings,
    version: session.version,
  };
}

const MODELS: Readonly<Record<RecordedSession['kind'], RunResult['models']>> = {
  live: {
    latency: 'Latency: real.',
    queue: 'Queue: the venue’s own. The size ahead of an order at its fill is unknown.',
    fees: 'Fees: as the venue charged them.',
    liquidity: 'Fills: real. The mid excludes own orders.',
    mark: MID_MARK,
  },
  paper: {
    latency: 'Latency: the paper venue’s model (`paper.latency`).',
    queue: 'Queue: the paper venue’s model (`paper.queue`).',
    fees: 'Fees: the paper venue’s (`paper.fees`).',
    liquidity: 'Fills: simulated on the real market’s data; no order was sent.',
    mark: MID_MARK,
  },
};

const ZERO_SPLIT: SplitResult = {
  spreadMicros: 0,
  inventoryMicros: 0,
  settlementMicros: 0,
  feesMicros: 0,
  rewardsMicros: 0,
  roundingMicros: 0,
};

function combineFields<Fields extends object>(
  one: Fields,
  other: Fields,
  combine: (a: number, b: number) => number,
): Fields {
  const fields = Object.entries(one).map(([name, value]) => [name, combine(value, Number(Reflect.get(other, name)))]);
  return Object.fromEntries(fields);
}

function subtractFields<Fields extends object>(now: Fields, before: Fields): Fields {
  return combineFields(now, before, (a, b) => a - b);
}

/** Moves P&L from inventory to spread. @param halfMicros in half micro-USD; rounded **down** to micro-USD */
function moveToSpread(split: SplitResult, halfMicros: number): SplitResult {
  const micros = Math.floor(halfMicros / 2);
  return { ...split, spreadMicros: split.spreadMicros + micros, inventoryMicros: split.inventoryMicros - micros };
}
