import type { CapturedMessage, CaptureFile } from './capture-file.ts';

/** A position in the messages of one file. */
export class CaptureCursor<E> {
  readonly file: CaptureFile<E>;
  /** Number of messages before the position. */
  taken = 0;
  readonly #batches: AsyncGenerator<CapturedMessage<E>[]>;
  #batch: readonly CapturedMessage<E>[] = [];
  #at = 0;

  constructor(file: CaptureFile<E>) {
    this.file = file;
    this.#batches = file.messages();
  }

  /** The message at the position; undefined at the end of the file, and before `refill`. */
  get message(): CapturedMessage<E> | undefined {
    return this.#batch[this.#at];
  }

  /** Moves to the next message. Returns false at the end of a batch: then call `refill`. */
  advance(): boolean {
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

  /** Skips messages that a saved import has read. */
  async skip(messages: number): Promise<void> {
    while (this.taken < messages && this.message !== undefined) if (!this.advance()) await this.refill();
  }

  async close(): Promise<void> {
    await this.#batches.return(undefined);
  }
}

/** Returns the first cursor with the earliest message, by receive time or, if missing, by exchange time. */
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
