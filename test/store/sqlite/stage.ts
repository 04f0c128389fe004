/** A real exchange on a database: what a server wires. */
import { createHash } from 'node:crypto';
import {
  JournaledExchange,
  type JournaledOptions,
  type NameTransfer,
  ProjectingMachine,
  type Recovery,
  type RowBatch,
  recover,
  StoredMachine,
  type StoredOptions,
} from '../../../src/exchange/index.ts';
import { SqliteStore, type SqliteStoreOptions } from '../../../src/store/index.ts';
import { CONFIG } from '../../exchange/properties/sequence.ts';

export interface Stage {
  readonly store: SqliteStore;
  readonly recovery: Recovery<StoredMachine>;
  readonly machine: ProjectingMachine;
  readonly exchange: JournaledExchange;
  readonly faults: string[];
  /** Rows that were told durable. */
  readonly batches: RowBatch[];
}

type Options = SqliteStoreOptions &
  Partial<Pick<JournaledOptions, 'snapshotEvery' | 'hashEvery' | 'awaitDurable'>> & {
    readonly nameTransfer?: NameTransfer;
  };

/** Opens, recovers, and is ready for commands. */
export function openStage({
  nameTransfer,
  snapshotEvery = 0,
  hashEvery = 0,
  awaitDurable = true,
  ...of
}: Options): Stage {
  const store = SqliteStore.open(of);
  const options: StoredOptions = {
    config: CONFIG,
    sha256: (text) => createHash('sha256').update(text, 'utf8').digest('hex'),
    identities: store.identities,
  };
  const { journal, archive } = store;
  const fresh = () => StoredMachine.fresh(options);
  const recovery = recover({ journal, fresh, restore: (reader) => StoredMachine.restore(reader, options) });
  const { view } = recovery.machine.exchange;
  const named = nameTransfer === undefined ? {} : { nameTransfer };
  const machine = new ProjectingMachine({ machine: recovery.machine, view, archive, ...named });
  const batches: RowBatch[] = [];
  store.follow(machine.projector, (rows) => batches.push(rows));
  const faults: string[] = [];
  const onFault = (fault: Error): void => void faults.push(fault.message);
  const exchange = new JournaledExchange({
    machine,
    journal,
    onFault,
    onSnapshotFault: onFault,
    snapshotEvery,
    hashEvery,
    awaitDurable,
  });
  return { store, recovery, machine, exchange, faults, batches };
}

/** All that was asked for until now is durable. */
export function settled({ exchange }: Stage): Promise<void> {
  return new Promise((resolve) => exchange.whenDurable(resolve));
}
