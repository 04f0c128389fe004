/** The core of a bot and what it is recovered from: state, risk, strategies, planner. */
import type { Random } from '../../clock/index.ts';
import type { LiveFile } from '../../config/live-schema.ts';
import { counted, InputFault, type MarketNo, orderNo, parseShares, ZERO_USD } from '../../domain/index.ts';
import { createPlanner, RateBudget } from '../../execution/index.ts';
import { DISAGREES, type Log } from '../../ops/index.ts';
import { createRiskGate, type RiskGate, riskLimits } from '../../risk/index.ts';
import {
  type Bot,
  type BotSnapshot,
  createBot,
  createCore,
  paramsOf,
  type Recovered,
  type Run,
  type StrategyAssignment,
  StrategyAssignments,
  type TradingCore,
} from '../../runtime/index.ts';
import { AccountState } from '../../state/index.ts';
import type { LiveMarkets } from './markets.ts';
import type { StrategyPlans } from './strategies.ts';

export interface CoreInput {
  readonly file: LiveFile;
  readonly plans: StrategyPlans;
  readonly markets: LiveMarkets;
  readonly recovered: Recovered | undefined;
  readonly random: Random;
}

export interface LiveCore {
  readonly core: TradingCore;
  readonly state: AccountState;
  readonly gate: RiskGate;
  readonly roster: StrategyAssignments;
  readonly bots: readonly Bot[];
  snapshot(): BotSnapshot;
}

/** One bot for each chosen market. @throws InputFault for parameters that a strategy's schema refuses */
export function liveCore({ file, plans, markets, recovered, random }: CoreInput): LiveCore {
  const state =
    recovered?.state ?? new AccountState({ cash: ZERO_USD, markets: markets.present.map(({ setup }) => setup) });
  const gate = createRiskGate(riskLimits(file.risk), recovered?.risk);
  const makeBot = (entry: StrategyAssignment): Bot => botOf(entry, state, plans, random);
  const entries = rosterOf(state, plans, markets, recovered);
  const roster = new StrategyAssignments(entries);
  const bots = entries.map(makeBot);
  const merge = file.execution.merge_threshold;
  const planner = createPlanner({
    firstOrder: recovered?.nextOrder ?? orderNo(1),
    sizeTolerancePct: file.execution.size_tolerance_pct,
    ...(merge === undefined ? {} : { mergeThreshold: parseShares('execution.merge_threshold', merge) }),
  });
  const core = createCore({
    state,
    bots,
    planner,
    makeBot,
    assignments: roster,
    risk: gate,
    isolateFailures: true,
    budget: new RateBudget(),
    firstSeq: recovered?.firstSeq ?? counted.seq(1),
  });
  return {
    core,
    state,
    gate,
    roster,
    bots,
    snapshot: () => ({
      seq: counted.seq(core.nextSeq - 1),
      rows: core.rows,
      nextOrder: planner.nextOrder,
      account: state.snapshot(),
      risk: gate.snapshot(),
      roster: roster.entries,
    }),
  };
}

/** The numbers of an earlier run stay: its orders carry them. */
function rosterOf(
  state: AccountState,
  plans: StrategyPlans,
  { chosen }: LiveMarkets,
  recovered: Recovered | undefined,
): readonly StrategyAssignment[] {
  const before = recovered?.roster.entries ?? [];
  // What an operator removed stays out until somebody adds it, though the configuration chooses it.
  const known = new Set(before.flatMap(({ markets, removed = [] }) => [...markets, ...removed]));
  const kept = before.map((entry) => {
    const [market] = entry.markets;
    if (market === undefined || !chosen.has(market)) return { ...entry, markets: [] };
    return { ...entry, ...planned(state, plans, market) };
  });
  const fresh = state.markets
    .map(({ info }) => info.market)
    .filter((market) => chosen.has(market) && !known.has(market))
    .map((market, at): StrategyAssignment => {
      return { bot: counted.bot(before.length + at), changed: {}, ...planned(state, plans, market) };
    });
  return [...kept, ...fresh];
}

export function tradedMarkets({ entries }: Pick<StrategyAssignments, 'entries'>): number {
  return entries.reduce((sum, { markets }) => sum + markets.length, 0);
}

function planned(state: AccountState, plans: StrategyPlans, market: MarketNo) {
  const { strategy, params } = plans.of(state.market(market).info);
  return { strategy: strategy.name, params: JSON.stringify(params), markets: [market] };
}

/** A strategy at work; one whose market is traded no more keeps its number and does nothing. */
function botOf(entry: StrategyAssignment, state: AccountState, plans: StrategyPlans, random: Random): Bot {
  const { bot, strategy: name, markets } = entry;
  if (markets.length === 0) return { bot, name, params: {}, markets, handlers: {}, timers: [] };
  const strategy = plans.named(name);
  if (strategy === undefined) throw new InputFault('strategy', name, 'a strategy that the configuration names');
  const infos = markets.map((market) => state.market(market).info);
  return createBot({ bot, strategy, params: paramsOf(entry), random: random.fork(`bot ${bot}`), markets: infos });
}

/** A pause of the run before stays one, unless a disagreement caused it and the account is taken over now. */
export function goOnAfterPause(
  run: Run,
  { mode, reason }: RiskGate,
  { log, isAdopted, resume }: { readonly log: Log; readonly isAdopted: boolean; readonly resume: string },
): void {
  if (mode !== 'PAUSED') return;
  if (isAdopted && reason?.startsWith(DISAGREES) === true) run.operate('resume', 'started with --adopt');
  else log.warn({ reason }, `the bot is PAUSED as before: \`${resume}\` lets it trade again`);
}
