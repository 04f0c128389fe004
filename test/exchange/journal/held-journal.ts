import type { Fault } from '../../../src/domain/index.ts';
import type { JournalBatch, OnDurable, Snapshot } from '../../../src/exchange/journal/journal.ts';
import { JournalWrapper } from './journal-wrapper.ts';
import { MemoryJournal } from './memory-journal.ts';

/** A journal whose writes complete when the test releases them. */
export class HeldJournal extends JournalWrapper<MemoryJournal> {
  /** Sizes of the batches that were appended. */
  readonly sizes: number[] = [];
  #append: ((fault?: Fault) => void) | undefined;
  #save: ((fault?: Fault) => void) | undefined;

  constructor() {
    super(new MemoryJournal());
  }

  get isAppending(): boolean {
    return this.#append !== undefined;
  }
  get isSaving(): boolean {
    return this.#save !== undefined;
  }

  override append(batch: JournalBatch, onDurable: OnDurable): void {
    if (this.#append !== undefined) throw new Error('a batch is already being written');
    this.sizes.push(batch.count);
    const held = { ...batch, bytes: batch.bytes.slice() };
    this.#append = (fault) => {
      this.#append = undefined;
      // A caller must not change the bytes during the write.
      if (!held.bytes.every((byte, at) => byte === batch.bytes[at])) throw new Error('the bytes have changed');
      if (fault === undefined) this.inner.append(held, onDurable);
      else onDurable(fault);
    };
  }

  override saveSnapshot(snapshot: Snapshot, onDurable: OnDurable): void {
    if (this.#save !== undefined) throw new Error('a snapshot is already being written');
    this.#save = (fault) => {
      this.#save = undefined;
      if (fault === undefined) this.inner.saveSnapshot(snapshot, onDurable);
      else onDurable(fault);
    };
  }

  /** Completes the current batch, with an error if given. */
  release(fault?: Fault): void {
    if (this.#append === undefined) throw new Error('no batch is being written');
    this.#append(fault);
  }

  /** Completes the current snapshot, with an error if given. */
  releaseSnapshot(fault?: Fault): void {
    if (this.#save === undefined) throw new Error('no snapshot is being written');
    this.#save(fault);
  }
}
