/**
 * A copy of a venue's book, maintained from its snapshots and deltas (docs/spec/venue.md#order-book-stream).
 *
 * Invariants: while `isSynced` is true, the ladder equals the venue's view at `seq`. A delta is applied only if its
 * `prevSeq` is the replica's `seq`; older deltas are dropped. A gap or a wrong checksum clears `isSynced`. Deltas are
 * then ignored until the next snapshot, so one fault causes one snapshot request.
 */
import { bookChecksum } from './checksum.ts';
import { BOOK_SIDE, type Ladder } from './ladder.ts';
import type { BookLevel, BookView } from './view.ts';

export interface BookSnapshot {
  /** The venue's sequence number of the book's last change. */
  readonly seq: number;
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
  /** Checksum of the view after this frame; absent if the source has no checksums. */
  readonly checksum?: number;
}

/** `bids` and `asks` are the changed levels; 0 shares removes a level. */
export interface BookDelta extends BookSnapshot {
  /** `seq` of the previous event; equal to `seq` in an empty keep-alive frame. */
  readonly prevSeq: number;
}

/**
 * Result of a frame. `old`: dropped, because it was already applied. `gap`, `corrupt`: request a new snapshot once.
 * `waiting`: dropped, because the first or requested snapshot has not arrived.
 */
export type FrameResult = 'applied' | 'old' | 'gap' | 'corrupt' | 'waiting';

export class BookReplica {
  readonly #ladder: Ladder;
  #seq = 0;
  #isSynced = false;

  /** @param ladder only this replica may write it; the first snapshot replaces its content */
  constructor(ladder: Ladder) {
    this.#ladder = ladder;
  }

  get book(): BookView {
    return this.#ladder;
  }

  /** Sequence number of the last applied change; 0 before the first snapshot. */
  get seq(): number {
    return this.#seq;
  }

  /** False before the first snapshot and after a fault. Do not trade on the book then. */
  get isSynced(): boolean {
    return this.#isSynced;
  }

  applySnapshot(frame: BookSnapshot): FrameResult {
    this.#ladder.clear();
    this.#seq = frame.seq;
    this.#write(frame);
    return this.#verify(frame);
  }

  applyDelta(frame: BookDelta): FrameResult {
    if (!this.#isSynced) return 'waiting';
    const isKeepAlive = frame.seq === this.#seq && frame.prevSeq === this.#seq;
    if (frame.seq <= this.#seq && !isKeepAlive) return 'old';
    if (frame.prevSeq !== this.#seq) {
      this.#isSynced = false;
      return 'gap';
    }
    this.#seq = frame.seq;
    this.#write(frame);
    return this.#verify(frame);
  }

  #write(frame: BookSnapshot): void {
    for (const level of frame.bids) this.#ladder.set(BOOK_SIDE.bid, level.price, level.shares);
    for (const level of frame.asks) this.#ladder.set(BOOK_SIDE.ask, level.price, level.shares);
  }

  #verify(frame: BookSnapshot): FrameResult {
    this.#isSynced = frame.checksum === undefined || frame.checksum === bookChecksum(this.#ladder);
    return this.#isSynced ? 'applied' : 'corrupt';
  }
}
