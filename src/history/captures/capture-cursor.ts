import type { CapturedMessage, CaptureFile } from './capture-file.ts';

/** A place in the messages of one file. */
export class CaptureCursor<E> {
  readonly file: CaptureFile<E>;
  /** Messages that were taken. */
  taken = 0;
  readonly #batches: AsyncGenerator<CapturedMessage<E>[]>;
  #batch: readonly CapturedMessage<E>[] = [];
  #at = 0;

  constructor(file: CaptureFile<E>) {
    this.file = file;
    this.#batches = file.messages();
  }

  /** The next message; undefined at the end, and before `refill`. */
  get message(): CapturedMessage<E> | undefined {
    return this.#batch[this.#at];
  }

  /** Steps over the message. @returns false at the end of a batch: `refill` reads on */
  step(): boolean {
    this.#at += 1;
    this.taken += 1;
    return this.#at < this.#batch.length;
  }

  /** Reads the next batch, if there is one. */
  async refill(): Promise<void> {
    const { done, value } = await this.#batches.next();
    this.#batch = done === true ? [] : value;
    this.#at = 0;
  }

  /** Steps over messages that a saved import has taken. */
  async skip(messages: number): Promise<void> {
    while (this.taken < messages && this.message !== undefined) if (!this.step()) await this.refill();
  }

  async close(): Promise<void> {
    await this.#batches.return(undefined);
  }
}

/** The cursor with the earliest message, by receive time, or by exchange time where there is none; of equal ones the first. */
export function earliestCapture<E>(cursors: readonly CaptureCursor<E>[]): CaptureCursor<E> | undefined {
  let best: CaptureCursor<E> | undefined;
  let bestTime = Number.POSITIVE_INFINITY;
  for (const cursor of cursors) {
    const { message } = cursor;
    if (message === undefined) continue;
    const time = message.receivedAt ?? message.at;
    if (time >= bestTime) continue;
    best = cursor;
    bestTime = time;
  }
  return best;
}
