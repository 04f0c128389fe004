/** Items in order, as lists of the same length; `times` has the time of each item, epoch ms. */
interface Batch {
  readonly times: readonly number[];
}

/** A position in a stream of batches, with the source of the stream. */
export class BatchCursor<B extends Batch, S> {
  readonly source: S;
  /** Number of items before the position. */
  taken = 0;
  /** The current batch; undefined before `refill`, and at the end of the stream. */
  batch: B | undefined;
  /** Index of the current item in `batch`. */
  at = 0;
  readonly #batches: AsyncGenerator<B>;

  constructor(source: S, batches: AsyncGenerator<B>) {
    this.source = source;
    this.#batches = batches;
  }

  /** Moves to the next item. Returns false at the end of a batch; the caller then calls `refill`. */
  advance(): boolean {
    this.at += 1;
    this.taken += 1;
    return this.at < (this.batch?.times.length ?? 0);
  }

  /** Reads the next batch with an item, if there is one. */
  async refill(): Promise<void> {
    this.batch = undefined;
    this.at = 0;
    let next = await this.#batches.next();
    while (next.done !== true && next.value.times.length === 0) next = await this.#batches.next();
    this.batch = next.done === true ? undefined : next.value;
  }

  /** Moves to the first item that a saved import had not read. @param taken number of items before it */
  async skip(taken: number): Promise<void> {
    while (this.taken < taken && this.batch !== undefined) if (!this.advance()) await this.refill();
  }

  async close(): Promise<void> {
    await this.#batches.return(undefined);
  }
}

/** Returns the first cursor with the earliest item; undefined when all streams have ended. */
export function findEarliest<B extends Batch, S>(cursors: readonly BatchCursor<B, S>[]): BatchCursor<B, S> | undefined {
  let best: BatchCursor<B, S> | undefined;
  let bestTime = Number.POSITIVE_INFINITY;
  for (const cursor of cursors) {
    const time = cursor.batch?.times[cursor.at];
    if (time === undefined || (best !== undefined && time >= bestTime)) continue;
    best = cursor;
    bestTime = time;
  }
  return best;
}
