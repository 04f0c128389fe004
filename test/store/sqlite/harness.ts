/** An exchange on a database, wired as in a server. */

import { createHash } from 'node:crypto';
import {
  type AppliedCommand,
  type ClassifyTransfer,
  DurableExchange,
  Exchange,
  type ExchangeCommand,
  Projector,
  type RowBatch,
  recover,
} from '../../../src/exchange/index.ts';
import type { DurableExchangeOptions } from '../../../src/exchange/journal/durable-exchange.ts';
import type { Recovery } from '../../../src/exchange/journal/recover.ts';
import { SqliteStore } from '../../../src/store/index.ts';
import type { SqliteStoreOptions } from '../../../src/store/sqlite/sqlite-store.ts';
import { CONFIG } from '../../exchange/properties/sequence.ts';

export interface Harness {
  readonly store: SqliteStore;
  readonly recovery: Recovery<Exchange>;
  readonly machine: Exchange;
  readonly exchange: DurableExchange;
  readonly faults: string[];
  /** Durable rows. */
  readonly batches: RowBatch[];
  /** Applies a command and, unless a write is pending, commits it. Otherwise `settled` commits it. */
  apply(command: ExchangeCommand): AppliedCommand;
}

type Options = SqliteStoreOptions &
  Partial<Pick<DurableExchangeOptions, 'snapshotEvery' | 'hashEvery'>> & {
    readonly classifyTransfer?: ClassifyTransfer;
  };

/** Opens and recovers a harness. */
export function openHarness({ classifyTransfer, snapshotEvery = 0, hashEvery = 0, ...storeOptions }: Options): Harness {
  const store = SqliteStore.open(storeOptions);
  const options = {
    config: CONFIG,
    sha256: (text: string) => createHash('sha256').update(text, 'utf8').digest('hex'),
    identities: store.identities,
  };
  const { journal, archive } = store;
  const fresh = () => new Exchange(options);
  const recovery = recover({ journal, createNew: fresh, restore: (reader) => Exchange.restore(reader, options) });
  const { machine } = recovery;
  const named = classifyTransfer === undefined ? {} : { classifyTransfer };
  const projector = new Projector({ view: machine.view, archive, ...named });
  const batches: RowBatch[] = [];
  store.writeRowsFrom({
    drainRows() {
      const rows = projector.drainRows();
      batches.push(rows);
      return rows;
    },
  });
  const faults: string[] = [];
  const onFault = (fault: Error): void => void faults.push(fault.message);
  const exchange = new DurableExchange({
    machine,
    journal,
    projector,
    onSnapshotFault: onFault,
    snapshotEvery,
    hashEvery,
  });
  const isInline = storeOptions.thread === false || storeOptions.file === ':memory:';
  const apply = (command: ExchangeCommand): AppliedCommand => {
    const applied = exchange.apply(command);
    if (isInline) exchange.commit((fault) => fault === undefined || onFault(fault));
    return applied;
  };
  return { store, recovery, machine, exchange, faults, batches, apply };
}

/** Commits all applied commands. Resolves when they are durable or the write failed. */
export function settled({ exchange, faults }: Harness): Promise<void> {
  return new Promise((resolve) => {
    exchange.commit((fault) => {
      if (fault !== undefined) faults.push(fault.message);
      resolve();
    });
  });
}
