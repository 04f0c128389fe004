/** Consecutive items as parallel lists. `times` has the time of each item, epoch ms. */
interface Batch {
  readonly times: readonly number[];
}

/** A position in a stream of batches. `source` is what the stream reads. */
export class BatchCursor<B extends Batch, S> {
  readonly source: S;
  itemsPassed = 0;
  /** The current batch; undefined before `refill`, and at the end of the stream. */
  batch: B | undefined;
  indexInBatch = 0;
  readonly #batches: AsyncGenerator<B>;

  constructor(source: S, batches: AsyncGenerator<B>) {
    this.source = source;
    this.#batches = batches;
  }

  /** Moves to the next item. Returns false at the end of a batch; the caller then calls `refill`. */
  advance(): boolean {
    this.indexInBatch += 1;
    this.itemsPassed += 1;
    return this.indexInBatch < (this.batch?.times.length ?? 0);
  }

  async refill(): Promise<void> {
    this.batch = undefined;
    this.indexInBatch = 0;
    let next = await this.#batches.next();
    while (next.done !== true && next.value.times.length === 0) next = await this.#batches.next();
    this.batch = next.done === true ? undefined : next.value;
  }

  /** @param onBatch called after each batch that is skipped */
  async skipTo(count: number, onBatch: () => void): Promise<void> {
    while (this.itemsPassed < count && this.batch !== undefined) {
      if (this.advance()) continue;
      await this.refill();
      onBatch();
    }
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
    const time = cursor.batch?.times[cursor.indexInBatch];
    if (time === undefined || (best !== undefined && time >= bestTime)) continue;
    best = cursor;
    bestTime = time;
  }
  return best;
}
