/**
 * Keeps the write-ahead log short. A thread of its own brings the bulk of it into the database while steps go on; when it
 * is done, the little that came meanwhile is brought in here, so that the next transaction begins the log anew: under a
 * millisecond, and never in the middle of an append. The thread's alone would never shorten the log.
 */
import { CheckpointLink } from '../sqlite/checkpoint-link.ts';
import type { Connection } from '../sqlite/database.ts';

/** So many written rows between two checkpoints: a few megabytes of log. */
const ROWS = 1_000;

/** Pages of the log, and how many of them are in the database. */
interface Checkpoint {
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}

export class LogKeeper {
  readonly #connection: Connection;
  readonly #catchUp: () => void;
  readonly #emptied: () => void;
  readonly #thread: CheckpointLink | undefined;
  #rows = 0;
  #isBusy = false;
  #isClosed = false;

  /**
   * @param file undefined to have it all done here
   * @param catchUp brings into the tables what waits: where always something does, the end would never be reached
   * @param emptied told when all that was committed so far is in the database itself, on the disk
   */
  constructor(connection: Connection, file: string | undefined, catchUp: () => void, emptied: () => void) {
    this.#connection = connection;
    // What it fails at, a full disk say, the next append meets, too, and tells.
    this.#thread = file === undefined ? undefined : new CheckpointLink(file, () => this.#finish());
    this.#catchUp = catchUp;
    this.#emptied = emptied;
  }

  /** So many rows were committed. */
  wrote(rows: number): void {
    this.#rows += rows;
    if (this.#rows < ROWS || this.#isBusy) return;
    this.#rows = 0;
    if (this.#thread === undefined) this.#finish();
    else {
      this.#isBusy = true;
      this.#thread.begin();
    }
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.close();
  }

  #finish(): void {
    // Busy until the end: the thread is not to begin again meanwhile.
    this.#isBusy = true;
    if (!this.#isClosed && this.#connection.open && !this.#connection.inTransaction) this.#bringIn();
    this.#isBusy = false;
  }

  #bringIn(): void {
    this.#catchUp();
    // Who reads at the moment may hold the end of the log back: then the next one brings it in.
    const end = this.#connection.prepare<[], Checkpoint>('PRAGMA wal_checkpoint(PASSIVE)').get();
    if (end?.busy === 0 && end.log === end.checkpointed) this.#emptied();
  }
}
