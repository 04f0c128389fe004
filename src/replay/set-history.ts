/**
 * How open orders moved by the last sets of their level, so that a print which comes after its set can be put before it
 * (docs/spec/models.md#late-prints).
 *
 * HOT: written at each set of a level with own orders; columns, a few entries a slot. Measured in bench/replay.ts.
 */
import type { QueueModel } from './queue.ts';

/** Sets remembered for each order. */
const DEPTH = 8;
const CAPACITY = 64;

/** Micro-shares. Entry `n` of a slot is its n-th set, kept while it is one of the last `DEPTH`. */
export class SetHistory {
  /** How many sets there were since the order came to rest. */
  #count = new Float64Array(CAPACITY);
  /** The order's front before the set, and what was printed since the one before. */
  #front = new Float64Array(CAPACITY * DEPTH);
  #printed = new Float64Array(CAPACITY * DEPTH);
  /** The level before and after. */
  #before = new Float64Array(CAPACITY * DEPTH);
  #after = new Float64Array(CAPACITY * DEPTH);
  /** What stood before the order that was cancelled or reduced; infinite where the recording does not say. */
  #ahead = new Float64Array(CAPACITY * DEPTH);

  open(slot: number): void {
    this.#count[slot] = 0;
  }

  grow(slots: number): void {
    this.#count = longer(this.#count, slots);
    this.#front = longer(this.#front, slots * DEPTH);
    this.#printed = longer(this.#printed, slots * DEPTH);
    this.#before = longer(this.#before, slots * DEPTH);
    this.#after = longer(this.#after, slots * DEPTH);
    this.#ahead = longer(this.#ahead, slots * DEPTH);
  }

  add(slot: number, front: number, printed: number, before: number, after: number, ahead: number): void {
    const count = this.#count[slot]!;
    const at = slot * DEPTH + (count % DEPTH);
    this.#front[at] = front;
    this.#printed[at] = printed;
    this.#before[at] = before;
    this.#after[at] = after;
    this.#ahead[at] = ahead;
    this.#count[slot] = count + 1;
  }

  /** The latest set that fell by a print of this size, else the one that fell most; -1 if there was no set. */
  explainedBy(slot: number, shares: number): number {
    const count = this.#count[slot]!;
    let [best, most] = [-1, Number.NEGATIVE_INFINITY];
    for (let entry = count - 1; entry >= Math.max(0, count - DEPTH); entry -= 1) {
      const at = slot * DEPTH + (entry % DEPTH);
      const fall = this.#before[at]! - this.#after[at]! - this.#printed[at]!;
      if (fall >= shares) return entry;
      if (fall > most) [best, most] = [entry, fall];
    }
    return best;
  }

  frontBefore(slot: number, entry: number): number {
    return this.#front[slot * DEPTH + (entry % DEPTH)]!;
  }

  /** Moves an order again by a set and those after it. @returns its front @param front before the set @param late printed before it, and not known then */
  moveAgain(slot: number, entry: number, front: number, late: number, queue: QueueModel): number {
    let [moved, more] = [front, late];
    for (let each = entry; each < this.#count[slot]!; each += 1) {
      const at = slot * DEPTH + (each % DEPTH);
      if (each > entry) moved = Math.max(0, moved - this.#printed[at]!);
      this.#front[at] = moved;
      this.#printed[at]! += more;
      moved = queue.afterSet(moved, this.#before[at]!, this.#after[at]!, this.#printed[at]!, this.#ahead[at]!);
      more = 0;
    }
    return moved;
  }
}

/** The column with room for more. */
export function longer(column: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const copy = new Float64Array(length);
  copy.set(column);
  return copy;
}
