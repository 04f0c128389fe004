/**
 * Measures the processor time of a market-data frame from bytes to rows, and the age of frames when they are read.
 * Frames arrive at the rate of 200 busy markets. The venue is a child process, and this process is only the client.
 */
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { bookChecksum, formatChecksum, Ladder } from '../src/book/index.ts';
import { seededRandom, wallClock } from '../src/clock/index.ts';
import { unchecked } from '../src/domain/index.ts';
import { OPERATIONS } from '../src/protocol/index.ts';
import { type MarketDataSink, RecentKeys } from '../src/venues/base/index.ts';
import { PrintFlusher } from '../src/venues/base/prints.ts';
import { RowWriter } from '../src/venues/base/row-writer.ts';
import { VenueOrders } from '../src/venues/base/venue-orders.ts';
import { BookFeedHandler } from '../src/venues/service/market-data/book-feed-handler.ts';
import { ServiceMarketData } from '../src/venues/service/market-data/index.ts';
import { createTransport, OperationTexts, parseEndpoint } from '../src/venues/service/transport/index.ts';
import { selected } from '../test/venues/service/market-data/book-feed-harness.ts';
import { type Bench, row, sideBySide } from './harness.ts';
import type { FeedRequest } from './workload/book-feeder.ts';
import { Child } from './workload/child.ts';

const MARKETS = 200;
const PER_SECOND = 5_000;
const SECONDS = 60;
const FRAMES = 20_000;
const ROUNDS = 7;
const MICROS_PER_SECOND = 1e6;
const SILENT = { debug: () => {}, info: () => {}, warn: console.warn, error: console.error };

/** Frames of one book as bytes: a snapshot, then changes of one or two levels. */
function frames(count: number): readonly Buffer[] {
  const [ladder, random] = [new Ladder(10), seededRandom(1)];
  const made: Buffer[] = [];
  let seq = 0;
  const add = (kind: string, bids: object[], asks: object[]): void => {
    const prevSeq = String(seq);
    seq += kind === 'DELTA' ? 3 : 0;
    const checksum = formatChecksum(bookChecksum(ladder));
    const at = '2026-01-01T00:00:00.123Z';
    const marketId = selected(0).info.id;
    const orderBookUpdated = { kind, marketId, seq: String(seq), prevSeq, bids, asks, checksum, at };
    made.push(Buffer.from(JSON.stringify({ id: '17', type: 'next', payload: { data: { orderBookUpdated } } })));
  };
  const level = (side: number, step: number): object => {
    const [priceBps, shares] = [side === 0 ? 5_000 - 10 * step : 5_000 + 10 * step, 1 + random.int(500)];
    ladder.set(side, priceBps, shares * 1e6);
    return { priceBps, shares, orderCount: 2 };
  };
  const sides = [0, 1].map((side) => Array.from({ length: 50 }, (_, at) => level(side, at + 1)));
  add('SNAPSHOT', sides[0] ?? [], sides[1] ?? []);
  while (made.length <= count)
    add('DELTA', [level(0, 1 + random.int(50))], random.int(2) === 0 ? [] : [level(1, 1 + random.int(50))]);
  return made;
}

function newHandler() {
  let rows = 0;
  const orders = new VenueOrders();
  const handler = new BookFeedHandler(selected(0), {
    rows: new RowWriter({
      rows: (_block, from, to) => {
        rows += to - from;
      },
    }),
    clock: wallClock(),
    log: { error: () => {} },
    offset: { offsetMs: 0, errorMs: Number.POSITIVE_INFINITY },
    staleMs: 0,
    orders,
    trades: new RecentKeys(1),
    flusher: new PrintFlusher(orders),
    owner: {
      onBookLost: (_handler, problem) => {
        throw new Error(problem);
      },
      onFailed: (error) => {
        throw error;
      },
    },
  });
  return { handler, rows: () => rows };
}

/** Measures processor microseconds per frame, from bytes to rows and for parsing alone. */
async function bytesToRows() {
  const all = frames(FRAMES);
  const timed = (run: (text: Buffer) => void) => () => {
    const before = process.threadCpuUsage();
    for (const frame of all) run(frame);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / all.length;
  };
  return sideBySide(ROUNDS, {
    parse: timed((frame) => void JSON.parse(frame.toString())),
    rows: () => {
      const { handler, rows } = newHandler();
      handler.onBegin();
      const micros = timed((frame) =>
        handler.onBookEvent(JSON.parse(frame.toString()).payload.data.orderBookUpdated),
      )();
      if (!handler.isSynced || rows() < FRAMES) throw new Error('Invariant: the book is not synchronised');
      return micros;
    },
  });
}

type Feeder = Child<{ readonly port: number }>;

function connectTo({ ready: { port } }: Feeder) {
  return createTransport({
    endpoint: parseEndpoint({ url: `http://127.0.0.1:${port}` }),
    operations: new OperationTexts(),
    clock: wallClock(),
    random: seededRandom(1),
    log: SILENT,
  });
}

/** Measures ages of frames, and processor time, with all parts of the market data. */
async function measureLoad(feeder: Feeder) {
  const transport = connectTo(feeder);
  const ages = new Float64Array(PER_SECOND * SECONDS + MARKETS);
  let count = 0;
  const sink: MarketDataSink = {
    rows: (block) => {
      ages[count] = Date.now() - (block.tx[0] ?? 0);
      count += 1;
    },
    onLimitsChanged: () => undefined,
    onVenueChanged: () => undefined,
    onMarketFailed: (_market, fault) => {
      throw fault;
    },
    onFailed: (error) => {
      throw error;
    },
  };
  const terms = {
    mode: 'NORMAL' as const,
    minBet: unchecked.usd(0),
    maxBet: unchecked.usd(0),
    maxExposure: unchecked.usd(0),
    spreadBps: 0,
    feeRateBps: 0,
    tickBps: 10,
    maxPlaces: 20,
    maxCancels: 200,
    minHeartbeat: unchecked.duration(1),
    maxHeartbeat: unchecked.duration(2),
    maxClockSkew: unchecked.duration(3),
  };
  const data = new ServiceMarketData({ transport, terms });
  const markets = Array.from({ length: MARKETS }, (_, at) => selected(at));
  await data.start(markets, sink);
  await feeder.request({ perSecond: PER_SECOND, seconds: 3 } satisfies FeedRequest);
  count = 0;
  const before = process.cpuUsage();
  await feeder.request({ perSecond: PER_SECOND, seconds: SECONDS } satisfies FeedRequest);
  while (count < PER_SECOND * SECONDS) await new Promise((resolve) => setTimeout(resolve, 1));
  const { user, system } = process.cpuUsage(before);
  const resyncs = data.bookStates().reduce((sum, age) => sum + age.resyncs, 0);
  data.close();
  await transport.close();
  const sorted = ages.subarray(0, count).toSorted();
  const quantileAt = (share: number): number => sorted[Math.floor(share * (count - 1))] ?? 0;
  return {
    count,
    resyncs,
    p50: quantileAt(0.5),
    p99: quantileAt(0.99),
    most: quantileAt(1),
    cpuMicros: (user + system) / count,
  };
}

/** Measures processor microseconds per frame of clients that ignore frames. */
async function compareClients(feeder: Feeder) {
  const url = `ws://127.0.0.1:${feeder.ready.port}`;
  const microsPerFrame = async (subscribe: (onFrame: () => void) => () => Promise<void> | void): Promise<number> => {
    let count = 0;
    const close = subscribe(() => {
      count += 1;
    });
    while (count === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    const before = process.cpuUsage();
    await feeder.request({ perSecond: PER_SECOND, seconds: 4 } satisfies FeedRequest);
    while (count <= 4 * PER_SECOND) await new Promise((resolve) => setTimeout(resolve, 1));
    const { user, system } = process.cpuUsage(before);
    await close();
    return (user + system) / (4 * PER_SECOND);
  };
  const { text: query } = OPERATIONS.orderBookUpdated;
  return sideBySide(3, {
    ours: () =>
      microsPerFrame((next) => {
        const transport = connectTo(feeder);
        const sink = { next, onMalformed: () => undefined, onRefused: () => undefined };
        transport.subscribe(OPERATIONS.orderBookUpdated, () => ({ marketId: 'm' }), sink, { startsWithEvent: true });
        return () => transport.close();
      }),
    theirs: () =>
      microsPerFrame((next) => {
        const client = createClient({ url, webSocketImpl: WebSocket });
        const sink = { next, error: () => undefined, complete: () => undefined };
        client.subscribe({ query, variables: { marketId: 'm' } }, sink);
        return () => client.dispose();
      }),
  });
}

const bench: Bench = async () => {
  const micro = await bytesToRows();
  const feeder: Feeder = await Child.open('book-feeder.ts');
  const load = await measureLoad(feeder);
  await feeder.close();
  const second: Feeder = await Child.open('book-feeder.ts');
  const sockets = await compareClients(second);
  await second.close();
  return {
    results: [
      row('a frame, bytes to rows', micro.rows, 'us'),
      row('JSON.parse alone', micro.parse, 'us'),
      { label: `age of frames when read, ${MARKETS} markets, ${PER_SECOND}/s, p50`, value: load.p50, unit: 'ms' },
      { label: 'the same, p99', value: load.p99, unit: 'ms' },
      { label: 'the same, maximum', value: load.most, unit: 'ms' },
      { label: 'processor time per frame, including the socket', value: load.cpuMicros, unit: 'us' },
      row('the socket alone: ours', sockets.ours, 'us'),
      row('the socket alone: graphql-ws', sockets.theirs, 'us'),
    ],
    ratios: { vsGraphqlWs: sockets.theirs.median / sockets.ours.median },
    values: {
      bytesToRowsUs: micro.rows.median,
      oldestUnreadP99Ms: load.p99,
      cpuUsPerFrame: load.cpuMicros,
      coreShare: (load.cpuMicros * PER_SECOND) / MICROS_PER_SECOND,
      resyncs: load.resyncs,
    },
    notes: [
      `${load.count} frames in ${SECONDS} s. Ages are in whole milliseconds, from the time in the frame to its row.`,
      'Without a core and strategies. The feeder runs on the other processor core.',
    ],
  };
};

export default bench;
