import type { Journal, JournalBatch, OnDurable, Snapshot } from '../../../src/exchange/journal/journal.ts';

/** A journal that forwards all calls to another one. Subclasses delay some of them. */
export class JournalWrapper<Inner extends Journal = Journal> implements Journal {
  readonly inner: Inner;

  constructor(inner: Inner) {
    this.inner = inner;
  }

  get name(): string {
    return this.inner.name;
  }
  get first(): number {
    return this.inner.first;
  }
  get last(): number {
    return this.inner.last;
  }
  get snapshots(): readonly number[] {
    return this.inner.snapshots;
  }
  append(batch: JournalBatch, onDurable: OnDurable): void {
    this.inner.append(batch, onDurable);
  }
  read(from: number): Iterable<JournalBatch> {
    return this.inner.read(from);
  }
  readSnapshot(sequence: number): Snapshot {
    return this.inner.readSnapshot(sequence);
  }
  markUnusable(sequence: number): void {
    this.inner.markUnusable(sequence);
  }
  saveSnapshot(snapshot: Snapshot, onDurable: OnDurable): void {
    this.inner.saveSnapshot(snapshot, onDurable);
  }
}
