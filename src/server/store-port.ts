import type { EpochMs, Fault } from '../domain/index.ts';
import type { Archive, Durable, Journal, Registry, RowSource, StoredIdentities } from '../exchange/index.ts';

/** Where everything is kept: one transaction a batch (docs/storage.md). */
export interface StorePort {
  readonly journal: Journal;
  readonly archive: Archive;
  readonly registry: Registry;
  readonly identities: StoredIdentities;
  /** Why nothing more is written; undefined while all is well. */
  readonly fault: Fault | undefined;
  /** Calls `listener` once, when something that is read turns out to be damaged: nothing is written after that. */
  onDamage(listener: (fault: Fault) => void): void;
  /** The rows of `source` go with each batch from now on. */
  follow(source: RowSource): void;
  /** Lets go of events that nobody may ask for any more. */
  pruneEvents(now: EpochMs, done?: Durable): void;
  /** Commits what is left and lets others have the file. */
  close(): Promise<void>;
}
