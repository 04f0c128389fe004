/**
 * Polymarket: signed orders through `POST /order` of the dialect of a whole server, which is a process of its own, and signing an
 * order for it against the official client.
 */
import { type BenchReport, row, sideBySide, summarise } from './harness.ts';
import { AHEAD, CONNECTIONS, TRADERS } from './workload/order-run.ts';
import { PolymarketStage } from './workload/polymarket-run.ts';
import { polymarketSigning } from './workload/polymarket-signing.ts';

const ROUNDS = 5;
const ORDERS = 4_000;
const SIGNED = 300;
/** Turns that go by: what V8 compiles meanwhile is compiled by then. */
const WARM_UP = 6;

export default async function polymarket(): Promise<BenchReport> {
  const signing = await polymarketSigning(SIGNED);
  const sign = await sideBySide(ROUNDS, { ours: signing.ours, client: signing.client });
  const stage = await PolymarketStage.open();
  try {
    for (let turn = 0; turn < WARM_UP; turn += 1) await stage.run(ORDERS);
    const rates = [];
    for (let turn = 0; turn < ROUNDS; turn += 1) rates.push(await stage.run(ORDERS));
    const main = summarise(rates.map(({ byMain }) => byMain));
    const all = summarise(rates.map(({ byAll }) => byAll));
    const clock = summarise(rates.map(({ byClock }) => byClock));
    return {
      results: [
        row('sign an order', sign.ours, 'us'),
        row('sign an order, official client', sign.client, 'us'),
        row('POST /order', main, 'orders/main thread s'),
        row('POST /order, all threads', all, 'orders/core s'),
        row('POST /order, by the clock', clock, 'orders/s'),
      ],
      ratios: { signVsOfficialClient: sign.client.median / sign.ours.median },
      values: { ordersPerSecond: all.median, ordersPerMainSecond: main.median, ordersPerSecondByClock: clock.median },
      notes: [
        `signed before each turn of ${ORDERS}, by ${TRADERS} accounts that trade with each other, ${CONNECTIONS} connections, ${AHEAD} in flight on each`,
        'each order has its own L2 signature; every answer says success, after the order was durable (SQLite, FULL)',
        'ordersPerSecond is a second of processor time of the server process, user and system, all of its threads',
      ],
    };
  } finally {
    await stage.close();
  }
}
