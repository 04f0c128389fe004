/** Runs the exchange with its journal and all rows in a database. */
import { performance } from 'node:perf_hooks';
import { DurableExchange, Exchange, Projector, recover } from '../../src/exchange/index.ts';
import { SqliteStore } from '../../src/store/index.ts';
import { EXCHANGE_OPTIONS, FlowCommands, openingCommands } from './journal-harness.ts';
import { BATCH, BatchRun, sumFileBytes } from './journal-run.ts';
import type { OrderFlow } from './order-flow.ts';

/** Results of a run. */
export interface SqliteRun {
  /** Time of the operations after the opening until the last one is durable, ms. */
  readonly elapsedMs: number;
  readonly batches: number;
  /** Size of the file and its log at the end. */
  readonly bytes: number;
  /** Number of orders with a row. */
  readonly orders: number;
  /** Time of the main thread per command, including the projection, µs. */
  readonly applyUs: number;
}

/**
 * Runs a flow, with a signed digest for each order, into a new database.
 * @param folder an empty folder on the measured disk
 */
export async function sqliteFlow(folder: string, flow: OrderFlow): Promise<SqliteRun> {
  const store = SqliteStore.open({ file: `${folder}/exchange.db` });
  const { journal, identities, archive } = store;
  const options = { ...EXCHANGE_OPTIONS, identities };
  const restore = (reader: Parameters<typeof Exchange.restore>[0]) => Exchange.restore(reader, options);
  const { machine } = recover({ journal, createNew: () => new Exchange(options), restore });
  const projector = new Projector({ view: machine.view, archive });
  store.writeRowsFrom(projector);
  const run = new BatchRun(new DurableExchange({ machine, journal, projector }));
  for (const command of openingCommands()) run.apply(command);
  const commands = new FlowCommands(flow, { isSigned: true });
  for (let row = 0; row < flow.opening; row++) {
    run.apply(commands.command(row));
    if (row % BATCH === 0) await run.commit();
  }
  await run.commit();
  let batches = 0;
  let applied = 0;
  const start = performance.now();
  for (let row = flow.opening; row < flow.length; batches++) {
    const begin = performance.now();
    for (const end = Math.min(row + BATCH, flow.length); row < end; row++) run.apply(commands.command(row));
    applied += performance.now() - begin;
    await run.commit();
  }
  const elapsedMs = performance.now() - start;
  if (run.refusals > 0) throw new Error(`Invariant: ${run.refusals} rows of the flow were refused`);
  const orders = machine.view.orderCount;
  if (archive.order(orders) === undefined) throw new Error(`Invariant: order ${orders} has no row`);
  const bytes = sumFileBytes(folder, 'exchange.db');
  await store.close();
  return { elapsedMs, batches, bytes, orders, applyUs: (applied / (flow.length - flow.opening)) * 1000 };
}
