/** Creates and connects all components of a backtest from its spec. */
import { StrategyTotals } from '../analytics/index.ts';
import { type Clock, SimClock, seededRandom } from '../clock/index.ts';
import {
  FileFault,
  InputFault,
  type MarketLimits,
  orderNo,
  parseShares,
  parseUsd,
  unchecked,
} from '../domain/index.ts';
import { createPlanner, RateBudget, type RateLimit } from '../execution/index.ts';
import { createRiskGate, riskLimits } from '../risk/index.ts';
import {
  assertMarkets,
  assignStrategies,
  createStrategyLog,
  HashStore,
  instantiateAssignment,
  type LoadedEntry,
  Run,
  type StrategyAssignment,
  StrategyAssignments,
  type StrategyInstance,
  TradingCore,
  tradesMarket,
} from '../runtime/index.ts';
import { AccountState } from '../state/index.ts';
import { BLOCK_ROWS } from '../tape/index.ts';
import { buildModels, type SimModels, SimVenue } from '../venues/sim/index.ts';
import { DetailCollector } from './collect/detail-collector.ts';
import { ResultCollector } from './collect/result-collector.ts';
import { RewardCollector } from './collect/reward-collector.ts';
import { combineObservers, observeCore } from './collect/run-observer.ts';
import type { OpenTapes } from './open-tapes.ts';
import { runIdentity, type StrategyIdentity } from './run-identity.ts';
import type { BacktestOptions } from './run-options.ts';
import { parseUptimeConditions, type RunSpec, rewardTerms } from './run-spec.ts';
import { TableCollector } from './tables/table-collector.ts';
import { checkSelectionRules, TapeSelection } from './tape-selection.ts';

/** Limits the strategy log, because a backtest replays months in minutes. */
const MAX_LOG_LINES = 10_000;

export interface ComponentOptions extends Pick<BacktestOptions, 'onLog'> {
  /** Default true. */
  readonly shouldCollectDetails?: boolean;
  /** Default false. */
  readonly shouldCollectTables?: boolean;
}

export type RunComponents = ReturnType<typeof createComponents>;

/**
 * Components that a run does not need are undefined, such as `rewardCollector` for a venue without rewards.
 * @throws InputFault for parameters that the schema refuses
 */
export function createComponents(
  spec: RunSpec,
  strategies: readonly LoadedEntry[],
  tapes: OpenTapes,
  { shouldCollectDetails = true, shouldCollectTables = false, onLog }: ComponentOptions = {},
) {
  assertMarkets(strategies, tapes.markets);
  checkSelectionRules(spec, tapes);
  const random = seededRandom(spec.seed);
  const capital = parseUsd('capital_usd', spec.capital_usd);
  const models = buildModels(spec, random.fork('simulation'), tapes.commissionBps, tapes.latency);
  const limits = toMarketLimits(spec, models.fees.rateBps);
  const marks = models.tradesOnly === undefined ? 'book' : 'trades';
  const state = new AccountState({ cash: capital, markets: tapes.markets.map((info) => ({ info, limits, marks })) });
  const clock = new SimClock(unchecked.time(tapes.start));
  const equity = (): number => venue.ledger.equity;
  const collectorOptions = { start: tapes.start, capital, state, markets: tapes.markets.length, equity };
  const resultCollector = new ResultCollector(collectorOptions);
  const uptimeConditions = parseUptimeConditions(spec.uptime);
  const detailCollector = shouldCollectDetails
    ? new DetailCollector({ ...collectorOptions, uptimeConditions })
    : undefined;
  const tableCollector = shouldCollectTables ? new TableCollector(state) : undefined;
  const terms = rewardTerms(spec.liquidity_rewards);
  const rewardCollector = terms === undefined ? undefined : new RewardCollector(state, tapes.markets.length, terms);
  const observer = combineObservers(resultCollector, detailCollector, tableCollector, rewardCollector);
  const venue: SimVenue = new SimVenue({
    feed: tapes.feed,
    clock,
    models,
    receiveTime: tapes.receiveTime,
    markets: tapes.markets,
    capital,
    limits,
    observer,
    blockRows: BLOCK_ROWS,
  });
  const entries = assignStrategies(tapes.markets, (info) => strategies.filter((each) => tradesMarket(each, info)));
  const assignments = new StrategyAssignments(entries);
  const instantiate = (entry: StrategyAssignment): StrategyInstance =>
    instantiateAssignment(entry, {
      findStrategy: (name) => strategies.find((each) => each.name === name)?.strategy,
      random,
      states: assignments.states,
      findInfo: (market) => state.market(market).info,
      ...(onLog !== undefined && {
        createLog: (source) =>
          createStrategyLog({
            now: () => clock.now(),
            write: (line) => onLog({ ...line, source }, clock.now()),
            maxLines: MAX_LOG_LINES,
          }),
      }),
    });
  const instances = entries.map(instantiate);
  const strategyTotals = new StrategyTotals();
  const accountLimits = riskLimits(spec.risk);
  const risk = createRiskGate(accountLimits);
  const threshold = spec.execution.merge_threshold;
  const planner = createPlanner({
    firstOrder: orderNo(1),
    sizeTolerancePct: spec.execution.size_tolerance_pct,
    maxOpenOrders: accountLimits.maxOpenOrders,
    ...(threshold === undefined ? {} : { mergeThreshold: parseShares('execution.merge_threshold', threshold) }),
  });
  const budget = createRateBudget(spec);
  const selection =
    spec.markets === undefined
      ? undefined
      : new TapeSelection({ rules: spec.markets.select, clock, state, labels: tapes.labels, assignments: entries });
  const tradingCore = new TradingCore({
    state,
    instances,
    risk,
    totals: strategyTotals,
    planner,
    firstSeq: unchecked.seq(1),
    ...(budget !== undefined && { budget }),
    ...(selection !== undefined && { instantiate, assignments }),
  });
  const core = observeCore(selection?.withVolumeCount(tradingCore) ?? tradingCore, observer);
  const files = { signals: tapes.signals?.sha256, latency: tapes.latency.sha256 };
  const store = new HashStore(runIdentity(spec, strategyIdentities(strategies, instances), tapes.hashes, files));
  const run = new Run({
    core,
    clock: timerClock(clock, models),
    venue,
    store,
    instances,
    stepListeners: [(steps) => observer.onSteps(steps)],
  });
  return {
    random,
    clock,
    models,
    venue,
    state,
    risk,
    instances,
    strategyTotals,
    store,
    resultCollector,
    detailCollector,
    tableCollector,
    rewardCollector,
    selection,
    run,
    capital,
  };
}

/** Returns the clock of the bot's timers. With `recorded` latency, timers fire as late as in the session. */
function timerClock(clock: SimClock, { latency }: SimModels): Clock {
  const { firesAt } = latency;
  if (firesAt === undefined) return clock;
  return { now: () => clock.now(), schedule: (when, fire) => clock.schedule(unchecked.time(firesAt(when)), fire) };
}

function strategyIdentities(
  strategies: readonly LoadedEntry[],
  instances: readonly StrategyInstance[],
): readonly StrategyIdentity[] {
  return strategies.map(({ name, loaded: { strategy, sha256 }, markets }) => {
    const params = instances.find((instance) => instance.name === name)?.params;
    return { name, strategy: { name: strategy.name, sha256 }, params, markets };
  });
}

/** @throws FileFault if the spec pins other sources; InputFault if it pins a hash for several strategies */
export function assertPinnedSources({ strategy_sha256: pinned }: RunSpec, strategies: readonly LoadedEntry[]): void {
  const [only] = strategies;
  if (pinned === undefined || only === undefined) return;
  if (strategies.length > 1) throw new InputFault('strategy_sha256', pinned, 'no hash with several strategies');
  const { file, sha256 } = only.loaded;
  if (pinned === sha256) return;
  const problem = `the sources have sha256 ${sha256}, but the spec of the run requires ${pinned}`;
  throw new FileFault(file, undefined, problem, 'Restore the required sources, or remove strategy_sha256');
}

function createRateBudget({ execution }: RunSpec): RateBudget | undefined {
  const { orders_per_second: orders, order_burst, cancels_per_second: cancels, cancel_burst } = execution;
  if (orders === undefined && cancels === undefined) return undefined;
  return new RateBudget({ order: rateLimit(orders, order_burst), cancel: rateLimit(cancels, cancel_burst) });
}

function rateLimit(perSecond: number | undefined, burst: number | undefined): RateLimit {
  if (perSecond === undefined) return { capacity: Number.POSITIVE_INFINITY, perSecond: Number.POSITIVE_INFINITY };
  return { capacity: burst ?? Math.max(1, Math.ceil(perSecond)), perSecond };
}

function toMarketLimits({ limits }: RunSpec, feeRateBps: number): MarketLimits {
  return {
    minOrderShares: parseShares('limits.min_order_shares', limits.min_order_shares),
    minBet: parseUsd('limits.min_bet_usd', limits.min_bet_usd),
    maxBet: parseUsd('limits.max_bet_usd', limits.max_bet_usd),
    maxExposure: parseUsd('limits.max_exposure_usd', limits.max_exposure_usd),
    feeRateBps,
    spreadBps: limits.spread_bps,
  };
}
