/**
 * Measures hashing, signing and verifying of orders, compared with viem, in one process. Runs alternate. First the
 * bench checks that both give the same bytes.
 *
 * The figure is processor time, because no step waits for anything. Verification starts from the wire form (ours) or
 * from prepared typed data (viem's, which has less to do).
 */
import { type BenchReport, row, sideBySide } from './harness.ts';
import {
  assertSameBytes,
  ours,
  type SignedCase,
  type SigningHarness,
  signingHarness,
  viems,
} from './workload/signing-run.ts';

const ROUNDS = 7;
const ORDERS = 200;
/** Passes of our code per turn, so that a turn is long enough to compare with the peer's. */
const PASSES = { hash: 40, sign: 5, recover: 5 } as const;
/** Number of orders for the slower fallback. */
const FEW = 100;

export default async function signing(): Promise<BenchReport> {
  const native = await signingHarness(ORDERS, 'native');
  const javascript = await signingHarness(FEW, 'javascript');
  for (const harness of [native, javascript]) await assertSameBytes(harness);

  const hash = await sideBySide(ROUNDS, {
    ours: () => micros(native, ours.hash, PASSES.hash),
    viem: () => micros(native, viems.hash, 1),
  });
  const sign = await sideBySide(ROUNDS, {
    ours: () => micros(native, ours.sign, PASSES.sign),
    javascript: () => micros(javascript, ours.sign, 1),
    viem: () => asyncMicros(native, viems.sign),
  });
  const recover = await sideBySide(ROUNDS, {
    ours: () => micros(native, ours.recover, PASSES.recover),
    javascript: () => micros(javascript, ours.recover, 1),
    viem: () => asyncMicros(native, viems.recover),
  });
  return {
    results: [
      row('hash an order', hash.ours, 'us'),
      row('hash an order, viem', hash.viem, 'us'),
      row('hash and sign', sign.ours, 'us'),
      row('hash and sign, JavaScript', sign.javascript, 'us'),
      row('hash and sign, viem', sign.viem, 'us'),
      row('read, hash and recover', recover.ours, 'us'),
      row('read, hash and recover, JavaScript', recover.javascript, 'us'),
      row('hash and recover, viem', recover.viem, 'us'),
    ],
    ratios: {
      hashVsViem: hash.viem.median / hash.ours.median,
      signVsViem: sign.viem.median / sign.ours.median,
      recoverVsViem: recover.viem.median / recover.ours.median,
      signPackageVsViem: sign.viem.median / sign.ours.median,
      recoverPackageVsViem: recover.viem.median / recover.ours.median,
      recoverJavascriptVsViem: recover.viem.median / recover.javascript.median,
    },
    values: {
      hashUs: hash.ours.median,
      signUs: sign.ours.median,
      recoverUs: recover.ours.median,
      signPackageUs: sign.ours.median,
      recoverPackageUs: recover.ours.median,
      signJavascriptUs: sign.javascript.median,
      recoverJavascriptUs: recover.javascript.median,
      hashViemUs: hash.viem.median,
      signViemUs: sign.viem.median,
      recoverViemUs: recover.viem.median,
    },
    notes: [
      'processor time of all threads of the process, without time in which other processes run',
      `${ORDERS} different orders; ours and viem (signTypedData, recoverTypedDataAddress) give the same bytes, which is checked first and again for each order`,
      'ours starts from the message to sign, or from the wire form to verify; viem starts from prepared typed data',
      `ours: ${native.backend}; JavaScript: @noble/curves, the fallback without native code`,
    ],
  };
}

type Timed<Result> = (harness: SigningHarness, each: SignedCase) => Result;

/** Measures processor microseconds per order. */
function micros(harness: SigningHarness, once: Timed<boolean>, passes: number): number {
  let correct = 0;
  const before = process.cpuUsage();
  for (let pass = 0; pass < passes; pass++) for (const each of harness.cases) correct += once(harness, each) ? 1 : 0;
  return perOrder(before, correct, passes * harness.cases.length);
}

/** As `micros`, for an asynchronous function. */
async function asyncMicros(harness: SigningHarness, once: Timed<Promise<boolean>>): Promise<number> {
  let correct = 0;
  const before = process.cpuUsage();
  for (const each of harness.cases) correct += (await once(harness, each)) ? 1 : 0;
  return perOrder(before, correct, harness.cases.length);
}

function perOrder(before: NodeJS.CpuUsage, correct: number, count: number): number {
  const { user, system } = process.cpuUsage(before);
  if (correct !== count) throw new Error(`Invariant: ${count - correct} of ${count} results are wrong`);
  return (user + system) / count;
}
