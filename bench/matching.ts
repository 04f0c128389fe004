/**
 * Measures the matching core, compared with `nodejs-order-book` on the same operations in one process. Runs alternate.
 *
 * Ratios depend on the book's shape, because the peer searches a level for each order that closes. Therefore the table
 * has two shapes. First the bench checks that both give the same levels.
 */
import { type BenchReport, medianOf, row, sideBySide } from './harness.ts';
import { coreNanos, coreOutcome } from './workload/core-run.ts';
import { assertSameWork, type FlowShape, MAIN_SHAPE, type OrderFlow, orderFlow } from './workload/order-flow.ts';
import { peerNanos, peerOutcome } from './workload/peer-run.ts';

const ROUNDS = 5;
/** Passes of our code per turn. One pass is too short to compare with the peer's seconds. */
const PASSES = 20;
const MILLION = 1_000_000;
/** Every price is used, so that levels are short, the best case of the peer. */
const WIDE: FlowShape = { ...MAIN_SHAPE, tickBps: 1, meanDistanceTicks: 200 };
/** About 2,000 levels with 500 orders each: most orders are not in the processor's caches. */
const DEEP: FlowShape = { ...MAIN_SHAPE, tickBps: 1, meanDistanceTicks: 110, openOrders: MILLION };

export default async function matching(): Promise<BenchReport> {
  const flow = orderFlow(MAIN_SHAPE);
  // The first run in this process, before any code is compiled.
  const cold = coreNanos(flow);
  const wideFlow = orderFlow(WIDE);
  const done = coreOutcome(flow);
  const wideDone = coreOutcome(wideFlow);
  assertSameWork(done, peerOutcome(flow));
  assertSameWork(wideDone, peerOutcome(wideFlow));

  const main = await sideBySide(ROUNDS, { ours: () => meanNanos(flow), peer: () => peerNanos(flow) });
  const wide = await sideBySide(3, { ours: () => meanNanos(wideFlow), peer: () => peerNanos(wideFlow) }, { warmUp: 0 });
  const fourHundred = await coreAt({ ...MAIN_SHAPE, openOrders: 400 });
  const hundredThousand = await coreAt({ ...MAIN_SHAPE, openOrders: 100_000 });
  const large = await coreAt({ ...MAIN_SHAPE, maxShares: 5000 });
  const deep = await coreAt(DEEP);
  const long = await coreAt({ ...MAIN_SHAPE, operations: 10 * MILLION });

  return {
    results: [
      row('core', main.ours, 'ns/op'),
      row('nodejs-order-book', main.peer, 'ns/op'),
      { label: 'core, first run of the process', value: cold, unit: 'ns/op' },
      row('core, 10M operations', long, 'ns/op'),
      row('core, 400 open orders', fourHundred, 'ns/op'),
      row('core, 100,000 open orders', hundredThousand, 'ns/op'),
      row('core, 1,000,000 open orders', deep, 'ns/op'),
      row('core, sizes up to 5,000 shares', large, 'ns/op'),
      row('core, wide book', wide.ours, 'ns/op'),
      row('nodejs-order-book, wide book', wide.peer, 'ns/op'),
    ],
    ratios: {
      vsNodejsOrderBook: main.peer.median / main.ours.median,
      vsNodejsOrderBookWide: wide.peer.median / wide.ours.median,
    },
    values: {
      nsPerOp: main.ours.median,
      nsPerOpCold: cold,
      nsPerOpOver10M: long.median,
      nsPerOpAt400: fourHundred.median,
      nsPerOpAt100k: hundredThousand.median,
      nsPerOpDeep: deep.median,
      nsPerOpPeer: main.peer.median,
      openOrders: done.open,
      fills: done.fills,
    },
    notes: [
      `1M operations: 48 % adds, 42 % cancels of a random order, 10 % crossing; ${done.fills} fills, ${done.open} open at the end`,
      `book: tick 10 bps, orders 40 ticks from the middle on average, ${done.ladder.length} levels; wide: tick 1, 200 ticks, ${wideDone.ladder.length} levels`,
      `figures with the peer are means of ${PASSES} passes of ours and one pass of the peer, in turns`,
      'both give the same fills, volume, open orders and levels, which the bench checks',
      'sizes are 1 to 1,000 shares; above 2,147 (2^31 micro-shares), V8 boxes the number at each call, so 5,000 has its own row',
      'not included: owners, accounts, reserves, signatures, journal; the sink counts events and drops them',
    ],
  };
}

function meanNanos(flow: OrderFlow): number {
  let sum = 0;
  for (let pass = 0; pass < PASSES; pass++) sum += coreNanos(flow);
  return sum / PASSES;
}

async function coreAt(shape: FlowShape) {
  const flow = orderFlow(shape);
  return medianOf(3, () => coreNanos(flow));
}
