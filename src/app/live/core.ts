/** Creates the core of a live bot, new or recovered: state, risk, strategies, planner. */
import { StrategyTotals } from '../../analytics/index.ts';
import type { Clock, Random } from '../../clock/index.ts';
import type { LiveFile } from '../../config/live-schema.ts';
import { type MarketNo, orderNo, parseShares, unchecked, ZERO_USD } from '../../domain/index.ts';
import { createPlanner, RateBudget } from '../../execution/index.ts';
import { DISAGREEMENT_PREFIX, type Log } from '../../ops/index.ts';
import { createRiskGate, type RiskGate, riskLimits } from '../../risk/index.ts';
import {
  assignStrategies,
  type BotSnapshot,
  createStrategyLog,
  instantiateAssignment,
  type LogSource,
  MissedFills,
  type RecoveredBot,
  type Run,
  type StrategyAssignment,
  StrategyAssignments,
  type StrategyInstance,
  TradingCore,
} from '../../runtime/index.ts';
import { AccountState } from '../../state/index.ts';
import type { StrategyLog } from '../../strategy/index.ts';
import type { LiveMarkets } from './markets.ts';
import type { ConfiguredStrategies } from './strategies.ts';

export interface CoreInput {
  readonly file: LiveFile;
  readonly strategies: ConfiguredStrategies;
  readonly markets: Pick<LiveMarkets, 'present' | 'chosen'>;
  readonly recovered: RecoveredBot | undefined;
  readonly random: Random;
  /** Destination of the log of strategies. Default: none. */
  readonly strategyLog?: { readonly log: Log; readonly clock: Clock };
}

export type LiveCore = Readonly<ReturnType<typeof createLiveCore>>;

/** Creates the strategies of the chosen markets. @throws InputFault for invalid parameters */
export function createLiveCore({ file, strategies, markets, recovered, random, strategyLog }: CoreInput) {
  const state = recovered?.state ?? new AccountState({ cash: ZERO_USD, markets: markets.present });
  const limits = riskLimits(file.risk);
  const gate = createRiskGate(limits, recovered?.risk);
  const infos = state.markets.map(({ info }) => info);
  const chosen = infos.filter(({ market }) => markets.chosen.has(market));
  const entries = assignStrategies(chosen, strategies.forMarket, recovered?.assignments.entries);
  const assignments = new StrategyAssignments(entries, recovered?.assignments.states.entries);
  const instantiate = (entry: StrategyAssignment): StrategyInstance =>
    instantiateAssignment(entry, {
      findStrategy: strategies.findStrategy,
      random,
      states: assignments.states,
      findInfo: (market) => state.market(market).info,
      ...(strategyLog !== undefined && { createLog: (source) => createBotLog(strategyLog, source) }),
    });
  const instances = entries.map(instantiate);
  const merge = file.execution.merge_threshold;
  const planner = createPlanner({
    firstOrder: recovered?.nextOrder ?? orderNo(1),
    sizeTolerancePct: file.execution.size_tolerance_pct,
    maxOpenOrders: limits.maxOpenOrders,
    cancelsFirst: file.venue.polymarket !== undefined && file.mode === 'live',
    ...(merge === undefined ? {} : { mergeThreshold: parseShares('execution.merge_threshold', merge) }),
  });
  const budget = new RateBudget();
  const totals = recovered?.totals ?? new StrategyTotals();
  const missed = recovered?.missed ?? new MissedFills([]);
  const core = new TradingCore({
    state,
    instances,
    planner,
    totals,
    missed,
    instantiate,
    assignments,
    risk: gate,
    isolateFailures: true,
    // On Polymarket, the operator redeems winnings.
    shouldClaim: file.venue.polymarket === undefined || file.mode === 'paper',
    budget,
    firstSeq: recovered?.nextSeq ?? unchecked.seq(1),
  });
  return {
    tradingCore: core,
    state,
    budget,
    gate,
    assignments,
    instances,
    /** Fills by strategy, including earlier runs. */
    totals,
    snapshot: (): BotSnapshot => ({
      seq: unchecked.seq(core.nextSeq - 1),
      rows: core.rows,
      nextOrder: planner.nextOrder,
      account: state.snapshot(),
      risk: gate.snapshot(),
      roster: assignments.entries,
      states: assignments.states.entries,
      totals: totals.snapshot(),
      missed: missed.snapshot(),
    }),
  };
}

/** Returns markets that an operator removed and did not add again. */
export function removedMarkets({ entries }: Pick<StrategyAssignments, 'entries'>): readonly MarketNo[] {
  return entries.flatMap(({ removed = [] }) => removed);
}

export function countTradedMarkets({ entries }: Pick<StrategyAssignments, 'entries'>): number {
  return new Set(entries.flatMap(({ markets }) => markets)).size;
}

function createBotLog({ log, clock }: NonNullable<CoreInput['strategyLog']>, source: LogSource): StrategyLog {
  return createStrategyLog({
    now: () => clock.now(),
    write: ({ level, text, fields }) =>
      log[level](Object.keys(fields).length === 0 ? source : { ...source, fields }, text),
  });
}

/** Keeps a pause of the last run. With `--adopt`, resumes a bot that a disagreement with the venue had paused. */
export function restorePause(
  run: Run,
  { mode, reason }: RiskGate,
  {
    log,
    isVenueAccepted,
    resumeCommand,
  }: { readonly log: Log; readonly isVenueAccepted: boolean; readonly resumeCommand: string },
): void {
  if (mode !== 'PAUSED') return;
  if (isVenueAccepted && reason?.startsWith(DISAGREEMENT_PREFIX) === true)
    run.submit({ type: 'operatorCommanded', command: 'resume', reason: 'started with --adopt' });
  else log.warn({ reason }, `the bot is PAUSED as before: \`${resumeCommand}\` lets it trade again`);
}
