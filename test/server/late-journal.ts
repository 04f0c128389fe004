import type { Journal, JournalBatch, OnDurable, Snapshot } from '../../src/exchange/index.ts';

/** A journal that reports durability one round of the event loop later than the journal it wraps. */
export class LateJournal implements Journal {
  readonly name = 'late';
  readonly #inner: Journal;

  constructor(inner: Journal) {
    this.#inner = inner;
  }

  get first(): number {
    return this.#inner.first;
  }
  get last(): number {
    return this.#inner.last;
  }
  get snapshots(): readonly number[] {
    return this.#inner.snapshots;
  }

  append(batch: JournalBatch, onDurable: OnDurable): void {
    this.#inner.append(batch, (fault) => void setImmediate(() => onDurable(fault)));
  }

  read(from: number): Iterable<JournalBatch> {
    return this.#inner.read(from);
  }
  readSnapshot(sequence: number): Snapshot {
    return this.#inner.readSnapshot(sequence);
  }
  markUnusable(sequence: number): void {
    this.#inner.markUnusable(sequence);
  }
  saveSnapshot(snapshot: Snapshot, onDurable: OnDurable): void {
    this.#inner.saveSnapshot(snapshot, (fault) => void setImmediate(() => onDurable(fault)));
  }
}
