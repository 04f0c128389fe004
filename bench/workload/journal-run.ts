/** Runs the exchange with its journal, and recovers it. */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { DurableExchange, Exchange, type ExchangeCommand, recover } from '../../src/exchange/index.ts';
import { SqliteStore } from '../../src/store/index.ts';
import { createExchange, EXCHANGE_OPTIONS, FlowCommands, openingCommands } from './journal-harness.ts';
import type { OrderFlow } from './order-flow.ts';

/** Commands per batch, as on a busy venue. */
export const BATCH = 8_000;
const DATABASE = 'journal.db';

/** Results of a run. */
export interface JournalRun {
  /** Time of the operations after the opening until the last one is durable, ms. */
  readonly elapsedMs: number;
  readonly hash: string;
  /** Number of the last record. */
  readonly records: number;
  readonly bytes: number;
  /** Number of commits of the operations. */
  readonly batches: number;
  /** Maximum pause caused by the snapshot at the end, ms. */
  readonly snapshotMs: number;
}

/** Creates or empties a folder. */
export function emptyFolder(folder: string): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * Runs a flow into a new journal.
 * @param folder an empty folder on the measured disk
 * @param isSigned whether orders have digests
 * @param snapshotAt whether to take a snapshot after the orders that fill the book, or at the end
 */
export async function journalFlow(
  folder: string,
  flow: OrderFlow,
  { isSigned, snapshotAt }: { readonly isSigned: boolean; readonly snapshotAt: 'opening' | 'end' },
): Promise<JournalRun> {
  const store = SqliteStore.open({ file: join(folder, DATABASE) });
  const { journal } = store;
  const machine = createExchange();
  const exchange = new DurableExchange({ machine, journal });
  const run = new BatchRun(exchange);
  for (const command of openingCommands()) run.apply(command);
  const commands = new FlowCommands(flow, { isSigned });
  for (let row = 0; row < flow.opening; row++) {
    run.apply(commands.command(row));
    if (row % BATCH === 0) await run.commit();
  }
  if (snapshotAt === 'opening') exchange.snapshot();
  await run.commit();
  let batches = 0;
  const start = performance.now();
  for (let row = flow.opening; row < flow.length; batches++) {
    for (const end = Math.min(row + BATCH, flow.length); row < end; row++) run.apply(commands.command(row));
    await run.commit();
  }
  const elapsedMs = performance.now() - start;
  if (run.refusals > 0) throw new Error(`Invariant: ${run.refusals} rows of the flow were refused`);
  const before = performance.now();
  if (snapshotAt === 'end') exchange.snapshot();
  const snapshotMs = performance.now() - before;
  // Closing a store discards an incomplete snapshot.
  while (snapshotAt === 'end' && journal.snapshots[0] !== journal.last) await new Promise(setImmediate);
  await store.close();
  const hash = machine.stateHash();
  const bytes = sumFileBytes(folder, DATABASE);
  return { elapsedMs, hash, records: journal.last, bytes, batches, snapshotMs };
}

/** Applies commands and commits them in batches. */
export class BatchRun {
  refusals = 0;
  readonly #exchange: DurableExchange;

  constructor(exchange: DurableExchange) {
    this.#exchange = exchange;
  }

  apply(command: ExchangeCommand): void {
    if (this.#exchange.apply(command).isRefused) this.refusals += 1;
  }

  /** Resolves when all applied commands are durable. */
  commit(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#exchange.commit((fault) => (fault === undefined ? resolve() : reject(fault)));
    });
  }
}

/** Opens a journal, recovers the exchange, and measures the time of both. */
export async function recovery(folder: string) {
  const start = performance.now();
  const store = SqliteStore.open({ file: join(folder, DATABASE) });
  const restore = (reader: Parameters<typeof Exchange.restore>[0]) => Exchange.restore(reader, EXCHANGE_OPTIONS);
  const recovered = recover({ journal: store.journal, createNew: createExchange, restore });
  const elapsedMs = performance.now() - start;
  const [newest] = store.journal.snapshots;
  const { pieces } = newest === undefined ? { pieces: [] } : store.journal.readSnapshot(newest);
  const snapshotBytes = pieces.reduce((sum, { length }) => sum + length, 0);
  await store.close();
  return { ...recovered, elapsedMs, snapshotBytes };
}

/** Returns the bytes of the files whose names start with a prefix. */
export function sumFileBytes(folder: string, prefix: string): number {
  const names = readdirSync(folder).filter((name) => name.startsWith(prefix));
  return names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
