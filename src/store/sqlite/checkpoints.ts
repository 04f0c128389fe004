/**
 * Checkpoints copy the log (WAL) into the database. A separate thread does most of the work in parallel to the writer,
 * because a complete checkpoint on the writer would delay commits. The writer then copies the rest, so that its next
 * transaction restarts the log. Without this last step, the log would only grow.
 */
import { Worker } from 'node:worker_threads';
import { entryUrl } from '../../package-files.ts';
import type { WriterLink } from './messages.ts';

/** Written bytes, or commits, after which a checkpoint starts. Either limit makes about 10 MB of log. */
const MAX_BYTES = 1_048_576;
const MAX_COMMITS = 500;
/** Bytes that are added for each commit, because even a small commit writes whole pages. */
const BYTES_PER_COMMIT = 64;

export class Checkpoints {
  readonly #link: WriterLink;
  readonly #thread: CheckpointLink | undefined;
  #bytes = 0;
  #commits = 0;
  #isBusy = false;
  /** Whether the writer does complete checkpoints, because there is no thread or the thread failed. */
  #isWriterOnly: boolean;

  /** @param file the database, for a separate thread; undefined for checkpoints by the writer alone */
  constructor(link: WriterLink, file: string | undefined) {
    this.#link = link;
    this.#isWriterOnly = file === undefined;
    if (file === undefined) return;
    this.#thread = new CheckpointLink(file, ({ hasFailed }) => {
      // The writer gets the same error, such as a full disk, and reports it.
      if (hasFailed) this.#isWriterOnly = true;
      this.#checkpointOnWriter();
    });
  }

  /** Counts a committed transaction. @param bytes its approximate size */
  onCommitted(bytes: number): void {
    this.#bytes += bytes + BYTES_PER_COMMIT;
    this.#commits += 1;
    if (this.#isBusy || (this.#bytes < MAX_BYTES && this.#commits < MAX_COMMITS)) return;
    this.#isBusy = true;
    this.#bytes = 0;
    this.#commits = 0;
    if (this.#isWriterOnly) this.#checkpointOnWriter();
    else this.#thread?.begin('copy');
  }

  async close(): Promise<void> {
    this.#isWriterOnly = true;
    await this.#thread?.close();
  }

  /** Completes a checkpoint on the writer. A failure changes nothing, and the next checkpoint repeats the work. */
  #checkpointOnWriter(): void {
    this.#link.send({ type: 'checkpoint' }, () => {
      this.#isBusy = false;
    });
  }
}

/** `copy` copies committed pages from the log into the database. `restart` also restarts a fully copied log. */
export type CheckpointTask = 'copy' | 'restart';
type CheckpointResult = { readonly hasFailed: boolean };

/** Starts the thread at the first task. The thread does not keep the process alive. */
export class CheckpointLink {
  readonly #file: string;
  readonly #onDone: (result: CheckpointResult) => void;
  #worker: Worker | undefined;

  /** @param onDone called after each task. After a failure of the thread, the next task starts a new thread */
  constructor(file: string, onDone: (result: CheckpointResult) => void) {
    this.#file = file;
    this.#onDone = onDone;
  }

  begin(task: CheckpointTask): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(task);
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker === undefined) return;
    worker.ref();
    const { promise: exited, resolve } = Promise.withResolvers<unknown>();
    worker.once('exit', resolve);
    worker.postMessage('close');
    await exited;
  }

  #start(): Worker {
    const worker = new Worker(entryUrl('checkpoint-thread', import.meta.url), { workerData: this.#file });
    worker.unref();
    worker.on('message', () => this.#onDone({ hasFailed: false }));
    worker.on('error', () => {
      this.#worker = undefined;
      this.#onDone({ hasFailed: true });
    });
    return worker;
  }
}
