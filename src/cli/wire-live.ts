/** Puts a live bot together: the only place that picks its clock, venue and store. */
import { hostname } from 'node:os';
import process from 'node:process';
import { seededRandom } from '../clock/index.ts';
import { Fault, formatTime, InputFault, type MarketInfo, sameGrid } from '../domain/index.ts';
import { Alerts, DirectAccess, guardedClock, KillSwitch, LiveBot, Tally } from '../ops/index.ts';
import { riskLimits } from '../risk/index.ts';
import { cutOff, Run, recover, StrategyFault } from '../runtime/index.ts';
import { signedMessages, signingBackend } from '../signing/index.ts';
import type { AccountView } from '../state/index.ts';
import { BotStore, machineStart, takeLease } from '../store/index.ts';
import { createMarketData, keepEpoch, RemoteVenue, readTerms } from '../venues/remote/index.ts';
import type { Closers } from './closers.ts';
import { LiveChanges } from './live-changes.ts';
import { bookSettings, demandClock, demandSigning, killLimits } from './live-checks.ts';
import { goOnAfterPause, liveCore, tradedMarkets } from './live-core.ts';
import { openGrids } from './live-grids.ts';
import { accountLease } from './live-lease.ts';
import { gapText, gapTime, lostTime } from './live-machine.ts';
import { readMark, removeMark, writeMark } from './live-mark.ts';
import { asTold, readLiveMarkets } from './live-markets.ts';
import { opening } from './live-opening.ts';
import { botFiles, placeOptions, warnOfLooseFiles } from './live-paths.ts';
import { type LiveRecording, openRecording, tapOf } from './live-recording.ts';
import { retentionOf } from './live-retention.ts';
import { openTransport } from './live-transport.ts';
import { openWarmth } from './live-warmth.ts';
import { type RunningWatchdog, startWatchdog, watchdogTexts } from './live-watchdog.ts';
import type { LiveInput, OpenedLive } from './opened-live.ts';
import { fillsBefore } from './stored-bot.ts';
import { version } from './version.ts';
import { openOwner, openVenue, openWebhooks } from './wire-venue.ts';

/**
 * Takes the lease, logs in, recovers what was, reads the venue, and puts the bot together. Sends no order.
 * @throws FileFault, InputFault; Fault LOGIN, LINK, BLOCKED, VENUE: what is wrong, and what to do; as `opening`
 */
export function openLive(input: LiveInput): Promise<OpenedLive> {
  return opening(input, (closers) => opened(input, closers));
}

async function opened(input: LiveInput, closers: Closers): Promise<OpenedLive> {
  const { live, paths, plans, log, redactor } = input;
  const { file } = live;
  const access = await openVenue(live, redactor);
  log.info({ ...access.signer.backend }, `signatures: ${signingBackend(access.signer)}`);
  const owner = input.owner ?? openOwner(live, access.signer, redactor);
  const { key, address } = owner;
  if (key === undefined || address === undefined) {
    throw live.configuration.blame(
      new InputFault('account', undefined, 'a key that signs orders: key: { env: HALFSPREAD_KEY }'),
    );
  }
  const webhooks = openWebhooks(live, redactor);
  const { clock, line } = access;
  const holder = {
    pid: process.pid,
    host: hostname(),
    since: formatTime(clock.now()),
    file: paths.db,
    boot: machineStart(),
  };
  const leases = [
    { path: `${paths.db}.lock`, what: `the database ${paths.db}` },
    { path: accountLease(address, line.base), what: `account ${address} at ${line.base}` },
  ];
  const lostSince = lostTime(`${paths.db}.lock`, clock);
  closers.add(takeLease(leases, holder));

  let watchdog: RunningWatchdog | undefined;
  let token = '';
  let kept: BotStore | undefined;
  const direct = new DirectAccess({
    line,
    clock,
    log,
    credentials: owner.credentials,
    pins: access.login,
    onToken(told) {
      redactor.keepForNow(told);
      token = told;
      watchdog?.use(told);
    },
    // Orders that are signed after `resume` have to be of the epoch that the kill has begun.
    onEpoch: (epoch) => {
      if (kept !== undefined) keepEpoch(kept, epoch, log);
    },
  });
  await direct.open();
  let running: LiveBot | undefined;
  // Whoever goes on watching needs the session.
  closers.add(() => direct.close(running?.isLeftOpen !== true));

  const store = BotStore.open({
    file: paths.db,
    name: `account ${address} at ${line.base}`,
    spec: JSON.stringify(file),
    acceptLoss: input.acceptLoss ?? false,
  });
  kept = store;
  closers.add(() => store.close(clock.now()));
  warnOfLooseFiles(botFiles(paths), log);
  const before = store.stored();
  const recovered = before === undefined ? undefined : recover(before);
  const { gap } = store;
  if (gap !== undefined) log.warn({ ...gap }, gapText(gap));
  if (recovered !== undefined) log.info({ steps: recovered.folded, nextSeq: recovered.firstSeq }, 'recovered');

  let recording: LiveRecording | undefined;
  const transport = openTransport(
    live,
    access,
    log,
    tapOf(paths, () => recording),
  );
  closers.add(() => transport.close());
  const terms = await readTerms(transport);
  const limits = killLimits(file, terms.maxClockSkew);
  await demandClock(transport, limits.clockSkewMs);
  const grids = openGrids(live);
  const wanted = { markets: file.markets, grids, state: recovered?.state };
  const markets = await readLiveMarkets({ transport, terms, ...wanted });
  await demandSigning({ ...access, key, address }, [...markets.present, ...markets.added], riskLimits(file.risk));
  // Before any strategy is made: what it does in `create` is watched, too. After recovery, which may hold the loop for long.
  if (file.watchdog_ms !== 'none') {
    const hello = {
      url: line.base,
      headers: access.headers,
      token,
      webhooks,
      silenceMs: file.watchdog_ms,
      marker: paths.marker,
      texts: watchdogTexts(access.operations),
    };
    const started = startWatchdog(hello, clock, log, (problem) =>
      bot.fail(new Fault('WATCHDOG', `${problem}. Everything was cancelled; start again, or set watchdog_ms: none`)),
    );
    watchdog = started;
    // The venue's last word is missing: whoever watches goes on where this process ends.
    closers.add(() => (running?.isLeftOpen === true ? started.takeOver() : started.bye()));
  }
  const random = seededRandom(file.seed);
  const made = liveCore({ file, plans, markets, recovered, random });
  const { state, gate } = made;
  const killed = readMark(paths.marker) ?? (gate.mode === 'KILLED' ? (gate.reason ?? 'before') : undefined);
  if (killed !== undefined) gate.setMode('KILLED', killed);

  const marketData = createMarketData({ transport, terms, settings: bookSettings(file) });
  const unanswered = state.snapshot().conversions;
  const remote = new RemoteVenue({
    transport,
    marketData,
    markets: asTold(markets.present, state),
    terms,
    signer: access.signer,
    messages: access.messages,
    key,
    address,
    login: access.login,
    maxFeeBps: file.risk.max_fee_bps,
    records: store,
    view: state,
    unanswered,
    lost: gap === undefined ? lostSince?.(recovered?.state.now) : gapTime(gap, clock),
    credential:
      owner.credentials.apiKey === undefined ? { type: 'login' } : { type: 'apiKey', key: owner.credentials.apiKey },
    settings: {
      heartbeatMs: file.heartbeat_ms === 'none' ? 0 : file.heartbeat_ms,
      leftovers: file.leftovers,
      adopt: input.adopt,
      silenceMs: file.venue.silence_ms,
    },
    fault: (error) => bot.fail(error),
    marketFailed: (market, fault) => changes.failed(market, fault),
    recovered: (report) => bot.recovered(report.cause === 'start' && gap !== undefined ? { ...report, gap } : report),
    repeated: (command, problem) => bot.repeated(command, problem),
    stuck: (command) => changes.stuck(command),
  });
  recording = paths.record === undefined ? undefined : openRecording(input, paths.record, made, clock);
  if (recording !== undefined) closers.add(() => recording?.finish());
  const tally = new Tally();
  const run = new Run({
    core: made.core,
    bots: made.bots,
    venue: recording?.venue(remote) ?? remote,
    store: recording?.store(store) ?? store,
    clock: guardedClock(clock, (error) => bot.fail(error)),
    taps: [(steps) => tally.take(steps), (steps) => bot.steps(steps)],
    retired: (fault) => {
      log.error({ problem: fault.message, cause: fault.cause }, 'a strategy failed in one market, the others go on');
      alerts.tell('strategy', `halfspread: ${fault.message}`, { retired: 1 });
      if (fault instanceof StrategyFault) changes.retired(fault);
    },
  });
  closers.add(() => run.close());
  store.follow({ account: state, risk: () => gate.snapshot(), snapshot: () => made.snapshot() }, clock.now());
  const alerts = new Alerts({ webhooks, clock, log, redactor });
  closers.add(() => alerts.settled());
  const changes: LiveChanges = new LiveChanges({
    log,
    plans,
    transport,
    terms,
    marketData,
    made,
    run,
    grids,
    alert: (kind, text, fields) => alerts.tell(kind, text, fields),
    ended: (fault) => bot.fail(fault),
  });
  const prune = retentionOf(file, store, { log, failed: (error) => bot.fail(error) });
  const bot: LiveBot = new LiveBot({
    clock,
    log,
    run,
    state,
    gate,
    maxFeeBps: file.risk.max_fee_bps,
    place: placeOptions(paths, live.configuration.path),
    tally,
    changes,
    pid: process.pid,
    version: version(),
    account: address,
    fillsBefore: fillsBefore(paths.db),
    venue: line.base,
    desk: direct.desk,
    unsettled: () => store.unsettled(),
    killSwitch: new KillSwitch(limits, (market) => state.market(market).position.net),
    health: () => ({
      link: marketData.link,
      mode: marketData.mode,
      ages: marketData.ages(),
      skewMs: transport.offset.leastSkewMs,
      reconciled: remote.agreement,
    }),
    recheck: () => remote.recheck(),
    verifyNoneOpen: async (timeoutMs) => {
      const { atVenue, unknown } = await remote.verifyNoneOpen(timeoutMs);
      return atVenue.length + unknown;
    },
    alert: (kind, text, fields) => alerts.tell(kind, text, fields),
    keepRecovery: (report) => store.keepRecovery(report),
    touch: () => {
      store.touch();
      prune(clock.now());
    },
    mark: (reason) => writeMark(paths.marker, reason),
  });
  // What nobody told the core when it was cut off, and what it could not know. Not before there is a bot to see these steps.
  if (recovered !== undefined) for (const event of cutOff(state, store, clock.now())) run.event(event);
  for (const { setup } of markets.present) tellGrid(run, setup.info, state);
  // Last, when all is there that the real code works on, and before anybody quotes.
  // Its messages are its own: what the bot's know of the order before is left to them.
  const { signer, domains } = access;
  const messages = signedMessages(signer, domains);
  const sent = (): number => tally.placed;
  const heard = (): number => made.core.rows;
  const keepWarm = await openWarmth(file, { clock, log, signer, messages, sent, heard, db: paths.db }, closers);
  running = bot;
  return {
    clock,
    tally,
    account: address,
    markets: tradedMarkets(made.roster) + markets.added.length,
    killed,
    bot,
    state,
    async start() {
      await bot.start();
      // Orders, positions and cash have been compared by now.
      store.closeGap(clock.now());
      if (killed !== undefined) {
        run.operate('kill', killed);
        removeMark(paths.marker);
      }
      goOnAfterPause(run, gate, log, input.adopt);
      await changes.begin(markets.added);
      keepWarm();
    },
    alert: (kind, text, fields) => alerts.tell(kind, text, fields),
    close: () => closers.close(),
    async cancelNow() {
      try {
        await direct.desk.cancelAll();
      } catch (error) {
        log.error({ err: error }, 'the last cancel did not get through');
      }
    },
  };
}

/** A market of an earlier run whose prices are others now. */
function tellGrid(run: Run, info: MarketInfo, known: AccountView): void {
  const { info: before, limits, state } = known.market(info.market);
  if (!sameGrid(info.grid, before.grid)) run.addMarket({ info, limits, state, bots: [] });
}
