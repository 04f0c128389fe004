/**
 * Measures the whole exchange on one sequence of operations, compared with `nodejs-order-book` and with our own bare
 * book. Both lack accounts, reserves, limits and events. Runs alternate, each in its own thread. A deep book and many
 * accounts follow.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { type BenchReport, medianOf, row, sideBySide } from './harness.ts';
import { FlowRunner } from './workload/flow-runner.ts';
import { assertSameWork, type FlowShape, MAIN_SHAPE, orderFlow } from './workload/order-flow.ts';

const ROUNDS = 5;
/** Passes of our code per turn. One pass is too short to compare with the peer's seconds. */
const PASSES = 10;
const MILLION = 1_000_000;
/** 1,999 levels and a million resting orders. */
const DEEP: FlowShape = { ...MAIN_SHAPE, openOrders: MILLION, tickBps: 5, meanDistanceTicks: 300 };

/** The output of workload/many-accounts.ts. */
interface ManyAccounts {
  readonly peakRssMb: number;
  readonly p50Us: number;
  readonly p9999Us: number;
  readonly maxUs: number;
  readonly openOrders: number;
  readonly openMs: number;
  /** Operations with a context switch, which are not counted. */
  readonly interrupted: number;
}

export default async function exchange(): Promise<BenchReport> {
  // Higher than in the program, because a command passes through about fifty small functions.
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=6000');
  setFlagsFromString('--max-inlined-bytecode-size=2000');
  const flow = orderFlow(MAIN_SHAPE);
  const [ours, core, peer] = await Promise.all([
    FlowRunner.open('exchange'),
    FlowRunner.open('core'),
    FlowRunner.open('peer'),
  ]);
  await Promise.all([ours, core, peer].map((runner) => runner.setFlow(flow)));
  const cold = await ours.nanos();
  const outcome = await ours.outcome();
  assertSameWork(outcome, await core.outcome());
  assertSameWork(outcome, await peer.outcome());

  const main = await sideBySide(ROUNDS, {
    ours: () => ours.nanos(PASSES),
    core: () => core.nanos(PASSES),
    peer: () => peer.nanos(),
  });
  await peer.close();
  const fees = await medianOf(3, () => ours.nanos(1, 100));
  await ours.setFlow(orderFlow({ ...MAIN_SHAPE, operations: 10 * MILLION }));
  const over10M = await medianOf(3, () => ours.nanos());
  const deepFlow = orderFlow(DEEP);
  await ours.setFlow(deepFlow);
  await core.setFlow(deepFlow);
  const deep = await sideBySide(ROUNDS, { ours: () => ours.nanos(), core: () => core.nanos() });
  await Promise.all([ours.close(), core.close()]);
  const manyAccounts = runManyAccounts();

  return {
    results: [
      row('exchange', main.ours, 'ns/op'),
      row('bare core', main.core, 'ns/op'),
      row('nodejs-order-book', main.peer, 'ns/op'),
      { label: 'exchange, first run of the process', value: cold, unit: 'ns/op' },
      row('exchange, with a fee', fees, 'ns/op'),
      row('exchange, 10M operations', over10M, 'ns/op'),
      row('exchange, deep book', deep.ours, 'ns/op'),
      row('bare core, deep book', deep.core, 'ns/op'),
      { label: 'many accounts, p50', value: manyAccounts.p50Us, unit: 'us' },
      { label: 'many accounts, p99.99', value: manyAccounts.p9999Us, unit: 'us' },
      { label: 'many accounts, longest', value: manyAccounts.maxUs, unit: 'us' },
      { label: 'many accounts, peak memory', value: manyAccounts.peakRssMb, unit: 'MB' },
    ],
    ratios: {
      vsNodejsOrderBook: main.peer.median / main.ours.median,
      vsCore: main.ours.median / main.core.median,
      deepVsShallow: deep.ours.median / main.ours.median,
      deepVsShallowAlone: deep.ours.median / main.ours.median,
    },
    values: {
      nsPerOp: main.ours.median,
      nsPerOpCold: cold,
      nsPerOpOver10M: over10M.median,
      nsPerOpWithFee: fees.median,
      nsPerOpDeep: deep.ours.median,
      nsPerOpDeepAlone: deep.ours.median,
      nsPerOpCore: main.core.median,
      nsPerOpPeer: main.peer.median,
      crowdPeakRssMb: manyAccounts.peakRssMb,
      crowdP9999Us: manyAccounts.p9999Us,
    },
    notes: [
      `the operations of bench/matching.ts (${outcome.fills} fills, ${outcome.open} open at the end), of 1,000 accounts with cash and shares; all three give the same fills, volume and levels`,
      `figures with the peer are means of ${PASSES} passes of ours and one pass of the peer, in turns, each in its own thread`,
      'the exchange does all checks, reserves, positions, P&L, collateral and events; the sink counts events and drops them',
      `deep: ${DEEP.openOrders.toLocaleString('en-US')} open orders on 1,999 levels`,
      `many accounts: 10,000 markets, 100,000 accounts, ${manyAccounts.openOrders.toLocaleString('en-US')} open orders at the end, 2M operations timed one by one in a separate process, without ${manyAccounts.interrupted} that another process interrupted`,
      'not included: decoding, signatures, identities, journal',
    ],
  };
}

/** Runs in a child process, because the peak memory of a process never falls. */
function runManyAccounts(): ManyAccounts {
  const flags = ['--max-inlined-bytecode-size-cumulative=6000', '--max-inlined-bytecode-size=2000'];
  const program = join(import.meta.dirname, 'workload', 'many-accounts.ts');
  return JSON.parse(execFileSync(process.execPath, [...flags, program], { encoding: 'utf8' }));
}
