/**
 * A venue's book kept in step by its snapshot and deltas (docs/spec/venue.md#order-book-stream).
 *
 * Invariants: while `synced`, the ladder equals the venue's view at `seq`. A delta extends it exactly when its
 * `prevSeq` is our `seq`; what is older was already in; anything else, or a checksum that differs, ends `synced`, and
 * nothing is applied until the next snapshot, so that one fault causes one request for a snapshot.
 */
import { bookChecksum } from './checksum.ts';
import { BOOK_SIDE, type Ladder } from './ladder.ts';
import type { BookLevel, BookView } from './view.ts';

export interface BookSnapshot {
  /** The engine's number of the book's last change. */
  readonly seq: number;
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
  /** Of the view after this; left out where the source has none. */
  readonly checksum?: number;
}

/** What changed in the view; a level with 0 shares has left it. */
export interface BookDelta extends BookSnapshot {
  /** `seq` of the event before; equal to `seq` in an empty keep-alive frame. */
  readonly prevSeq: number;
}

/**
 * What became of a frame. `old`: already in, dropped. `gap`, `corrupt`: request a new snapshot, once. `waiting`:
 * dropped because that snapshot, or the first one, has not come yet.
 */
export type BookOutcome = 'applied' | 'old' | 'gap' | 'corrupt' | 'waiting';

export class BookReplica {
  readonly #ladder: Ladder;
  #seq = 0;
  #synced = false;

  /** @param ladder empty or not, the first snapshot replaces its content; only this replica may write to it */
  constructor(ladder: Ladder) {
    this.#ladder = ladder;
  }

  get book(): BookView {
    return this.#ladder;
  }

  /** The last change that is in; 0 before the first snapshot. */
  get seq(): number {
    return this.#seq;
  }

  /** False before the first snapshot and after a fault: the book must not be traded on. */
  get synced(): boolean {
    return this.#synced;
  }

  /** Takes the whole view, whatever was there before. */
  snapshot(frame: BookSnapshot): BookOutcome {
    this.#ladder.clear();
    this.#seq = frame.seq;
    this.#write(frame);
    return this.#verify(frame);
  }

  delta(frame: BookDelta): BookOutcome {
    if (!this.#synced) return 'waiting';
    const alive = frame.seq === this.#seq && frame.prevSeq === this.#seq;
    if (frame.seq <= this.#seq && !alive) return 'old';
    if (frame.prevSeq !== this.#seq) {
      this.#synced = false;
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

  #verify(frame: BookSnapshot): BookOutcome {
    this.#synced = frame.checksum === undefined || frame.checksum === bookChecksum(this.#ladder);
    return this.#synced ? 'applied' : 'corrupt';
  }
}
