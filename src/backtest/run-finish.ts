/** Computes the results of a finished run: the fields of `--json` and the data of the report. */
import { createHash } from 'node:crypto';
import {
  type CollectedMarket,
  type MakerHalfSpreads,
  pairHalfSpreads,
  sharpeRatio,
  type WeightedMean,
} from '../analytics/index.ts';
import { hashState, type LoadedEntry, type StrategyInstance } from '../runtime/index.ts';
import { describeAssumptions, type SimModels } from '../venues/sim/index.ts';
import type { CollectedDetail, CollectedMarketDetail } from './collect/detail-collector.ts';
import type { CapitalInUse, CollectedResult } from './collect/result-collector.ts';
import { runFacts, settingFacts } from './facts.ts';
import type { OpenTapes } from './open-tapes.ts';
import type { RunComponents } from './run-components.ts';
import {
  type BacktestRun,
  type CapitalDetail,
  type CapitalInUseResult,
  lastsADay,
  type MarketDetail,
  type MarketResult,
  type MarkoutMean,
  type MarkoutResult,
  MID_MARK,
  type ModelsUsed,
  quotingResult,
  type RunDetail,
  type RunResult,
  type SplitResult,
  type TapeUsed,
} from './run-result.ts';
import type { RunSpec } from './run-spec.ts';
import { listWarnings } from './warnings.ts';

export interface FinishedRun {
  readonly spec: RunSpec;
  readonly strategies: readonly LoadedEntry[];
  readonly tapes: OpenTapes;
  readonly components: RunComponents;
  readonly collected: CollectedResult;
  readonly speed: Pick<RunResult, 'wallMs' | 'eventsPerSecond' | 'peakRssMb'>;
  readonly version: string;
}

export function toBacktestRun(finished: FinishedRun, collected: CollectedDetail): BacktestRun {
  const result = computeResult(finished);
  const { markets: infos, outcomes } = finished.tapes;
  const names = infos.map(({ question }, index) => ({ question, outcomes: outcomes[index] }));
  const markets = marketDetails(names, result.markets, collected.markets);
  const detail = computeDetail(finished, collected, result, markets);
  return { result: { ...result, quoting: quotingResult(detail) }, detail };
}

export function computeResult({ spec, strategies, tapes, components, collected, speed }: FinishedRun): RunResult {
  const { instances, strategyTotals, models, venue, state, risk, store } = components;
  const used = tapes.usedTapes();
  const tape = combinedTape(used);
  const pnl = venue.ledger.pnl();
  const split = venue.ledger.pnlSplit();
  const liquidityMicros = components.rewardCollector?.totalMicros ?? 0;
  return {
    strategy: strategies.map(({ name }) => name).join(' + '),
    params: paramsByStrategy(strategies, instances),
    seed: spec.seed,
    tape,
    tapes: used,
    models: { ...toModelsUsed(models), mark: describeMark(models, tapes.content) },
    orders: collected.orders,
    orderReasons: collected.orderReasons,
    fills: collected.fills,
    strategies: strategyTotals.results(
      strategies.map(({ name }) => name),
      (market) => ({ mark: state.market(market).mark, settlement: state.market(market).position.settlement }),
    ),
    markets: tapes.markets.map(({ slug, market }, index) => {
      const payout = venue.ledger.market(market).settlement ?? null;
      return marketResult({ slug, payout }, collected.markets[index], venue.ledger.pnlSplit(market));
    }),
    inSample: spec.in_sample || tapes.fittedTapes.length > 0 || tapes.lookAheadFields.length > 0,
    pnl,
    split,
    rewards: { rebatesMicros: split.rewardsMicros - liquidityMicros, liquidityMicros },
    ...collectedFields(collected, pnl.totalMicros, tape),
    eventLogHash: store.eventLogHash(),
    stateHash: hashState(state, risk.mode),
    ...speed,
    report: null,
    quoting: null,
  };
}

/** Computes the fields of a result that depend only on collected data. */
export function collectedFields({ markets, ...collected }: CollectedResult, totalMicros: number, tape: TapeUsed) {
  const shares = markets.map(computeVolumeShare).filter((share) => share !== undefined);
  return {
    fillsByTag: collected.tags,
    markouts: toMarkouts(collected.atMark),
    capitalInUse: toCapitalInUse(collected.inUse, totalMicros, tape),
    volumeShare: shares.length === 0 ? null : Math.max(...shares),
    maxDrawdownMicros: collected.maxDrawdownMicros,
    maxInventoryShares: Math.max(0, ...markets.map(({ maxInventoryShares }) => maxInventoryShares)),
  } satisfies Partial<RunResult>;
}

/** Combines tapes: joins names, sums rows, spans all times, and hashes the tapes' hashes in order, one per line. */
function combinedTape(tapes: readonly TapeUsed[]): TapeUsed {
  const [only] = tapes;
  if (only !== undefined && tapes.length === 1) return only;
  const times = (pick: (tape: TapeUsed) => string): readonly string[] => tapes.map(pick).toSorted();
  const hashes = tapes.map(({ sha256 }) => `${sha256}\n`).join('');
  const name = tapes.length <= 3 ? tapes.map((tape) => tape.name).join(' + ') : `${tapes.length} tapes`;
  return {
    name,
    sha256: createHash('sha256').update(hashes).digest('hex'),
    events: tapes.reduce((sum, { events }) => sum + events, 0),
    from: times(({ from }) => from)[0] ?? '',
    to: times(({ to }) => to).at(-1) ?? '',
  };
}

function paramsByStrategy(strategies: readonly LoadedEntry[], instances: readonly StrategyInstance[]): unknown {
  const params = strategies.map(
    ({ name }) => [name, instances.find((instance) => instance.name === name)?.params] as const,
  );
  return params.length === 1 ? params[0]?.[1] : Object.fromEntries(params);
}

function describeMark({ tradesOnly }: SimModels, content: OpenTapes['content']): string {
  if (content === 'candles') return 'close of the last candle';
  return tradesOnly === undefined ? MID_MARK : 'last trade';
}

function toModelsUsed(models: SimModels): Omit<ModelsUsed, 'mark'> {
  const [latency = '', queue = '', fees = '', ...liquidity] = describeAssumptions(models);
  return { latency, queue, fees, liquidity: liquidity.join(' ') };
}

function toMarkouts({ effective, horizons }: MakerHalfSpreads): MarkoutResult {
  const rows = horizons.map(({ label, mean }) => ({ label, mean: toMarkoutMean(mean) }));
  return { effective: toMarkoutMean(effective), horizons: rows };
}

function toMarkoutMean(mean: WeightedMean | undefined): MarkoutMean | null {
  return mean === undefined ? null : { ...mean, interval: mean.interval ?? null };
}

function toCapitalInUse(
  { meanMicros, maxMicros, microUsdDays }: CapitalInUse,
  totalMicros: number,
  tape: TapeUsed,
): CapitalInUseResult {
  const isUsed = microUsdDays > 0 && meanMicros > 0;
  return {
    meanMicros,
    maxMicros,
    returnOnMean: isUsed ? totalMicros / meanMicros : null,
    returnPerDay: isUsed && lastsADay(tape) ? totalMicros / microUsdDays : null,
  };
}

function computeVolumeShare({ ownShares, recordedShares }: CollectedMarket): number | undefined {
  return recordedShares === 0 ? undefined : ownShares / recordedShares;
}

/** @throws Error for a market that was not collected */
export function marketResult(
  { slug, payout }: Pick<MarketResult, 'slug' | 'payout'>,
  totals: CollectedMarket | undefined,
  split: SplitResult | undefined,
): MarketResult {
  if (totals === undefined || split === undefined) throw new Error(`Invariant: ${slug} was not collected`);
  const { fills, ownShares, recordedShares, maxInventoryShares } = totals;
  const pnlMicros = Object.values(split).reduce((sum, part) => sum + part, 0);
  return { slug, payout, fills, ownShares, recordedShares, pnlMicros, maxInventoryShares };
}

export function marketDetails(
  names: readonly { readonly question: string; readonly outcomes: MarketDetail['outcomes'] | undefined }[],
  results: readonly MarketResult[],
  collected: readonly CollectedMarketDetail[],
): readonly MarketDetail[] {
  return names.map(({ question, outcomes = ['YES', 'NO'] }, index) => {
    const [result, detail] = [results[index], collected[index]];
    if (result === undefined || detail === undefined)
      throw new Error(`Invariant: the market "${question}" was not collected`);
    const payout = result.payout ?? undefined;
    return { ...result, question, outcomes, payout, volumeShare: computeVolumeShare(result), ...detail };
  });
}

function unreadSignals({ signals }: OpenTapes, { run }: RunComponents): readonly string[] {
  const readNames = run.signalNames();
  if (readNames === undefined) return [];
  return [...new Set(signals?.signals.map(({ name }) => name))].filter((name) => !readNames.includes(name));
}

function computeDetail(
  finished: FinishedRun,
  detail: CollectedDetail,
  result: RunResult,
  markets: readonly MarketDetail[],
): RunDetail {
  const { spec, tapes, components, collected } = finished;
  const measured = collectedDetail(components.capital, collected, detail, result, markets);
  return {
    ...measured,
    kind: 'backtest',
    warnings: listWarnings({
      ...result,
      ...measured,
      ...tapes,
      insideShares: detail.insideShares,
      endedBy: collected.endedBy,
      queue: spec.queue.model,
      immutable: spec.liquidity === 'immutable',
      tradesOnly: spec.trades_only !== undefined,
      inSample: spec.in_sample,
      unreadSignals: unreadSignals(tapes, components),
      earlyMessageCount: components.venue.earlyMessageCount,
      unresolved: markets.filter(({ payout }) => payout === undefined).length,
      markets: markets.length,
    }),
    facts: runFacts(spec, finished.strategies, tapes),
    settings: settingFacts(spec),
    version: finished.version,
  };
}

/** Computes the details of a run that depend only on collected data. @param capital micro-USD */
export function collectedDetail(
  capital: number,
  { atMark, inUse }: CollectedResult,
  detail: CollectedDetail,
  result: Pick<RunResult, 'pnl'>,
  markets: readonly MarketDetail[],
): Omit<RunDetail, 'kind' | 'warnings' | 'facts' | 'settings' | 'version'> {
  const { daily, insideShares: _inside, recordedAtMark, markets: _collected, ...shown } = detail;
  return {
    ...shown,
    markets,
    ...pairHalfSpreads(atMark, recordedAtMark),
    capitalMicros: capital,
    capital: toCapitalDetail(capital, inUse, daily, result, markets),
  };
}

function toCapitalDetail(
  capital: number,
  inUse: CapitalInUse,
  daily: readonly number[],
  { pnl }: Pick<RunResult, 'pnl'>,
  markets: readonly MarketDetail[],
): CapitalDetail {
  const { meanMicros: meanInUseMicros, maxMicros: maxInUseMicros, microUsdDays } = inUse;
  const perMarket = markets.filter(({ fills }) => fills > 0).map(({ pnlMicros }) => pnlMicros / capital);
  const dailyReturns = daily.map((micros) => micros / capital);
  return {
    meanInUseMicros,
    maxInUseMicros,
    returnPerDollarDay: microUsdDays > 0 ? pnl.totalMicros / microUsdDays : undefined,
    sharpe: computeSharpe(perMarket, 'market') ?? computeSharpe(dailyReturns, 'day'),
  };
}

function computeSharpe(returns: readonly number[], of: 'day' | 'market'): CapitalDetail['sharpe'] {
  const value = sharpeRatio(returns);
  return value === undefined ? undefined : { value, count: returns.length, of };
}
