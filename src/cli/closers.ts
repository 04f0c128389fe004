import { Fault } from '../domain/index.ts';
import type { Log } from '../ops/index.ts';

/** What was taken and has to be given back. */
export class Closers {
  readonly #closers: (() => void | Promise<void>)[] = [];
  readonly #log: Log;
  #isClosed = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** @throws Fault STOPPED when all was given back before: then this is, too, and nothing more is to be taken */
  add(close: () => void | Promise<void>): void {
    this.#closers.push(close);
    if (!this.#isClosed) return;
    void this.close();
    throw new Fault('STOPPED', 'it was ended while it was being opened');
  }

  /** Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const close of this.#closers.splice(0).toReversed()) {
      try {
        await close();
      } catch (error) {
        this.#log.warn({ err: error }, 'something did not close in good order');
      }
    }
  }
}
