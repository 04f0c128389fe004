/** Recovers an exchange from a store and puts it behind a command queue. */
import { createHash } from 'node:crypto';
import { type EpochMs, Fault, FileFault } from '../domain/index.ts';
import {
  DurableExchange,
  Exchange,
  type ExchangeOptions,
  MAX_TIME_STEP,
  Projector,
  recover,
  type Transfer,
  type TransferKind,
  transferKindBySign,
} from '../exchange/index.ts';
import { timeText } from '../protocol/index.ts';
import { recordingBooks } from '../replay/index.ts';
import { CommandQueue } from './command-queue.ts';
import { loadInitialSettings } from './initial-settings.ts';
import type { ServerOptions } from './server-options.ts';
import { WireIds } from './wire-ids.ts';

const RECORDS_PER_SNAPSHOT = 200_000;

/**
 * Restores the exchange to the state after the last durable record.
 * @throws FileFault when stored data is invalid; InputFault like `loadInitialSettings`; Fault CLOCK_AHEAD when the last
 * event is more than `MAX_TIME_STEP` ago, unless `acceptPause` is set
 */
export function openEngine(
  options: Pick<ServerOptions, 'store' | 'clock' | 'log' | 'quotePolicy' | 'onStop'> &
    Partial<Pick<ServerOptions, 'acceptPause'>>,
) {
  const { store, clock, log, quotePolicy, onStop, acceptPause = false } = options;
  const { journal, archive, registry, identities } = store;
  const settings = loadInitialSettings(registry, quotePolicy);
  const exchangeOptions: ExchangeOptions = { ...settings, sha256, identities, books: recordingBooks };
  /** Kinds of the transfers whose sign does not determine the kind. */
  const transferKinds = new WeakMap<Transfer, TransferKind>();
  const { machine, projector } = withFileFaults(journal.name, () => {
    const { machine, snapshot, replayed, notes } = recover({
      journal,
      createNew: () => new Exchange(exchangeOptions),
      restore: (reader) => Exchange.restore(reader, exchangeOptions),
    });
    for (const note of notes) log.warn({ note }, 'recovery: skipped');
    const { view } = machine;
    const projector = new Projector({
      view,
      archive,
      classifyTransfer: (transfer) => transferKinds.get(transfer) ?? transferKindBySign(transfer),
    });
    log.info({ hash: machine.stateHash(), seq: view.seq, snapshot, replayed }, 'exchange: recovered');
    return { machine, projector };
  });
  const { view } = machine;
  store.writeRowsFrom(projector);
  const exchange = new DurableExchange({
    machine,
    journal,
    projector,
    snapshotEvery: RECORDS_PER_SNAPSHOT,
    maxTimeStep: computeMaxTimeStep(view.now, clock.now(), { acceptPause }),
    onSnapshotFault: (fault) => log.error({ err: fault }, 'exchange: a snapshot could not be stored'),
  });
  const queue = new CommandQueue({ exchange, view, registry, clock, onStop });
  store.onDamage((fault) => queue.stop(fault));
  const ids = new WireIds({ view, identities, archive, registry });
  return { queue, ids, view, exchange, transferKinds, stateHash: () => machine.stateHash() };
}

export type Engine = Readonly<ReturnType<typeof openEngine>>;

export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** @param last time of the last event; 0 for a new exchange. @throws Fault CLOCK_AHEAD */
function computeMaxTimeStep(last: EpochMs, now: EpochMs, { acceptPause = false }): number {
  const pause = now - last;
  if (last === 0 || pause <= MAX_TIME_STEP) return MAX_TIME_STEP;
  if (acceptPause) return pause + MAX_TIME_STEP;
  const problem = `the clock of this machine (${timeText(now)}) is more than 366 days after the last event (${timeText(last)})`;
  throw new Fault(
    'CLOCK_AHEAD',
    `${problem}. Correct the clock. If it is right, start with --accept-pause; embedded: acceptPause`,
  );
}

function withFileFaults<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof Fault) || cause instanceof FileFault) throw cause;
    const problem = cause.message.replace(`${file}: `, '');
    throw new FileFault(file, undefined, problem, 'Use another file, or put back a good copy of this one', { cause });
  }
}
