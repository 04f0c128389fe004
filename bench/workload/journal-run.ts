/** The exchange behind its journal: what it keeps a second, and how fast it comes back. */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import {
  ExchangeMachine,
  type Journal,
  JournaledExchange,
  type Recovery,
  recover,
  type Snapshot,
} from '../../src/exchange/index.ts';
import { SqliteStore } from '../../src/store/index.ts';
import { CountingSink } from './exchange-stage.ts';
import { FlowCommands, freshMachine, MACHINE, openingCommands } from './journal-stage.ts';
import type { OrderFlow } from './order-flow.ts';

/** A host that holds more than this stops reading from its clients until some are durable. */
const MOST_BACKLOG = 20_000;
/** Commands between two looks at the disk: what arrives at once on busy sockets. */
const BURST = 500;

const DATABASE = 'journal.db';

/** What a run came to. */
export interface JournalRun {
  /** Of the operations after the opening, the last one durable, in ms. */
  readonly elapsedMs: number;
  readonly hash: string;
  /** The last record. */
  readonly records: number;
  readonly bytes: number;
  /** Commits of the operations. */
  readonly batches: number;
  /** Longest time in which the snapshot at the end held everything up, ms. */
  readonly snapshotMs: number;
}

/** A new folder for a journal. */
export function emptied(folder: string): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * Plays a flow into a new journal.
 * @param folder an empty one, on the disk that is to be measured
 * @param isSigned orders with digests
 * @param snapshotAt `opening`: behind what fills the book; `end`: behind all
 */
export async function journalFlow(
  folder: string,
  flow: OrderFlow,
  { isSigned, snapshotAt }: { readonly isSigned: boolean; readonly snapshotAt: 'opening' | 'end' },
): Promise<JournalRun> {
  const store = SqliteStore.open({ file: join(folder, DATABASE) });
  const { journal } = store;
  const machine = freshMachine();
  let batches = 0;
  const counted: typeof journal.append = (batch, durable) => {
    batches += 1;
    journal.append(batch, durable);
  };
  const exchange = new JournaledExchange({
    machine,
    journal: counting(journal, counted),
    onFault: (fault) => {
      throw fault;
    },
  });
  const sink = new CountingSink();
  const settled = (): Promise<void> => new Promise((resolve) => exchange.whenDurable(resolve));
  for (const command of openingCommands()) exchange.apply(command, sink);
  const commands = new FlowCommands(flow, isSigned);
  for (let row = 0; row < flow.opening; row++) exchange.apply(commands.command(row), sink);
  await settled();
  if (snapshotAt === 'opening') exchange.snapshot();
  await settled();
  batches = 0;
  const start = performance.now();
  for (let row = flow.opening; row < flow.length; ) {
    for (const end = Math.min(row + BURST, flow.length); row < end; row++) exchange.apply(commands.command(row), sink);
    do await nextTurn();
    while (exchange.backlog.commands > MOST_BACKLOG);
  }
  await settled();
  const elapsedMs = performance.now() - start;
  if (sink.refusals > 0) throw new Error(`Invariant: ${sink.refusals} rows of the flow were refused`);
  const before = performance.now();
  if (snapshotAt === 'end') exchange.snapshot();
  const snapshotMs = performance.now() - before;
  await settled();
  await store.close();
  const hash = machine.stateHash();
  const bytes = bytesOf(folder, DATABASE);
  return { elapsedMs, hash, records: journal.last, bytes, batches, snapshotMs };
}

/** Opens a journal, recovers the exchange, and answers how long both took, in ms. */
export async function recovery(
  folder: string,
): Promise<Recovery<ExchangeMachine> & { readonly elapsedMs: number; readonly snapshotBytes: number }> {
  const start = performance.now();
  const store = SqliteStore.open({ file: join(folder, DATABASE) });
  const restore = (reader: Parameters<typeof ExchangeMachine.restore>[0]) => ExchangeMachine.restore(reader, MACHINE);
  const recovered = recover({ journal: store.journal, fresh: freshMachine, restore });
  const elapsedMs = performance.now() - start;
  const [newest] = store.journal.snapshots;
  const snapshotBytes = newest === undefined ? 0 : sizeOf(store.journal.readSnapshot(newest));
  await store.close();
  return { ...recovered, elapsedMs, snapshotBytes };
}

/** Bytes of the files of a folder whose names begin so. */
export function bytesOf(folder: string, begin: string): number {
  const names = readdirSync(folder).filter((name) => name.startsWith(begin));
  return names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

function sizeOf({ pieces }: Snapshot): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The journal with another `append`. */
function counting(
  journal: Journal,
  append: Journal['append'],
): ConstructorParameters<typeof JournaledExchange>[0]['journal'] {
  return {
    name: journal.name,
    get first() {
      return journal.first;
    },
    get last() {
      return journal.last;
    },
    get snapshots() {
      return journal.snapshots;
    },
    append,
    read: (from) => journal.read(from),
    readSnapshot: (sequence) => journal.readSnapshot(sequence),
    setAside: (sequence) => journal.setAside(sequence),
    saveSnapshot: (snapshot, durable) => journal.saveSnapshot(snapshot, durable),
  };
}
