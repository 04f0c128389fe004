/**
 * Measures the query `market` with nine fields over HTTP, then signed orders. The whole server has a database file. It
 * is compared with a bare JSON server and graphql-yoga, which have the markets in memory. Each server is a process, and
 * this process creates the load.
 *
 * The figure is responses per second of the server's processor time. Wall time would favour a server that collects
 * garbage on a second core, and would include other work of the machine.
 */
import { type Bench, row, type Sample, sideBySide, summarise } from './harness.ts';
import { Child } from './workload/child.ts';
import { type LoadShape, loadServer } from './workload/http-load.ts';
import {
  type HarnessMarket,
  harnessMarkets,
  MARKET_QUERY,
  marketAnswers,
  marketRequests,
} from './workload/market-harness.ts';
import { AHEAD, BATCH, CONNECTIONS, ORDERS, placeOrders, TRADERS } from './workload/order-run.ts';
import type { PeerReport } from './workload/peer-server.ts';
import { type OrderRate, VenueProcess } from './workload/venue-process.ts';

const ROUNDS = 5;
/** Unmeasured turns, in which V8 compiles the code. */
const WARM_UP = 4;
const ONE_AHEAD = 1;
const SHAPE = { path: '/graphql', connections: 32, ahead: 4, duration: 1_500 };

interface MeasuredServer {
  /**
   * Measures responses per second of processor time.
   * @param ahead requests in flight on each connection, default `SHAPE`'s
   */
  readonly run: (ahead?: number) => Promise<number>;
  /** Responses per second of wall time for each run with `SHAPE`, including warm-up runs. */
  readonly byClock: number[];
}

const bench: Bench = async () => {
  const children: Child<unknown>[] = [];
  const venue = await VenueProcess.open();
  try {
    const markets = await harnessMarkets(venue);
    const load: Load = { bodies: marketRequests(markets), answers: marketAnswers(markets) };
    const [ours, raw, yoga] = [
      measureServer({ port: venue.port, usage: async () => (await venue.usage()).allSeconds }, load),
      measureServer(await peer('raw', markets, children), load),
      measureServer(await peer('yoga', markets, children), load),
    ];
    const core = await sideBySide(
      ROUNDS,
      { ours: () => ours.run(), raw: () => raw.run(), yoga: () => yoga.run() },
      { warmUp: WARM_UP },
    );
    const oneInFlight = await sideBySide(
      ROUNDS,
      { ours: () => ours.run(ONE_AHEAD), raw: () => raw.run(ONE_AHEAD) },
      { warmUp: 1 },
    );
    const byClock = (server: MeasuredServer) => summarise(server.byClock.slice(WARM_UP));
    const [oursByClock, rawByClock, yogaByClock] = [byClock(ours), byClock(raw), byClock(yoga)];
    const { http, sockets, batches, oneCore } = await placeOrders(ROUNDS);
    const placed = { http: rates(http), sockets: rates(sockets), batches: rates(batches) };
    const onOneCore = oneCore.length === 0 ? undefined : rates(oneCore).byClock;
    return {
      results: [
        row('halfspread, query market', core.ours, 'requests/core s'),
        row('bare node:http, the same bytes from JSON', core.raw, 'requests/core s'),
        row('graphql-yoga, same schema and query', core.yoga, 'requests/core s'),
        row('halfspread, one request in flight per connection', oneInFlight.ours, 'requests/core s'),
        row('bare node:http, one request in flight', oneInFlight.raw, 'requests/core s'),
        row('halfspread, by the clock', oursByClock, 'requests/s'),
        row('bare node:http, by the clock', rawByClock, 'requests/s'),
        row('graphql-yoga, by the clock', yogaByClock, 'requests/s'),
        row('placeOrder over HTTP', placed.http.byMain, 'orders/main thread s'),
        row('placeOrder over WebSocket', placed.sockets.byMain, 'orders/main thread s'),
        row(`placeOrders of ${BATCH} over HTTP`, placed.batches.byMain, 'orders/main thread s'),
        row('placeOrder over HTTP, by the clock', placed.http.byClock, 'orders/s'),
        row('placeOrder over WebSocket, by the clock', placed.sockets.byClock, 'orders/s'),
        row(`placeOrders of ${BATCH}, by the clock`, placed.batches.byClock, 'orders/s'),
        row('placeOrder over HTTP, all threads', placed.http.byAll, 'orders/core s'),
        ...(onOneCore === undefined ? [] : [row('placeOrder over HTTP, server on one core', onOneCore, 'orders/s')]),
      ],
      ratios: {
        queryVsRawJson: core.ours.median / core.raw.median,
        queryVsYoga: core.ours.median / core.yoga.median,
        queryVsRawJsonOneInFlight: oneInFlight.ours.median / oneInFlight.raw.median,
      },
      values: {
        queriesPerCoreSecond: core.ours.median,
        queriesPerSecond: oursByClock.median,
        queryVsRawJsonByClock: oursByClock.median / rawByClock.median,
        queryVsYogaByClock: oursByClock.median / yogaByClock.median,
        placeOrdersPerSecond: placed.http.byClock.median,
        placeOrdersPerCoreSecond: placed.http.byAll.median,
        ...(onOneCore === undefined ? {} : { placeOrdersPerSecondOnOneCore: onOneCore.median }),
        placeOrdersPerMainSecond: placed.http.byMain.median,
        socketOrdersPerMainSecond: placed.sockets.byMain.median,
        batchOrdersPerMainSecond: placed.batches.byMain.median,
      },
      notes: [
        `POST /graphql, ${MARKET_QUERY.length} characters of query and one variable; 64 markets with orders; every response is compared byte by byte`,
        `load from this process: ${SHAPE.connections} keep-alive connections, ${SHAPE.ahead} requests in flight on each, ${SHAPE.duration} ms per turn, turns alternate`,
        'halfspread writes all ready responses of a connection at once, the others one by one; with one request in flight, this makes no difference',
        'a core second is a second of processor time of the server process, user and system, all threads',
        'the bare server reads the body, parses it and serializes the response, without schema, ids, limits and errors',
        'graphql-yoga with default settings, with its parse and validation caches, without logging',
        'halfspread is the whole server: engine, database file, rate limits (very high); the other two have the same markets in memory',
        'queries have no credentials, and the markets do not change meanwhile',
        `orders: signed before each turn of ${ORDERS}, by ${TRADERS} accounts that trade with each other, ${CONNECTIONS} connections, ${AHEAD} in flight on each (batches: 2); every response reports acceptance, after the order was durable (SQLite, FULL)`,
        'on one core: all threads of the server on one core, wall time; the load has another core',
        "a main thread second is a second of processor time of the server's main thread: HTTP, GraphQL, signature check, engine; other threads write the database and collect garbage",
      ],
    };
  } finally {
    for (const child of children) await child.close();
    await venue.close();
  }
};
export default bench;

function rates(list: readonly OrderRate[]): Readonly<Record<keyof OrderRate, Sample>> {
  return {
    byClock: summarise(list.map(({ byClock }) => byClock)),
    byMain: summarise(list.map(({ byMain }) => byMain)),
    byAll: summarise(list.map(({ byAll }) => byAll)),
  };
}

type Load = Pick<LoadShape, 'bodies' | 'answers'>;

interface RunningServer {
  readonly port: number;
  /** Seconds of processor time so far. */
  usage(): Promise<number>;
}

function measureServer({ port, usage }: RunningServer, load: Load): MeasuredServer {
  const byClock: number[] = [];
  return {
    byClock,
    async run(ahead = SHAPE.ahead) {
      const before = await usage();
      const { perSecond, answers } = await loadServer({ ...SHAPE, ...load, ahead, port });
      if (ahead === SHAPE.ahead) byClock.push(perSecond);
      return answers / ((await usage()) - before);
    },
  };
}

async function peer(
  name: string,
  markets: readonly HarnessMarket[],
  children: Child<unknown>[],
): Promise<RunningServer> {
  const child = await Child.open<PeerReport>('peer-server.ts', [name]);
  children.push(child);
  const { port } = await child.request(markets);
  return { port, usage: async () => (await child.request('usage')).cpuSeconds };
}
