/**
 * A bot's file on the disk: what it costs on the way of a requote to have the step and the signed orders in it before they
 * are sent, and how long the way back takes. Files lie under bench/out.
 */
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { counted, microUsd } from '../src/domain/index.ts';
import { createRiskGate, riskLimits, riskSchema } from '../src/risk/index.ts';
import { Roster, recover } from '../src/runtime/index.ts';
import { AccountState } from '../src/state/index.ts';
import { BotStore } from '../src/store/index.ts';
import { type Bench, elapsedMs, medianOf, row, summarise } from './harness.ts';
import { BotTrader, MARKETS, setups } from './workload/bot-trader.ts';

const FOLDER = join(import.meta.dirname, 'out', 'bot-store');
const REQUOTES = 20_000;
const MONTH = 100_000;

const bench: Bench = async () => {
  const [middle, late, latest]: [number[], number[], number[]] = [[], [], []];
  let logMb = 0;
  const signed = await medianOf(3, async () => {
    const { store, trader, file } = opened(20_000);
    const times: number[] = [];
    const signing: number[] = [];
    for (let turn = 0; turn < REQUOTES; turn += 1) {
      const { decided, records, answered } = trader.requote();
      times.push(1_000 * elapsedMs(() => store.append([decided])));
      signing.push(1_000 * elapsedMs(() => store.signed(records)));
      times.push(1_000 * elapsedMs(() => store.append([answered])));
      // As in life, the loop turns between frames: the checkpoint's thread is heard.
      if (turn % 20 === 0) await setImmediate();
    }
    logMb = Math.max(logMb, statSync(`${file}-wal`).size / 1e6);
    await store.close(1);
    times.sort((a, b) => a - b);
    middle.push(at(times, 0.5));
    late.push(at(times, 0.99));
    latest.push(at(times, 0.999));
    return at(
      signing.toSorted((a, b) => a - b),
      0.5,
    );
  });
  const tail = await medianOf(3, () => backAfter(20_000), { warmUp: 0 });
  const all = await medianOf(3, () => backAfter(10_000_000), { warmUp: 0 });
  rmSync(FOLDER, { recursive: true });
  const [p50, p99, p999] = [summarise(middle), summarise(late), summarise(latest)];
  return {
    results: [
      row('append, half of them a replace of two orders, half its answer: p50', p50, 'µs'),
      row('the same: p99', p99, 'µs'),
      row('the same: p99.9', p999, 'µs'),
      row('two signed orders: p50', signed, 'µs'),
      { label: 'log beside the database, at most', value: logMb, unit: 'MB' },
      row(`back after ${MONTH} steps with snapshots`, tail, 's'),
      row(`back after ${MONTH} steps without one`, all, 's'),
    ],
    ratios: {},
    values: { appendP50Us: p50.median, appendP99Us: p99.median, recoverySeconds: tail.median },
    notes: [
      `${MARKETS} markets quoted in turns; every transaction acknowledged before the next (WAL, synchronous NORMAL)`,
    ],
  };
};
export default bench;

function at(sorted: readonly number[], part: number): number {
  return sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN;
}

function opened(snapshotEvery: number) {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const file = join(FOLDER, 'bot.db');
  const store = BotStore.open({ file, name: 'bench', spec: '{}', snapshotEvery });
  const account = new AccountState({ cash: microUsd(1_000_000_000_000), markets: setups() });
  const risk = createRiskGate(riskLimits(riskSchema.parse({})));
  const trader = new BotTrader(account);
  const snapshot = () => ({
    seq: counted.seq(trader.seq - 1),
    rows: trader.seq,
    nextOrder: counted.order(trader.nextOrder),
    account: account.snapshot(),
    risk: risk.snapshot(),
    roster: new Roster().entries,
  });
  store.follow({ account, risk: () => risk.snapshot(), snapshot }, 1);
  return { store, trader, file };
}

/** Seconds from opening the file of a process that was killed to where it was. */
async function backAfter(snapshotEvery: number): Promise<number> {
  const { store, trader, file } = opened(snapshotEvery);
  for (let turn = 0; turn < MONTH / 2; turn += 1) {
    const { decided, records, answered } = trader.requote();
    store.append([decided]);
    store.signed(records);
    store.append([answered]);
    if (turn % 200 === 0) await setImmediate();
  }
  const start = performance.now();
  const again = BotStore.open({ file, name: 'bench', spec: '{}' });
  const run = again.stored();
  if (run === undefined) throw new Error('there is a snapshot');
  const { state } = recover(run);
  again.unsettled();
  const seconds = (performance.now() - start) / 1_000;
  if (state.openOrders !== 2 * MARKETS) throw new Error(`${state.openOrders} orders are open after recovery`);
  await again.close(1);
  await store.close(1);
  return seconds;
}
