import { Fault } from '../../../src/domain/index.ts';
import type { Journal, JournalBatch, OnDurable, Snapshot } from '../../../src/exchange/index.ts';

/** A journal in memory. Writes complete immediately. */
export class MemoryJournal implements Journal {
  readonly name = 'memory';
  #batches: JournalBatch[] = [];
  #snapshots: readonly Snapshot[] = [];
  #last = 0;

  get first(): number {
    return this.#batches[0]?.first ?? this.#last + 1;
  }

  get last(): number {
    return this.#last;
  }

  get snapshots(): readonly number[] {
    return this.#snapshots.map(({ sequence }) => sequence);
  }

  append({ first, count, bytes }: JournalBatch, onDurable: OnDurable): void {
    if (first !== this.#last + 1 || count < 1) {
      throw new RangeError(`Invariant: ${count} records from ${first} do not follow record ${this.#last}`);
    }
    this.#batches.push({ first, count, bytes: bytes.slice() });
    this.#last = first + count - 1;
    onDurable(undefined);
  }

  *read(from: number): Iterable<JournalBatch> {
    if (from < this.first) throw new Fault('JOURNAL_GONE', `record ${from} was removed, the oldest is ${this.first}`);
    for (const batch of this.#batches.slice()) if (batch.first + batch.count > from) yield batch;
  }

  readSnapshot(sequence: number): Snapshot {
    const found = this.#snapshots.find((snapshot) => snapshot.sequence === sequence);
    if (found === undefined) throw new Fault('JOURNAL_GONE', `there is no snapshot after record ${sequence}`);
    return found;
  }

  markUnusable(unusable: number): void {
    this.#snapshots = this.#snapshots.filter(({ sequence }) => sequence !== unusable);
  }

  saveSnapshot(snapshot: Snapshot, onDurable: OnDurable): void {
    if (snapshot.sequence > this.#last) {
      throw new RangeError(`Invariant: a snapshot of record ${snapshot.sequence}, which is not durable`);
    }
    this.#snapshots = [snapshot, ...this.#snapshots.filter(({ sequence }) => sequence !== snapshot.sequence)].slice(
      0,
      2,
    );
    const needed = (this.#snapshots.length < 2 ? 0 : (this.#snapshots.at(-1)?.sequence ?? 0)) + 1;
    this.#batches = this.#batches.filter(({ first, count }) => first + count > needed);
    onDurable(undefined);
  }
}
