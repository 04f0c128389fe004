/**
 * Measures durable commands per second, and recovery from a snapshot and ten million records, with the whole exchange.
 * Files are under bench/out.
 */
import { join } from 'node:path';
import { type Bench, medianOf, row } from './harness.ts';
import { emptyFolder, journalFlow, recovery } from './workload/journal-run.ts';
import { type FlowShape, MAIN_SHAPE, orderFlow } from './workload/order-flow.ts';
import { sqliteFlow } from './workload/sqlite-run.ts';

const FOLDER = join(import.meta.dirname, 'out', 'journal');
const MILLION = 1_000_000;
const SHAPE: FlowShape = { ...MAIN_SHAPE, maxShares: 300 };

const bench: Bench = async () => {
  const flow = orderFlow(SHAPE);
  const journal = { batches: 0, bytesPerRecord: 0 };
  const perSecond =
    ({ isSigned }: { readonly isSigned: boolean }) =>
    async () => {
      const run = await journalFlow(emptyFolder(FOLDER), flow, { isSigned, snapshotAt: 'opening' });
      if (!isSigned) journal.batches = run.batches;
      journal.bytesPerRecord = run.bytes / run.records;
      return (SHAPE.operations / run.elapsedMs) * 1000;
    };
  const plain = await medianOf(5, perSecond({ isSigned: false }));
  const plainBytes = journal.bytesPerRecord;
  const signed = await medianOf(3, perSecond({ isSigned: true }));
  const signedBytes = journal.bytesPerRecord;

  const database = { batches: 0, bytesPerOrder: 0, applyUs: 0 };
  const stored = await medianOf(3, async () => {
    const run = await sqliteFlow(emptyFolder(FOLDER), flow);
    Object.assign(database, { batches: run.batches, bytesPerOrder: run.bytes / run.orders, applyUs: run.applyUs });
    return (SHAPE.operations / run.elapsedMs) * 1000;
  });

  const long = orderFlow({ ...SHAPE, operations: 10 * MILLION });
  const written = await journalFlow(emptyFolder(FOLDER), long, { isSigned: false, snapshotAt: 'opening' });
  const replaySeconds = await medianOf(3, () => recoverySeconds(written.hash, 10 * MILLION), { warmUp: 0 });

  const large = orderFlow({ ...SHAPE, operations: 1, openOrders: MILLION });
  const deep = await journalFlow(emptyFolder(FOLDER), large, { isSigned: true, snapshotAt: 'end' });
  const restoreSeconds = await medianOf(3, () => recoverySeconds(deep.hash, 0), { warmUp: 0 });
  const snapshotMb = (await recovery(FOLDER)).snapshotBytes / 1e6;
  emptyFolder(FOLDER);

  return {
    results: [
      row('journal alone', plain, 'commands/s'),
      row('the same, each order with a signed digest', signed, 'commands/s'),
      row('journal and all rows, signed', stored, 'commands/s'),
      { label: 'main thread: exchange, projection, digests', value: database.applyUs, unit: 'µs/command' },
      { label: 'database and log per order, with all its rows', value: database.bytesPerOrder, unit: 'bytes' },
      row('recovery: snapshot and 10M records', replaySeconds, 's'),
      row('recovery: snapshot of 1M open signed orders', restoreSeconds, 's'),
      { label: 'pause of the exchange for that snapshot', value: deep.snapshotMs, unit: 'ms' },
      { label: 'size of that snapshot', value: snapshotMb, unit: 'MB' },
      { label: 'database per record', value: plainBytes, unit: 'bytes' },
      { label: 'database per record, each order with a signed digest', value: signedBytes, unit: 'bytes' },
    ],
    ratios: {},
    values: {
      commandsPerSecond: plain.median,
      commandsPerSecondSigned: signed.median,
      commandsPerSecondStored: stored.median,
      recoverySeconds: replaySeconds.median,
      recoverySecondsSnapshot: restoreSeconds.median,
      snapshotHaltMs: deep.snapshotMs,
      bytesPerRecord: plainBytes,
      bytesPerRecordSigned: signedBytes,
    },
    notes: [
      `1M commands: 48 % adds, 42 % cancels, 10 % crossing, 10,000 open orders, 1,000 accounts; the journal alone in a database, ${journal.batches} commits`,
      'batches of 8,000 commands; the next batch starts when the last one is durable; each command is a new object, as in a server',
      'recovery opens the database, checks every checksum, restores and replays; the state hash must be the same',
      `with rows: one transaction per batch with journal, orders, fills, ledger, events, prices; ${database.batches} commits`,
      'not included: decoding, signatures',
    ],
  };
};
export default bench;

/** Recovers the exchange and checks its state. @returns seconds */
async function recoverySeconds(hash: string, replayed: number): Promise<number> {
  const recovered = await recovery(FOLDER);
  const found = recovered.machine.stateHash();
  if (found === hash && recovered.replayed === replayed) return recovered.elapsedMs / 1000;
  throw new Error(`Invariant: ${recovered.replayed} records replayed to ${found}, not ${replayed} to ${hash}`);
}
