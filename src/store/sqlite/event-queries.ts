/**
 * Queries an account's order events. Each event contains the id of the account's previous event, so no index is needed.
 * With an index, a busy venue would write a thousand more pages for each batch.
 *
 * Invariant: events that earlier versions wrote have one row each (`order_events`). Their ids are below all blocks'.
 */
import { type EventNumbers, type OrderEventRow, type ResumedEvents, toOrderEventRow } from '../../exchange/index.ts';
import type { DatabaseReads } from './database-reads.ts';
import { blockFault, type EventBlock, eventIn } from './event-block.ts';
import { findFirstSince, type TimedId } from './list-query.ts';

/** Number of newest order events that are never removed. */
export const RETAINED_EVENTS = 10_000;

export class EventQueries {
  readonly #reads: DatabaseReads;
  readonly #byId;
  readonly #findBlock;
  readonly #next;
  readonly #nextBlock;
  readonly #newest;
  readonly #newestBlocks;

  constructor(reads: DatabaseReads) {
    const { connection } = reads;
    this.#reads = reads;
    this.#byId = connection.prepare<[number], EventNumbers>(
      `SELECT *, order_no AS "order" FROM order_events WHERE id = ?`,
    );
    this.#findBlock = connection.prepare<[{ readonly id: number }], EventBlock>(
      `SELECT first, last, count, at, crc, bytes FROM event_blocks
        WHERE last = (SELECT min(last) FROM event_blocks WHERE last >= :id) AND first <= :id`,
    );
    this.#next = connection.prepare<[number], TimedId>(
      'SELECT id, at FROM order_events WHERE id >= ? ORDER BY id LIMIT 1',
    );
    this.#nextBlock = connection.prepare<[number], TimedId>(
      'SELECT last AS id, at FROM event_blocks WHERE last >= ? ORDER BY last LIMIT 1',
    );
    this.#newest = connection
      .prepare<[number], number>('SELECT id FROM order_events ORDER BY id DESC LIMIT 1 OFFSET ?')
      .pluck();
    this.#newestBlocks = connection.prepare<[], { readonly last: number; readonly count: number }>(
      'SELECT last, count FROM event_blocks ORDER BY last DESC',
    );
  }

  /**
   * Returns the events after `afterSeq`, oldest first. Beyond `max` reads, the result is empty and incomplete.
   * @param newest id of the account's last event (twice its `seq`, or one more); 0 for none
   * @throws FileFault for a damaged block
   */
  after(newest: number, afterSeq: number, market: number | undefined, max: number): ResumedEvents {
    const events: OrderEventRow[] = [];
    const find = this.#createFinder();
    let id = newest;
    let reads = 0;
    for (; id !== 0 && Math.floor(id / 2) > afterSeq; reads += 1) {
      const event = reads < max ? find(id) : undefined;
      if (event === undefined) return { events: [], isComplete: false };
      if (market === undefined || event.row.market === market) events.push(event.row);
      id = event.previous;
    }
    const ordered = events.toReversed();
    if (market === undefined || ordered.length === 0) return { events: ordered, isComplete: true };
    // Find the predecessor of the oldest event in the same market.
    let predecessor = find(id);
    for (; predecessor !== undefined && predecessor.row.market !== market && reads < max; reads += 1) {
      id = predecessor.previous;
      predecessor = find(id);
    }
    const firstPrevSeq = predecessor?.row.market === market ? predecessor.row.seq : id === 0 ? 0 : afterSeq;
    const linked = ordered.map((event, index) => ({ ...event, prevSeq: ordered[index - 1]?.seq ?? firstPrevSeq }));
    return { events: linked, isComplete: true };
  }

  /**
   * Returns the id before which rows and complete blocks can be removed; 0 if none can. Their events are older than
   * `olderThan` (epoch ms) and not among the last `keptCount`.
   */
  boundary(olderThan: number, keptCount: number): number {
    return this.#reads.query(() => {
      const end = this.#lastRemovable(keptCount);
      if (end === undefined) return 0;
      return findFirstSince(olderThan, end, (id) => this.#next.get(id) ?? this.#nextBlock.get(id));
    }, 'event_blocks');
  }

  /** Returns the id of the newest event, or of a block's last event, that has at least `keptCount` events after it. */
  #lastRemovable(keptCount: number): number | undefined {
    let remaining = keptCount;
    for (const { last, count } of this.#newestBlocks.iterate()) {
      if (remaining <= 0) return last;
      remaining -= count;
    }
    return this.#newest.get(Math.max(remaining, 0));
  }

  /** Returns a function that finds events by id. Remove no events meanwhile, because it caches a block. */
  #createFinder() {
    let block: EventBlock | undefined;
    return (id: number) => {
      if (id === 0) return undefined;
      if (block === undefined || id < block.first || id > block.last) block = this.#readBlock(id);
      const found =
        block === undefined ? this.#reads.query(() => this.#byId.get(id), 'order_events') : eventIn(block, id);
      if (found === undefined) return undefined;
      const row = this.#reads.decode(
        () => toOrderEventRow(found),
        () => `order event ${id}`,
      );
      return { row, previous: found.previous };
    };
  }

  /** Returns the block whose range includes an id, if there is one. */
  #readBlock(id: number): EventBlock | undefined {
    const block = this.#reads.query(() => this.#findBlock.get({ id }), 'event_blocks');
    const fault = block === undefined ? undefined : blockFault(block);
    if (block === undefined || fault === undefined) return block;
    throw this.#reads.recordDamage(`order events ${block.first} to ${block.last}`, fault);
  }
}
