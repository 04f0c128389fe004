/** Assembles a bot, live or paper, from a core and a venue: its run, kill switch, alerts and commands. */
import process from 'node:process';
import type { StrategyResult } from '../../analytics/index.ts';
import { parseUptimeConditions } from '../../backtest/index.ts';
import { StrategyFault } from '../../domain/index.ts';
import {
  type Alerts,
  guardedClock,
  KillSwitch,
  LiveBot,
  type LiveBotDeps,
  OrderTimes,
  RecentLog,
  RunCounters,
} from '../../ops/index.ts';
import { version } from '../../package-files.ts';
import { riskLimits } from '../../risk/index.ts';
import { Run, type Venue } from '../../runtime/index.ts';
import type { BotStore } from '../../store/index.ts';
import { openSignalSources } from '../signal-sources.ts';
import type { VenueConnection } from './connection.ts';
import type { LiveCore } from './core.ts';
import { MarketChanges, type MarketChangesOptions } from './market-changes.ts';
import { openSelection } from './market-selection.ts';
import { type OpenedTargets, openSummary, startPoller } from './messaging.ts';
import type { LiveStart } from './opened-live.ts';
import { commandLines } from './paths.ts';

/** Dependencies that only live bots have. */
type LiveDep = 'recheck' | 'storeRecovery' | 'writeKillFile';
/** Dependencies that differ between live and paper bots. */
type ModeDep =
  | 'account'
  | 'earlierRuns'
  | 'client'
  | 'unfinishedOrders'
  | 'verifyNoneOpen'
  | 'storeStateAndLease'
  | LiveDep;

export interface BotDeps extends Pick<LiveBotDeps, ModeDep> {
  readonly targets: OpenedTargets;
  readonly connection: VenueConnection;
  readonly core: LiveCore;
  readonly store: BotStore;
  readonly venue: Venue;
  readonly alerts: Alerts;
  readonly changes: MarketChanges;
  readonly reconciled: () => ReturnType<LiveBotDeps['health']>['reconciled'];
}

/** Creates the object that changes markets and parameters. `assembleBot` attaches the run to it. */
export function createMarketChanges(
  { live, paths, strategies, log, outcome }: LiveStart,
  deps: Pick<MarketChangesOptions, 'directory' | 'marketData' | 'core' | 'grids'>,
  alerts: Alerts,
): MarketChanges {
  return new MarketChanges({
    ...commandLines(paths, live.configuration.path),
    ...deps,
    strategies,
    log,
    alert: alerts.send.bind(alerts),
    onAllFailed: (fault) => outcome.fail(fault),
  });
}

function strategyResults({ totals, assignments, state }: LiveCore): readonly StrategyResult[] {
  const names = assignments.entries.filter(({ markets }) => markets.length > 0).map(({ strategy }) => strategy);
  return totals.results(names, (market) => {
    const { mark, position } = state.market(market);
    return { mark, settlement: position.settlement };
  });
}

/** Assembles a bot without connecting to the venue. */
export function assembleBot(start: LiveStart, deps: BotDeps) {
  const { live, paths, log, closers, outcome, redactor } = start;
  const { logProblem = () => undefined, recentLog = new RecentLog() } = start;
  const kind = start.isDemo === true ? 'DEMO' : live.file.mode === 'paper' ? 'PAPER' : 'LIVE';
  const { targets, connection, core, store, venue, alerts, changes, reconciled, ...modeDeps } = deps;
  const { url, clock, marketData, recorder } = connection;
  const { state, gate } = core;
  const times = new OrderTimes();
  const counters = new RunCounters((order) => state.findTag(order));
  store.onWritten = kind === 'PAPER' ? undefined : times.recordWrite.bind(times);
  recorder.begin(start, core, clock);
  const recording = recorder.current;
  const run = new Run({
    core: core.tradingCore,
    instances: core.instances,
    venue: recording?.wrapVenue(venue) ?? venue,
    store: recording?.wrapStore(store) ?? store,
    clock: guardedClock(clock, (error) => outcome.fail(error)),
    onSent: times.recordSent.bind(times),
    stepListeners: [
      (steps) => counters.addSteps(steps),
      (steps) => bot.onSteps(steps),
      (steps) => recording?.recordSignals(steps),
      (steps) => summary?.onSteps(steps),
    ],
    onInstanceRetired(fault) {
      log.error({ problem: fault.message, cause: fault.cause }, 'a strategy failed, the others continue');
      alerts.send('strategy', `halfspread: ${fault.message}`, { retired: 1 });
      if (fault instanceof StrategyFault) changes.onInstanceRetired(fault);
    },
  });
  closers.add(() => run.close());
  store.setSource({ account: state, risk: () => gate.snapshot(), snapshot: () => core.snapshot() }, clock.now());
  closers.add(() => alerts.close());
  const alert = alerts.send.bind(alerts);
  const bot: LiveBot = new LiveBot({
    ...modeDeps,
    ...commandLines(paths, live.configuration.path),
    clock,
    log,
    logProblem,
    run,
    outcome,
    state,
    gate,
    limits: riskLimits(live.file.risk),
    kind,
    uptimeConditions: parseUptimeConditions(),
    rates: () => core.budget.bucketStates(clock.now()),
    wantedQuotes: (market) => core.tradingCore.wantedQuotes(market),
    recentLog,
    recentAlerts: () => alerts.recent(),
    counters,
    times,
    strategies: () => strategyResults(core),
    signalSources: openSignalSources(live, redactor),
    changes,
    alert,
    pid: process.pid,
    version: version(),
    venue: url,
    killSwitch: new KillSwitch(connection.killLimits, (market) => state.market(market).position.net),
    health: () => ({
      link: marketData.link,
      mode: marketData.mode,
      modeProblem: marketData.modeProblem,
      ages: marketData.bookStates(),
      skewMs: connection.offset.minSkewMs,
      reconciled: reconciled(),
    }),
    onStarted: () => summary?.begin(),
  });
  closers.add(() => bot.close());
  const summary = openSummary(start, {
    clock,
    alert,
    state,
    counters,
    status: () => bot.status(),
    isTrading: () => gate.mode === 'ACTIVE' && marketData.link === 'UP' && reconciled() === 'agrees',
  });
  closers.add(() => summary?.close());
  startPoller(start, targets, { bot, openAtVenue: () => modeDeps.client.countOpenOrders(), alert, clock });
  changes.attach(run);
  const selection = openSelection(start, { directory: connection.directory, core, changes, clock, alert });
  return {
    bot,
    run,
    counters,
    times,
    clock,
    state,
    alert,
    recording: recording?.path,
    selection,
  };
}
