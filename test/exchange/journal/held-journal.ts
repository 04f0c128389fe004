import type { Fault } from '../../../src/domain/index.ts';
import type { Journal, JournalBatch, OnDurable, Snapshot } from '../../../src/exchange/journal/journal.ts';
import { MemoryJournal } from './memory-journal.ts';

/** A journal whose disk takes as long as the test wants. */
export class HeldJournal implements Journal {
  readonly name = 'held';
  readonly inner = new MemoryJournal();
  /** Sizes of the batches that were appended. */
  readonly sizes: number[] = [];
  #append: ((fault?: Fault) => void) | undefined;
  #save: ((fault?: Fault) => void) | undefined;

  get first(): number {
    return this.inner.first;
  }
  get last(): number {
    return this.inner.last;
  }
  get snapshots(): readonly number[] {
    return this.inner.snapshots;
  }
  get isAppending(): boolean {
    return this.#append !== undefined;
  }
  get isSaving(): boolean {
    return this.#save !== undefined;
  }

  append(batch: JournalBatch, onDurable: OnDurable): void {
    if (this.#append !== undefined) throw new Error('two batches at a time');
    this.sizes.push(batch.count);
    const held = { ...batch, bytes: batch.bytes.slice() };
    this.#append = (fault) => {
      this.#append = undefined;
      // Bytes that changed meanwhile would have reached the disk half.
      if (!held.bytes.every((byte, at) => byte === batch.bytes[at])) throw new Error('the bytes have changed');
      if (fault === undefined) this.inner.append(held, onDurable);
      else onDurable(fault);
    };
  }

  read(from: number): Iterable<JournalBatch> {
    return this.inner.read(from);
  }
  readSnapshot(sequence: number): Snapshot {
    return this.inner.readSnapshot(sequence);
  }
  setAside(sequence: number): void {
    this.inner.setAside(sequence);
  }

  saveSnapshot(snapshot: Snapshot, onDurable: OnDurable): void {
    if (this.#save !== undefined) throw new Error('two snapshots at a time');
    this.#save = (fault) => {
      this.#save = undefined;
      if (fault === undefined) this.inner.saveSnapshot(snapshot, onDurable);
      else onDurable(fault);
    };
  }

  /** The batch under way is durable now, or failed. */
  release(fault?: Fault): void {
    if (this.#append === undefined) throw new Error('nothing is under way');
    this.#append(fault);
  }

  /** The snapshot under way is durable now, or failed. */
  releaseSnapshot(fault?: Fault): void {
    if (this.#save === undefined) throw new Error('no snapshot is under way');
    this.#save(fault);
  }
}
