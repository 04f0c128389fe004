import { monotonic, type Stopwatch } from '../../clock/index.ts';
import type { Durable, Journal, JournalBatch, Snapshot } from '../../exchange/index.ts';

/** A journal that says how long its commits take. Costs two looks at the stopwatch a commit. */
export class CommitWatch implements Journal {
  /** Told of each commit: milliseconds from asking until it was durable, and its records. */
  onCommit: (ms: number, records: number) => void = () => {};
  readonly #journal: Journal;
  readonly #stopwatch: Stopwatch;
  #begun: number | undefined;
  #records = 0;
  #durable: Durable = () => {};

  constructor(journal: Journal, stopwatch: Stopwatch = monotonic) {
    this.#journal = journal;
    this.#stopwatch = stopwatch;
  }

  /** How long the commit under way has taken so far, ms; 0 for none. */
  get waiting(): number {
    return this.#begun === undefined ? 0 : this.#stopwatch() - this.#begun;
  }

  get name(): string {
    return this.#journal.name;
  }

  get first(): number {
    return this.#journal.first;
  }

  get last(): number {
    return this.#journal.last;
  }

  get snapshots(): readonly number[] {
    return this.#journal.snapshots;
  }

  append(batch: JournalBatch, durable: Durable): void {
    this.#begun = this.#stopwatch();
    this.#records = batch.count;
    this.#durable = durable;
    this.#journal.append(batch, this.#ended);
  }

  read(from: number): Iterable<JournalBatch> {
    return this.#journal.read(from);
  }

  readSnapshot(sequence: number): Snapshot {
    return this.#journal.readSnapshot(sequence);
  }

  setAside(sequence: number): void {
    this.#journal.setAside(sequence);
  }

  saveSnapshot(snapshot: Snapshot, durable: Durable): void {
    this.#journal.saveSnapshot(snapshot, durable);
  }

  /** One function for all: there is one commit at a time. */
  readonly #ended: Durable = (fault) => {
    const took = this.waiting;
    this.#begun = undefined;
    if (fault === undefined) this.onCommit(took, this.#records);
    this.#durable(fault);
  };
}
