/** Assembles a live bot in stages. */
import { seededRandom } from '../../clock/index.ts';
import { type MarketInfo, sameGrid } from '../../domain/index.ts';
import { RunOutcome } from '../../ops/index.ts';
import { type RiskGate, riskLimits } from '../../risk/index.ts';
import { interruptedCommands, type Run } from '../../runtime/index.ts';
import { signedMessages, signingBackend } from '../../signing/index.ts';
import type { AccountView } from '../../state/index.ts';
import { startUp } from '../startup.ts';
import { warmUp } from '../warmup/warmup.ts';
import { takeAccount } from './account.ts';
import { type AssembledBot, assembleBot } from './bot.ts';
import { demandClock, demandSigning } from './checks.ts';
import { connect, openAccess } from './connection.ts';
import { liveCore, restorePause, tradedMarkets } from './core.ts';
import { openGrids } from './grids.ts';
import { readMark, removeMark, writeMark } from './kill-mark.ts';
import { MarketChanges } from './market-changes.ts';
import { openSelection, signableMarkets } from './market-selection.ts';
import { allMarkets, readLiveMarkets } from './markets.ts';
import { openAlerts } from './messaging.ts';
import type { LiveInput, LiveStart, OpenedLive } from './opened-live.ts';
import { commandLines, type LivePaths } from './paths.ts';
import { livenessOf, recoverBot, retentionOf } from './recover.ts';
import { openSession } from './session.ts';
import { earlierRuns } from './stored-bot.ts';
import { openWatchdog } from './watchdog.ts';

/** Assembles the bot. Sends no order. @throws FileFault, InputFault; Fault LOGIN, LINK, BLOCKED, VENUE; as `startUp` */
export function openLive(input: LiveInput): Promise<OpenedLive> {
  return startUp(input, (closers) => opened({ ...input, closers, outcome: new RunOutcome() }));
}

async function opened(start: LiveStart): Promise<OpenedLive> {
  const { live, paths, plans, log, closers, outcome, adopt } = start;
  const { file } = live;

  const access = await openAccess(start);
  const { clock } = access;
  log.info({}, `signatures: ${signingBackend(access.signer)}`);
  const account = await takeAccount(start, access);
  const { key, address } = account.facts;
  const past = recoverBot(start, access, account);
  const { store, recovered } = past;

  const connection = await connect(start, access);
  const { transport, directory, limits } = connection;
  await demandClock(transport, limits.clockSkewMs);
  const grids = openGrids(live);
  const markets = await readLiveMarkets({
    directory,
    log,
    grids,
    markets: file.markets,
    state: recovered?.state,
    traded: recovered?.roster.entries.flatMap((entry) => entry.markets) ?? [],
  });
  plans.demandMarkets(allMarkets(markets));
  const { select } = file.markets;
  const signable = select === undefined ? [...markets.present, ...markets.added] : await signableMarkets(directory);
  await demandSigning({ ...access, key, address }, signable, riskLimits(file.risk));

  // Before strategies are created, so that `create` is watched, too. After recovery, which may block the event loop for long.
  openWatchdog(start, access, account);
  const core = liveCore({ file, plans, markets, recovered, random: seededRandom(file.seed), log: { log, clock } });
  const killed = stayKilled(core.gate, paths);

  const alerts = openAlerts(start, access);
  const lines = commandLines(paths, live.configuration.path);
  const changes = new MarketChanges({
    ...connection,
    ...lines,
    log,
    plans,
    core,
    grids,
    alert: alerts.send.bind(alerts),
    ended: (fault) => outcome.fail(fault),
  });
  const reports = (): AssembledBot['bot'] => assembled.bot;
  const venue = openSession(start, { access, account, connection, markets, core, past, changes, reports });
  const showAlive = livenessOf(`${paths.db}.lock`, log);
  const prune = retentionOf(file, store, { log, failed: (error) => outcome.fail(error) });
  const assembled = assembleBot(start, {
    access,
    connection,
    core,
    store,
    venue,
    alerts,
    changes,
    account: address,
    before: earlierRuns(paths.db),
    client: account.client,
    unsettled: () => store.unsettled(),
    reconciled: () => venue.agreement,
    recheck: () => venue.recheck(),
    verifyNoneOpen: async (timeoutMs) => {
      const { atVenue, unknown } = await venue.verifyNoneOpen(timeoutMs);
      return atVenue.length + unknown;
    },
    keepRecovery: (report) => store.keepRecovery(report),
    touch: () => {
      store.touch();
      showAlive(clock.now());
      prune(clock.now());
    },
    mark: (reason) => writeMark(paths.marker, reason),
  });
  const { bot, run, tally, state } = assembled;
  changes.attach(run);
  const selection = openSelection(start, { directory, core, changes, clock, alert: assembled.alert });

  // Commands that the last process could not finish. After the bot exists, so that it sees these steps.
  if (recovered !== undefined)
    for (const event of interruptedCommands(core.state, store, clock.now())) run.event(event);
  for (const { setup } of markets.present) updateGrid(run, setup.info, state);
  // Last, before the first quote. The warm-up has its own `messages`: the bot's keep fields of the last order.
  const messages = signedMessages(access.signer, access.domains);
  const counts = { ordersSent: () => tally.placed, rowsReceived: () => core.core.rows };
  const keepWarm = await warmUp(file, { ...access, ...counts, log, messages, db: paths.db }, closers);
  return {
    ...assembled,
    account: address,
    markets: tradedMarkets(core.roster) + markets.added.length,
    killed,
    async start() {
      await bot.start();
      // `bot.start` has compared orders, positions and cash.
      store.closeGap(clock.now());
      if (killed !== undefined) {
        run.operate('kill', killed);
        removeMark(paths.marker);
      }
      restorePause(run, core.gate, { log, isAdopted: adopt, resume: lines.commandLine('resume') });
      await changes.begin(markets.added);
      await selection?.begin();
      keepWarm();
    },
    close: () => closers.close(),
    cancelNow: () => account.cancelNow(),
  };
}

/** Keeps a kill of an earlier run. @returns its reason */
function stayKilled(gate: RiskGate, { marker }: LivePaths): string | undefined {
  const killed = readMark(marker) ?? (gate.mode === 'KILLED' ? (gate.reason ?? 'before') : undefined);
  if (killed !== undefined) gate.setMode('KILLED', killed);
  return killed;
}

/** Updates a market of an earlier run whose price grid has changed. */
function updateGrid(run: Run, info: MarketInfo, known: AccountView): void {
  const { info: before, limits, state } = known.market(info.market);
  if (!sameGrid(info.grid, before.grid)) run.addMarket({ info, limits, state, bots: [] });
}
