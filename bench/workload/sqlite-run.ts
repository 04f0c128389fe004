/** The exchange behind a database with rows of everything: what it keeps a second. */
import { performance } from 'node:perf_hooks';
import { JournaledExchange, ProjectingMachine, recover, StoredMachine } from '../../src/exchange/index.ts';
import { SqliteStore } from '../../src/store/index.ts';
import { CountingSink } from './exchange-stage.ts';
import { bytesOf } from './journal-run.ts';
import { FlowCommands, MACHINE, openingCommands } from './journal-stage.ts';
import type { OrderFlow } from './order-flow.ts';

/** As `journal-run.ts` has them. */
const MOST_BACKLOG = 20_000;
const BURST = 500;

/** What a run came to. */
export interface SqliteRun {
  /** Of the operations after the opening, the last one durable, in ms. */
  readonly elapsedMs: number;
  readonly batches: number;
  /** Of the file and its log at the end. */
  readonly bytes: number;
  /** Orders that have a row. */
  readonly orders: number;
  /** Time the exchange took of the main thread a command, projection too, in µs. */
  readonly applyUs: number;
}

/**
 * Plays a flow, each order with a signed digest, into a new database.
 * @param folder an empty one, on the disk that is to be measured
 */
export async function sqliteFlow(folder: string, flow: OrderFlow): Promise<SqliteRun> {
  const store = SqliteStore.open({ file: `${folder}/exchange.db` });
  const { journal, identities, archive } = store;
  const options = { ...MACHINE, identities };
  const restore = (reader: Parameters<typeof StoredMachine.restore>[0]) => StoredMachine.restore(reader, options);
  const { machine } = recover({ journal, fresh: () => StoredMachine.fresh(options), restore });
  const projecting = new ProjectingMachine({ machine, view: machine.exchange.view, archive });
  let batches = 0;
  store.follow(projecting.projector, () => {
    batches += 1;
  });
  const exchange = new JournaledExchange({
    machine: projecting,
    journal,
    onFault: (fault) => {
      throw fault;
    },
  });
  const sink = new CountingSink();
  const settled = (): Promise<void> => new Promise((resolve) => exchange.whenDurable(resolve));
  for (const command of openingCommands()) exchange.apply(command, sink);
  const commands = new FlowCommands(flow, true);
  for (let row = 0; row < flow.opening; row++) exchange.apply(commands.command(row), sink);
  await settled();
  batches = 0;
  let applied = 0;
  const start = performance.now();
  for (let row = flow.opening; row < flow.length; ) {
    const begin = performance.now();
    for (const end = Math.min(row + BURST, flow.length); row < end; row++) exchange.apply(commands.command(row), sink);
    applied += performance.now() - begin;
    do await nextTurn();
    while (exchange.backlog.commands > MOST_BACKLOG);
  }
  await settled();
  const elapsedMs = performance.now() - start;
  if (sink.refusals > 0) throw new Error(`Invariant: ${sink.refusals} rows of the flow were refused`);
  const orders = machine.exchange.view.orderCount;
  if (archive.order(orders) === undefined) throw new Error(`Invariant: order ${orders} has no row`);
  const bytes = bytesOf(folder, 'exchange.db');
  await store.close();
  return { elapsedMs, batches, bytes, orders, applyUs: (applied / (flow.length - flow.opening)) * 1000 };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
