/** The way to the thread that brings a log (WAL) into its database. */
import { Worker } from 'node:worker_threads';

const ENTRY = import.meta.url.endsWith('.ts') ? './checkpoint-thread.ts' : './checkpoint-thread.js';

/** Starts the thread when it is needed for the first time. It holds no process up. */
export class CheckpointLink {
  readonly #file: string;
  readonly #done: (hasFailed: boolean) => void;
  #worker: Worker | undefined;

  /** @param done told after each; when the thread has failed, the next one begins another */
  constructor(file: string, done: (hasFailed: boolean) => void) {
    this.#file = file;
    this.#done = done;
  }

  begin(): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage('checkpoint');
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker === undefined) return;
    worker.ref();
    const ended = new Promise<void>((resolve) => {
      worker.once('exit', () => resolve());
    });
    worker.postMessage('close');
    await ended;
  }

  #start(): Worker {
    const worker = new Worker(new URL(ENTRY, import.meta.url), { workerData: this.#file });
    worker.unref();
    worker.on('message', () => this.#done(false));
    worker.on('error', () => {
      this.#worker = undefined;
      this.#done(true);
    });
    return worker;
  }
}
