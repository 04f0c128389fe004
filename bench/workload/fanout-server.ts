/**
 * A server of the fan-out bench, in a child process: `fanout-server.ts <ours|raw>`. It sends changes of one book to a
 * thousand subscribers. `raw` only sends one prepared string to each client with `ws`. `ours` is the whole venue:
 * engine, journal, book delta, GraphQL execution, and a text with the id of each subscriber.
 */
import { createServer } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { nextEventLoopTurn, wallClock } from '../../src/clock/index.ts';
import { venueSchema } from '../../src/protocol/index.ts';
import { openEngine } from '../../src/server/engine.ts';
import type { RootResolver } from '../../src/server/graphql/resolvers.ts';
import { GraphqlService } from '../../src/server/graphql/service.ts';
import { startHttp } from '../../src/server/http/http-server.ts';
import { HTTP_LIMITS } from '../../src/server/http/options.ts';
import { MarketViewCache } from '../../src/server/presenters/market-presenter.ts';
import { STREAM_LIMITS } from '../../src/server/streams/options.ts';
import { StreamServer } from '../../src/server/streams/stream-server.ts';
import { SqliteStore } from '../../src/store/index.ts';
import { listen } from './child.ts';
import { FANOUT_MARKET, type FanoutReport, type FanoutRequest } from './fanout-load.ts';

const MICROS_PER_SECOND = 1e6;
const MICRO_USD = 4e15;
const MAX_SHARES = 1e15;

interface MeasuredServer {
  readonly port: number;
  /** Sends a number of updates at once. */
  update(count: number): void;
  /** Returns the bytes buffered for clients. */
  backlog(): number;
  /** Sets the text of an update. The venue ignores it and creates the text itself. */
  prepare(message: string): void;
}

async function raw(): Promise<MeasuredServer> {
  const clients = new Set<WebSocket>();
  const server = createServer();
  const sockets = new WebSocketServer({ server, perMessageDeflate: false, clientTracking: false });
  sockets.on('connection', (client) => {
    clients.add(client);
    client.on('close', () => clients.delete(client));
  });
  let message = '';
  return {
    port: await listen(server),
    update: (count) => {
      for (let each = 0; each < count; each += 1) for (const client of clients) client.send(message);
    },
    backlog: () => {
      let bytes = 0;
      for (const client of clients) bytes += client.bufferedAmount;
      return bytes;
    },
    prepare: (given) => {
      message = given;
    },
  };
}

async function ours(): Promise<MeasuredServer> {
  const clock = wallClock();
  const log = { info: () => undefined, warn: console.error, error: console.error };
  const store = SqliteStore.open({ file: ':memory:' });
  const onStop = (cause: unknown): void => console.error(cause);
  const { queue, ids, view } = openEngine({ store, clock, log, quotePolicy: undefined, onStop });
  const schema = venueSchema();
  const none: RootResolver = () => null;
  const all = (fields: object = {}) => Object.fromEntries(Object.keys(fields).map((field) => [field, none]));
  const graphql = new GraphqlService({
    schema,
    resolvers: { Query: all(schema.getQueryType()?.getFields()), Mutation: all(schema.getMutationType()?.getFields()) },
    quota: { consume: () => 0, charge: () => undefined },
    log,
  });
  const listen = { host: '127.0.0.1', port: 0, base: '', trustedProxies: [], origins: undefined };
  const streams = new StreamServer({
    graphql,
    queue,
    clock,
    log,
    archive: store.archive,
    ids,
    marketViews: new MarketViewCache(view),
    betPresets: [],
    announcement: () => undefined,
    runId: 'bench',
    credentials: { identify: () => undefined, onEnd: () => () => undefined },
    listen,
    // Subscribers do not reply to pings.
    limits: { ...STREAM_LIMITS, keepAliveMs: 3_600_000 },
  });
  const { port } = await startHttp({
    graphql,
    clock,
    log,
    runId: 'bench',
    version: '0',
    listen,
    limits: HTTP_LIMITS,
    proxyHeader: undefined,
    metrics: undefined,
    intercept: undefined,
    endpoints: [],
    routes: () => undefined,
    upgrade: streams.upgrade,
    identify: () => undefined,
    health: () => ({ status: 'OK', mode: 'NORMAL', version: '0', serverTime: '', engineSeq: '0', uptimeSeconds: 0 }),
  });
  const execute = (command: object): void => {
    const complete: unknown = { time: clock.now(), account: 1, credential: 0, note: '', ...command };
    if (isCommand(complete)) void queue.execute(complete);
  };
  execute({ type: 'openAccount', address: `0x${'1'.padStart(40, '0')}`, unlimited: true });
  execute({ type: 'transfer', amount: MICRO_USD });
  execute({
    type: 'createMarket',
    id: FANOUT_MARKET,
    question: 'Q?',
    rules: 'r',
    categorySlug: 'c',
    topicSlugs: [],
    resolutionDate: clock.now() + 86_400_000,
  });
  execute({ type: 'chainConfirmed', market: 0, step: 'DEPLOY', attempt: 1, transactionHash: '0x1' });
  const terms = {
    market: 0,
    outcome: 'YES',
    side: 'BUY',
    timeInForce: 'GTC',
    postOnly: false,
    epoch: 0,
    maxFeeBps: 1000,
    expiration: 0,
    replaces: 0,
    selfTrade: 'CANCEL_TAKER',
    group: 0,
  };
  for (let level = 1; level <= 25; level += 1) {
    const shares = level === 1 ? MAX_SHARES : 10_000_000;
    execute({ ...terms, type: 'place', price: 5000 - level * 10, shares, timestampMs: clock.now() });
  }
  return {
    port,
    update: (count) => {
      // A reduction keeps the depth of the book and its number of orders.
      for (let each = 0; each < count; each += 1) execute({ type: 'reduce', order: 1, by: 10_000 });
    },
    backlog: () => streams.traffic.backlogBytes,
    prepare: () => undefined,
  };
}

function isCommand(value: unknown): value is Parameters<ReturnType<typeof openEngine>['queue']['execute']>[0] {
  return typeof value === 'object' && value !== null && 'type' in value;
}

const SERVERS: Readonly<Record<string, () => Promise<MeasuredServer>>> = { ours, raw };
const [name = ''] = process.argv.slice(2);
const start = SERVERS[name];
if (start === undefined) throw new Error(`unknown server "${name}", known: ${Object.keys(SERVERS).join(', ')}`);
const server = await start();

process.on('message', async (request: FanoutRequest) => {
  server.prepare(request.message ?? '');
  let maxBacklog = 0;
  for (let done = 0; done < request.updates; done += request.atOnce) {
    server.update(request.atOnce);
    await nextEventLoopTurn();
    // Count again only while bytes wait, because counting takes processor time of the measured process.
    let backlog = server.backlog();
    maxBacklog = Math.max(maxBacklog, backlog);
    // Wait until the clients' buffers drain. Requests are unpaced if a client never reads.
    while (request.isPaced && backlog > 0) {
      await nextEventLoopTurn();
      backlog = server.backlog();
    }
  }
  sendReport(maxBacklog);
});
process.on('disconnect', () => process.exit());
sendReport(0);

function sendReport(maxBacklog: number): void {
  const { user, system } = process.cpuUsage();
  const report: FanoutReport = {
    port: server.port,
    cpuSeconds: (user + system) / MICROS_PER_SECOND,
    maxBacklog,
    rssMb: process.memoryUsage.rss() / 1e6,
  };
  process.send?.(report);
}
