/**
 * Measures the Polymarket adapter and server. Signing is compared with the official client, and the time from a frame
 * to an order with the service adapter. Then the bench measures ages of messages when they are read, recording, and
 * signed orders through `POST /order` of a whole server. Servers are child processes.
 */
import { type BenchReport, row, sideBySide, summarise } from './harness.ts';
import { AHEAD, CONNECTIONS, TRADERS } from './workload/order-run.ts';
import { feedAges, recordingShare } from './workload/polymarket-feed.ts';
import { PolymarketHarness } from './workload/polymarket-run.ts';
import { polymarketSigning } from './workload/polymarket-signing.ts';
import { polymarketTicks } from './workload/polymarket-tick.ts';

const ROUNDS = 5;
const ORDERS = 4_000;
/** Orders per turn. With a tenth of them, V8's compilation would be a third of the time. */
const SIGNED = 2_000;
/** Unmeasured turns: V8 recompiles code until about 60,000 orders are placed. */
const WARM_UP = 15;
const BUSY = { markets: 200, perSecond: 5_000, seconds: 30 };
/** Ten changes per second of each market. */
const RECORDED = { markets: 500, perSecond: 5_000, seconds: 30 };

export default async function polymarket(): Promise<BenchReport> {
  const signing = await polymarketSigning(SIGNED);
  const sign = await sideBySide(ROUNDS, { ours: signing.ours, client: signing.client });
  const feed = await feedAges(BUSY);
  const recording = await recordingShare(RECORDED);
  const harness = await PolymarketHarness.open();
  try {
    for (let turn = 0; turn < WARM_UP; turn += 1) await harness.run(ORDERS);
    const rates = [];
    for (let turn = 0; turn < ROUNDS; turn += 1) rates.push(await harness.run(ORDERS));
    const main = summarise(rates.map(({ byMain }) => byMain));
    const all = summarise(rates.map(({ byAll }) => byAll));
    const clock = summarise(rates.map(({ byClock }) => byClock));
    // This comes last, because it binds this process to one core.
    const ticks = await polymarketTicks(ROUNDS);
    return {
      results: [
        row('sign an order', sign.ours, 'us'),
        row('sign an order, official client', sign.client, 'us'),
        row('frame to signed order', ticks.polymarket.signed, 'us'),
        row('frame to signed order, service', ticks.service.signed, 'us'),
        row('frame to order written', ticks.polymarket.written, 'us'),
        row('frame to order written, service', ticks.service.written, 'us'),
        { label: 'age of messages when read, p50', value: feed.p50, unit: 'ms' },
        { label: 'the same, p99', value: feed.p99, unit: 'ms' },
        { label: 'the same, maximum', value: feed.most, unit: 'ms' },
        { label: 'processor time per message', value: feed.cpuMicros, unit: 'us' },
        { label: 'recording', value: 100 * recording, unit: '% of a core' },
        row('POST /order', main, 'orders/main thread s'),
        row('POST /order, all threads', all, 'orders/core s'),
        row('POST /order, by the clock', clock, 'orders/s'),
      ],
      ratios: {
        signVsOfficialClient: sign.client.median / sign.ours.median,
        tickToOrderVsService: ticks.polymarket.signed.median / ticks.service.signed.median,
        tickToWrittenVsService: ticks.polymarket.written.median / ticks.service.written.median,
      },
      values: {
        oldestFrameP99Ms: feed.p99,
        recordingCoreShare: recording,
        ordersPerSecond: all.median,
        ordersPerMainSecond: main.median,
        ordersPerSecondByClock: clock.median,
      },
      notes: [
        "frames and orders: from the bytes of a book's change to the bytes of the signed order in the log, in turns; both bots have the default warm-up",
        "written: Polymarket needs a new request with an HMAC through Node's HTTP client, the service a frame on an open socket",
        `ages: ${BUSY.markets} markets, ${BUSY.perSecond} price_change messages/s with both tokens in each, in whole ms`,
        `recording: ${RECORDED.markets} markets, ${RECORDED.perSecond} such messages/s, user and system, all threads of \`halfspread record polymarket\``,
        `signed before each turn of ${ORDERS}, by ${TRADERS} accounts that trade with each other, ${CONNECTIONS} connections, ${AHEAD} in flight on each`,
        'each order has its own L2 signature; every response reports success, after the order was durable (SQLite, FULL)',
        'ordersPerSecond is per second of processor time of the server process, user and system, all threads',
      ],
    };
  } finally {
    await harness.close();
  }
}
