/**
 * Times each command of an exchange with 10,000 markets, 100,000 accounts and a million open orders. HOT:
 * bench/exchange.ts runs this program in a child process, because peak memory never falls.
 */
import { performance } from 'node:perf_hooks';
import { seededRandom } from '../../src/clock/index.ts';
import { SHARE, unchecked } from '../../src/domain/index.ts';
import { ORDER_KINDS } from '../../src/exchange/index.ts';
import { elapsedMs, peakRssMb } from '../harness.ts';
import { CountingSink, newExchange, reusedCancel, reusedPlace } from './exchange-harness.ts';

const MARKETS = 10_000;
const ACCOUNTS = 100_000;
const OPEN = 1_000_000;
const OPERATIONS = 2_000_000;
/** Markets per account. */
const MARKETS_EACH = 4;
/** One of this many operations is a take. The others place or cancel. */
const OPERATIONS_PER_TAKE = 10;

const random = seededRandom(7);
const capacity = { orders: OPEN + 100_000, holdings: ACCOUNTS * MARKETS_EACH, markets: MARKETS };
const shape = { accounts: ACCOUNTS, markets: MARKETS, tickBps: 10, feeRateBps: 0, dollars: 1000, capacity };
const exchange = newExchange(shape);
const sink = new CountingSink();
const places = [0, 2].map((kind) => ({ ...reusedPlace(), ...(ORDER_KINDS[kind] ?? {}) }));
const cancel = reusedCancel();

/** Places a BUY of YES or NO. Only a take crosses the middle. */
function place(account: number, isTake: boolean): void {
  const command = places[random.int(2)]!;
  command.account = unchecked.account(account);
  command.market = unchecked.market((account * 7 + random.int(MARKETS_EACH) * 2503) % MARKETS);
  command.price = unchecked.price(isTake ? 5100 : 10 * (100 + random.int(390)));
  command.shares = unchecked.shares((1 + random.int(isTake ? 10 : 5)) * SHARE);
  command.timeInForce = isTake ? 'FAK' : 'GTC';
  exchange.apply(command, sink);
}

/** Returns the number of involuntary context switches of this process. */
function contextSwitches(): number {
  return process.resourceUsage().involuntaryContextSwitches;
}

const openMs = elapsedMs(() => {
  for (let order = 0; order < OPEN; order++) place(1 + random.int(ACCOUNTS), false);
});
const elapsedUs = new Float64Array(OPERATIONS);
let measured = 0;
let before = contextSwitches();
for (let at = 0; at < OPERATIONS; at++) {
  const start = performance.now();
  if (at % OPERATIONS_PER_TAKE === 0) place(1 + random.int(ACCOUNTS), true);
  else if (at % 2 === 0) place(1 + random.int(ACCOUNTS), false);
  else {
    const order = 1 + random.int(exchange.view.orderCount);
    cancel.account = unchecked.account(exchange.view.ownerOf(order));
    cancel.orders[0] = unchecked.order(order);
    exchange.apply(cancel, sink);
  }
  const us = 1000 * (performance.now() - start);
  const after = contextSwitches();
  // Operations during which another process ran are not counted.
  if (after === before) elapsedUs[measured++] = us;
  before = after;
}
const sorted = elapsedUs.subarray(0, measured).sort();
const openOrders = exchange.view.openOrderCount;
const [p9999Us, maxUs] = [sorted[Math.floor(0.9999 * measured)], sorted[measured - 1]];
const interrupted = OPERATIONS - measured;
const figures = {
  peakRssMb: peakRssMb(),
  p50Us: sorted[Math.floor(measured / 2)],
  p9999Us,
  maxUs,
  openOrders,
  interrupted,
  openMs,
};
console.log(JSON.stringify(figures));
