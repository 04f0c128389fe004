import type { Log } from '../ops/index.ts';

/** What was taken and has to be given back. */
export class Closers {
  readonly #closers: (() => void | Promise<void>)[] = [];
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  add(close: () => void | Promise<void>): void {
    this.#closers.push(close);
  }

  async close(): Promise<void> {
    for (const close of this.#closers.splice(0).toReversed()) {
      try {
        await close();
      } catch (error) {
        this.#log.warn({ err: error }, 'something did not close in good order');
      }
    }
  }
}
