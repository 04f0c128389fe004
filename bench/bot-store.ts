/**
 * Measures the time to store the step and the signed orders of a requote in a bot's file before they are sent. Also
 * measures the time of recovery. Files are under bench/out.
 */
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { microUsd, unchecked } from '../src/domain/index.ts';
import { createRiskGate, riskLimits, riskSchema } from '../src/risk/index.ts';
import { recover, StrategyAssignments } from '../src/runtime/index.ts';
import { AccountState } from '../src/state/index.ts';
import { BotStore } from '../src/store/index.ts';
import { type Bench, elapsedMs, medianOf, quantile, row, summarise } from './harness.ts';
import { BotTrader, MARKETS, setups } from './workload/bot-trader.ts';

const FOLDER = join(import.meta.dirname, 'out', 'bot-store');
const REQUOTES = 8_000;
/** Steps in the file for a recovery. */
const STEPS = 100_000;
const PARTS = ['requote', 'answer', 'tables'] as const;
type Part = (typeof PARTS)[number];

const bench: Bench = async () => {
  const runs: Record<Part, number[][]> = { requote: [], answer: [], tables: [] };
  let logMb = 0;
  for (let run = -1; run < 3; run += 1) {
    const { store, trader, file } = openBot(20_000);
    const times: Record<Part, number[]> = { requote: [], answer: [], tables: [] };
    for (let turn = 0; turn < REQUOTES; turn += 1) {
      const { decided, records, answered } = trader.requote();
      const requoteMs = elapsedMs(() => {
        store.appendDeferred([decided]);
        store.addSigned(records);
      });
      times.requote.push(1_000 * requoteMs);
      times.answer.push(1_000 * elapsedMs(() => store.append([answered])));
      // As in a live bot, the event loop runs between frames, updates tables and reads the checkpoint thread.
      const start = performance.now();
      await setImmediate();
      times.tables.push(1_000 * (performance.now() - start));
    }
    logMb = Math.max(logMb, statSync(`${file}-wal`).size / 1e6);
    await store.close(1);
    if (run < 0) continue;
    for (const part of PARTS) runs[part].push(times[part]);
  }
  const summariseQuantile = (part: Part, share: number) =>
    summarise(runs[part].map((values) => quantile(values, share)));
  const requote = summariseQuantile('requote', 0.5);
  const withSnapshots = await medianOf(3, () => recoverySeconds(20_000), { warmUp: 0 });
  const withoutSnapshots = await medianOf(3, () => recoverySeconds(10_000_000), { warmUp: 0 });
  rmSync(FOLDER, { recursive: true });
  return {
    results: [
      row('step and two signed orders stored, before they are sent: p50', requote, 'µs'),
      row('  p99', summariseQuantile('requote', 0.99), 'µs'),
      row('  p99.9', summariseQuantile('requote', 0.999), 'µs'),
      row('the answer stored: p50', summariseQuantile('answer', 0.5), 'µs'),
      row('both in the tables, at the end of the turn: p50', summariseQuantile('tables', 0.5), 'µs'),
      row('  p99', summariseQuantile('tables', 0.99), 'µs'),
      row('  p99.9', summariseQuantile('tables', 0.999), 'µs'),
      { label: 'maximum size of the write-ahead log', value: logMb, unit: 'MB' },
      row(`recovery after ${STEPS} steps with snapshots`, withSnapshots, 's'),
      row(`recovery after ${STEPS} steps without snapshots`, withoutSnapshots, 's'),
    ],
    ratios: {},
    values: {
      requoteP50Us: requote.median,
      requoteP99Us: summariseQuantile('requote', 0.99).median,
      tablesP50Us: summariseQuantile('tables', 0.5).median,
      recoverySeconds: withSnapshots.median,
    },
    notes: [
      `${MARKETS} markets quoted in turns; one system call for the log, then the tables (WAL, synchronous NORMAL)`,
    ],
  };
};
export default bench;

/** Creates a bot's file and a trader that writes to it. */
function openBot(snapshotEvery: number) {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const file = join(FOLDER, 'bot.db');
  const store = BotStore.open({ file, name: 'bench', spec: '{}', snapshotEvery });
  const account = new AccountState({ cash: microUsd(1_000_000_000_000), markets: setups() });
  const risk = createRiskGate(riskLimits(riskSchema.parse({})));
  const trader = new BotTrader(account);
  const snapshot = () => ({
    seq: unchecked.seq(trader.seq - 1),
    rows: trader.seq,
    nextOrder: unchecked.order(trader.nextOrder),
    account: account.snapshot(),
    risk: risk.snapshot(),
    roster: new StrategyAssignments().entries,
  });
  store.setSource({ account, risk: () => risk.snapshot(), snapshot }, 1);
  return { store, trader, file };
}

/** Measures seconds from opening the file of a killed process to its recovered state. */
async function recoverySeconds(snapshotEvery: number): Promise<number> {
  const { store, trader, file } = openBot(snapshotEvery);
  for (let turn = 0; turn < STEPS / 2; turn += 1) {
    const { decided, records, answered } = trader.requote();
    store.append([decided]);
    store.addSigned(records);
    store.append([answered]);
    if (turn % 200 === 0) await setImmediate();
  }
  const start = performance.now();
  const reopened = BotStore.open({ file, name: 'bench', spec: '{}' });
  const run = reopened.storedRun();
  if (run === undefined) throw new Error('Invariant: the file has no snapshot');
  const { state } = recover(run);
  reopened.unfinishedOrders();
  const seconds = (performance.now() - start) / 1_000;
  if (state.openOrderCount !== 2 * MARKETS) throw new Error(`${state.openOrderCount} orders are open after recovery`);
  await reopened.close(1);
  await store.close(1);
  return seconds;
}
