/** Assembles a live bot in stages. */
import { rmSync } from 'node:fs';
import { seededRandom } from '../../clock/index.ts';
import { sameGrid } from '../../domain/index.ts';
import { type LiveBot, RunOutcome } from '../../ops/index.ts';
import { rejectInterruptedCommands } from '../../runtime/index.ts';
import { startUp } from '../startup.ts';
import { assembleBot, createMarketChanges } from './bot.ts';
import { assertClock } from './checks.ts';
import { countTradedMarkets, createLiveCore, restorePause } from './core.ts';
import { readKillFile, writeKillFile } from './kill-file.ts';
import { allMarkets, readLiveMarkets, toVenueMarkets } from './markets.ts';
import { openAlerts, openTargets } from './messaging.ts';
import type { LiveInput, LiveStart, OpenedLive } from './opened-live.ts';
import { botCommand } from './paths.ts';
import { openPolymarket } from './polymarket.ts';
import { createLivenessUpdater, createPruningTask, recoverBot } from './recover.ts';
import { openService } from './service.ts';
import { readEarlierRuns } from './stored-bot.ts';

/** Assembles the bot. Sends no order. @throws FileFault, InputFault; Fault LOGIN, LINK, BLOCKED, VENUE; as `startUp` */
export function openLive(input: LiveInput): Promise<OpenedLive> {
  return startUp(input, (closers) => openBot({ ...input, closers, outcome: new RunOutcome() }));
}

async function openBot(start: LiveStart): Promise<OpenedLive> {
  const { live, paths, strategies, log, closers, outcome, adopt } = start;
  const { file } = live;

  const targets = openTargets(live, start.redactor);
  const access = await (file.venue.polymarket === undefined ? openService(start, targets) : openPolymarket(start));
  const { account, connection } = access;
  const { clock, directory, marketData } = connection;
  const { address } = account.facts;
  const recovery = recoverBot(start, account.facts, clock);
  const { store, recovered } = recovery;

  await assertClock(connection);
  const markets = await readLiveMarkets({ live, directory, log, db: paths.db }, recovered);
  strategies.assertMarkets(allMarkets(markets));
  await access.checkSignatures([...markets.present, ...markets.added]);

  // The watchdog starts after recovery, which may block the event loop for long, but before `create` of strategies.
  access.openWatchdog();
  const random = seededRandom(file.seed);
  const core = createLiveCore({ file, strategies, markets, recovered, random, strategyLog: { log, clock } });
  const { gate } = core;
  // Keeps a kill of an earlier run.
  const killReason =
    readKillFile(paths.killFilePath) ?? (gate.mode === 'KILLED' ? (gate.reason ?? 'earlier kill') : undefined);
  if (killReason !== undefined) gate.setMode('KILLED', killReason);

  const alerts = openAlerts(start, targets, clock);
  const changes = createMarketChanges(start, { directory, marketData, core, grids: markets.grids }, alerts);
  const venue = access.openSession({
    markets: toVenueMarkets(markets.present, core.state),
    core,
    recovery,
    changes,
    getBot: (): LiveBot => assembled.bot,
  });
  const updateLease = createLivenessUpdater(`${paths.db}.lock`, log);
  const prune = createPruningTask(file, store, { log, onFailed: (error) => outcome.fail(error) });
  const assembled = assembleBot(start, {
    targets,
    connection,
    core,
    store,
    venue,
    alerts,
    changes,
    account: address,
    earlierRuns: readEarlierRuns(paths.db),
    client: account.client,
    unfinishedOrders: () => store.unfinishedOrders(),
    reconciled: () => venue.agreement,
    recheck: () => venue.recheck(),
    verifyNoneOpen: (timeoutMs) => venue.verifyNoneOpen(timeoutMs),
    storeRecovery: (report) => store.storeRecovery(report),
    storeStateAndLease: () => {
      store.storeState();
      updateLease(clock.now());
      prune(clock.now());
    },
    writeKillFile: (reason) => writeKillFile(paths.killFilePath, reason),
  });
  const { bot, run, counters, state, selection } = assembled;

  // Rejects the commands that the last process did not finish. The bot must exist to receive the resulting steps.
  if (recovered !== undefined)
    for (const event of rejectInterruptedCommands(core.state, store, clock.now())) run.event(event);
  // Updates the markets of an earlier run whose price grid has changed.
  for (const { info } of markets.present) {
    const { info: stored, limits, state: venueState } = state.market(info.market);
    if (!sameGrid(info.grid, stored.grid))
      run.submit({ type: 'marketAdded', info, limits, state: venueState, bots: [] });
  }
  const keepWarm = await access.warmUp({
    ordersSent: () => counters.placed,
    rowsReceived: () => core.tradingCore.rows,
  });
  return {
    ...assembled,
    account: address,
    marketCount: countTradedMarkets(core.assignments) + markets.added.length,
    killReason,
    async start() {
      await bot.start();
      // `bot.start` has reconciled orders, positions and cash.
      store.closeGap(clock.now());
      if (killReason !== undefined) {
        run.submit({ type: 'operatorCommanded', command: 'kill', reason: killReason });
        // The database now contains the reason.
        rmSync(paths.killFilePath, { force: true });
      }
      const resumeCommand = botCommand(paths, live.configuration.path, ['resume']);
      restorePause(run, gate, { log, isVenueAccepted: adopt, resumeCommand });
      await changes.begin(markets.added);
      await selection?.begin();
      keepWarm();
    },
    close: () => closers.close(),
    cancelNow: () => account.cancelNow(),
  };
}
