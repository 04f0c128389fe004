/**
 * Checkpoints: what the log (WAL) holds goes into the database. A thread of its own does the bulk beside the writer, which
 * then brings in the little that came meanwhile, so that its next transaction begins the log anew. Without that last step
 * the log would only grow; the whole on the writer would hold commits up.
 */
import { Worker } from 'node:worker_threads';
import type { WriterLink } from './writer-link.ts';

/** Work handed to the writer between two checkpoints: some ten megabytes of log. */
const BYTES = 1_048_576;
const COMMITS = 500;
/** A small message costs pages, too. */
const LEAST_BYTES = 64;

/** Counts what was written and orders checkpoints. */
export class Checkpoints {
  readonly #link: WriterLink;
  readonly #worker: Worker | undefined;
  readonly #ended: Promise<void>;
  #bytes = 0;
  #commits = 0;
  #isBusy = false;

  /** @param file undefined to have it all done by the writer */
  constructor(link: WriterLink, file: string | undefined) {
    this.#link = link;
    if (file === undefined) {
      this.#ended = Promise.resolve();
      return;
    }
    const entry = import.meta.url.endsWith('.ts') ? './checkpoint-thread.ts' : './checkpoint-thread.js';
    const worker = new Worker(new URL(entry, import.meta.url), { workerData: file });
    worker.unref();
    worker.on('message', () => this.#finish());
    // It is the writer that is relied on: without this thread it takes over the whole, and commits wait a little.
    worker.on('error', () => this.#finish());
    this.#worker = worker;
    this.#ended = new Promise((resolve) => {
      worker.once('exit', () => resolve());
    });
  }

  /** A transaction of about so many bytes was committed. */
  wrote(bytes: number): void {
    this.#bytes += bytes + LEAST_BYTES;
    this.#commits += 1;
    if (this.#isBusy || (this.#bytes < BYTES && this.#commits < COMMITS)) return;
    this.#isBusy = true;
    this.#bytes = 0;
    this.#commits = 0;
    if (this.#worker === undefined) this.#finish();
    else this.#worker.postMessage('checkpoint');
  }

  close(): Promise<void> {
    this.#worker?.ref();
    this.#worker?.postMessage('close');
    return this.#ended;
  }

  /** One that fails (the disk is full) leaves the log as it was: the next one is tried when it is due. */
  #finish(): void {
    this.#link.send({ type: 'checkpoint' }, () => {
      this.#isBusy = false;
    });
  }
}
