/**
 * Builds a whole server from ports.
 *
 * Start: recovery -> settings -> markets of tapes -> sockets -> overdue deadlines -> simulation -> tapes.
 * Close: sockets refuse new requests and finish running ones -> simulation -> queue -> store. So clients see only the
 * recovered state, and every acknowledged command is written before the file is closed.
 */
import { repeatEvery, secureBytes } from '../clock/index.ts';
import { epochMs } from '../domain/index.ts';
import { timeText, venueSchema } from '../protocol/index.ts';
import { Access } from './access/access.ts';
import { PAYOUT_DEFAULTS, SimulatedPayouts } from './access/simulated-payouts.ts';
import { Catalogue } from './catalogue.ts';
import { Chaos, skewedClock, type Upgrade } from './chaos/chaos.ts';
import { openEngine } from './engine.ts';
import { GraphqlService } from './graphql/service.ts';
import { CLOCK_LAG_TOLERANCE_MS, Health } from './health.ts';
import { startHttp } from './http/http-server.ts';
import { HTTP_LIMITS } from './http/options.ts';
import { configure } from './initial-settings.ts';
import { MarketIndex } from './market-index.ts';
import { createRegistry, registerTraffic, registerVenue } from './metrics/venue-metrics.ts';
import { createOperatorRoute, Operators, OperatorToken } from './operators/operators.ts';
import { Cursors, loadCursorKey } from './paging/cursors.ts';
import { openPolymarketApi } from './polymarket/polymarket-api.ts';
import { MarketViewCache } from './presenters/market-presenter.ts';
import { Replays } from './replay/replays.ts';
import type { ResolverDeps } from './resolvers/deps.ts';
import { serverResolvers } from './resolvers/resolvers.ts';
import { publicUrl, type ServerOptions, type VenueServer } from './server-options.ts';
import { makeSimulation } from './simulation/simulation.ts';
import { STREAM_LIMITS } from './streams/options.ts';
import { StreamServer } from './streams/stream-server.ts';
import { VenueAnnouncement } from './venue-announcement.ts';
import { newUuid } from './wire-ids.ts';

/** Source of in-process operator commands, in place of a network address. */
const IN_PROCESS = 'in process';

const PRUNE_EVENTS_EVERY_MS = 600_000;

type Closer = () => Promise<void> | void;

/**
 * Recovers the exchange, starts all services and listens.
 * @throws FileFault on an invalid store; InputFault on invalid settings; the error of a failed `listen`
 */
export async function startServer(options: ServerOptions): Promise<VenueServer> {
  const closers: Closer[] = [() => options.store.close()];
  const skewMs = options.chaos?.clock.skew_ms ?? 0;
  const clock = skewMs === 0 ? options.clock : skewedClock(options.clock, skewMs);
  try {
    return await openServer({ ...options, clock }, closers);
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

async function openServer(options: ServerOptions, closers: Closer[]): Promise<VenueServer> {
  const { clock, log, store, version, runId, listen, messages } = options;
  const { registry, archive } = store;
  const health = new Health({
    clock,
    version,
    inputs: () => ({
      ...engine.queue.durable,
      commitMs: engine.exchange.commitMs,
      isStoreBroken: store.fault !== undefined,
      exchangeTime: engine.view.now,
    }),
  });
  const engine = openEngine({
    store,
    clock,
    log,
    quotePolicy: options.quotePolicy,
    acceptPause: options.acceptPause,
    onStop: (cause) => {
      health.setDown();
      log.error({ err: cause }, 'exchange: stopped permanently');
      options.onStop(cause);
    },
  });
  const { queue, ids, view, transferKinds, stateHash } = engine;
  closers.push(
    () => log.info({ hash: stateHash(), seq: view.seq }, 'exchange: stopped'),
    () => queue.close(),
  );

  const cursors = new Cursors(await loadCursorKey(registry));
  const catalogue = new Catalogue(registry);
  const marketIndex = new MarketIndex(view);
  const marketViews = new MarketViewCache(view);
  queue.watch(marketIndex);
  queue.watch(marketViews);
  const shared = { clock, log, listen, queue, ids, archive, registry, messages, catalogue, cursors, marketViews };
  const payouts = new SimulatedPayouts(clock, options.payouts ?? PAYOUT_DEFAULTS);
  closers.push(() => payouts.close());
  const access = new Access(
    { ...shared, transferKinds, mailSender: options.mailSender, chain: payouts },
    options.access,
  );
  closers.push(() => access.close());

  const replays = new Replays({ ...shared, settings: options.replays });
  closers.push(() => replays.close());
  const { delays } = replays;
  const { betPresetsCents: betPresets } = options;
  const deps: ResolverDeps = {
    ...shared,
    marketIndex,
    delays,
    access,
    buckets: access.buckets,
    venue: { version, betPresets, status: () => health.status },
    secretBytes: secureBytes,
  };
  const resolvers = serverResolvers(deps, access);
  const graphql = new GraphqlService({ schema: venueSchema(), resolvers, quota: access.buckets, log });
  const announcement = new VenueAnnouncement(registry);
  const streams = new StreamServer({
    ...shared,
    graphql,
    betPresets,
    announcement: () => announcement.current,
    credentials: access.credentials,
    runId,
    limits: STREAM_LIMITS,
  });
  closers.push(() => streams.close(0));
  announcement.onChange = () => streams.onAnnouncement();

  const polymarket =
    options.polymarket && openPolymarketApi({ ...shared, ...options.polymarket, access, delays, chaos: options.chaos });
  closers.push(() => polymarket?.close());

  const token = new OperatorToken(registry, { renew: options.renewOperatorToken });
  const operators = new Operators({ ...shared, announcement, transferKinds, polymarket, stateHash });
  const simulation = makeSimulation(options, queue, catalogue);
  closers.push(() => simulation.close());

  const chaos = options.chaos && new Chaos({ ...shared, settings: options.chaos, secret: newUuid() });
  if (chaos !== undefined) closers.push(() => chaos.close());

  const metrics = createRegistry();
  registerVenue(metrics, { health, queue, exchange: engine.exchange, streams, operations: graphql });
  await access.resume();
  await configure(queue, options.config, polymarket?.reversalWindow);
  await replays.prepare();
  const upgrade: Upgrade = (request, socket, head) => {
    if (polymarket?.channels.handles(request) === true) polymarket.channels.upgrade(request, socket, head);
    else streams.upgrade(request, socket, head);
  };
  const http = await startHttp({
    graphql,
    identify: (credentials) => access.credentials.identify(credentials),
    health: () => health.report(),
    metrics,
    clock,
    log,
    listen,
    runId,
    version,
    limits: HTTP_LIMITS,
    proxyHeader: options.access.geo?.countryHeader,
    intercept: chaos?.http.intercept,
    upgrade: chaos?.wrap(upgrade) ?? upgrade,
    endpoints: polymarket === undefined ? [] : [polymarket.endpoint],
    routes: createOperatorRoute({ base: listen.base, operators, token, log }),
  });
  closers.push(() => http.close(0));
  registerTraffic(metrics, { http, graphql });
  queue.start();
  const prune = (): void =>
    store.pruneEvents(clock.now(), (fault) => {
      if (fault !== undefined) log.error({ err: fault }, 'store: old events could not be deleted');
    });
  closers.push(repeatEvery(clock, PRUNE_EVENTS_EVERY_MS, prune));
  await simulation.start();
  replays.start();
  chaos?.start();
  if (health.clockLagMs > CLOCK_LAG_TOLERANCE_MS) {
    const behindMs = health.clockLagMs;
    log.warn({ exchangeTime: timeText(epochMs(view.now)), behindMs }, CLOCK_LAG_PROBLEM);
  }
  log.info({ seq: view.seq, markets: view.markets.length, accounts: view.accountCount }, 'server: ready');

  let closing: Promise<void> | undefined;
  return {
    url: publicUrl({ ...listen, port: http.port }),
    operatorToken: token.newToken,
    health: () => health.report(),
    operate: (command, args = {}) => operators.run({ ...args, command }, IN_PROCESS),
    close: (graceMs) => {
      health.setDown();
      polymarket?.close();
      closing ??= Promise.all([http.close(graceMs), streams.close(graceMs)]).then(() => closeAll(closers));
      return closing;
    },
  };
}

const CLOCK_LAG_PROBLEM =
  "exchange: the last event is ahead of the clock. Until the clock reaches that event's time, nothing expires, no dead-man's switch fires, and newly signed orders are refused as STALE_TIMESTAMP. Correct the clock if it is wrong now. If it was wrong before, wait, or start from an older backup";

/** Closes in reverse order, and continues after a fault. @throws the first fault */
async function closeAll(closers: readonly Closer[]): Promise<void> {
  const faults: unknown[] = [];
  for (const close of closers.toReversed()) {
    try {
      await close();
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0) throw faults[0];
}
