/**
 * The last changes of the levels of open orders (sets), so that a late print can be applied before the set that it explains
 * (docs/spec/models.md#late-prints).
 *
 * HOT: written at each set of a level with own orders (bench/replay.ts).
 */
import type { QueueModel } from './queue.ts';

/** Sets stored for each order. */
const DEPTH = 8;
const CAPACITY = 64;

/** A ring of the last `DEPTH` sets for each slot. Sizes in micro-shares. */
export class SetHistory {
  /** Number of sets since the order came to rest. */
  #count = new Float64Array(CAPACITY);
  /** The order's front before the set, and the size printed since the previous set. */
  #front = new Float64Array(CAPACITY * DEPTH);
  #printed = new Float64Array(CAPACITY * DEPTH);
  /** Size of the level before and after. */
  #before = new Float64Array(CAPACITY * DEPTH);
  #after = new Float64Array(CAPACITY * DEPTH);
  /** Size before the cancelled or reduced order; infinite if the recording does not have it. */
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

  /** Returns the latest set that a print of this size explains, otherwise the largest decrease; -1 if there was no set. */
  explainedBy(slot: number, shares: number): number {
    const count = this.#count[slot]!;
    let [best, largestFall] = [-1, Number.NEGATIVE_INFINITY];
    for (let entry = count - 1; entry >= Math.max(0, count - DEPTH); entry -= 1) {
      const at = slot * DEPTH + (entry % DEPTH);
      const fall = this.#before[at]! - this.#after[at]! - this.#printed[at]!;
      if (fall >= shares) return entry;
      if (fall > largestFall) [best, largestFall] = [entry, fall];
    }
    return best;
  }

  frontBefore(slot: number, entry: number): number {
    return this.#front[slot * DEPTH + (entry % DEPTH)]!;
  }

  /** Applies a set and the later ones again. @param front before the set @param late size printed before it @returns the new front */
  reapply(slot: number, entry: number, front: number, late: number, queue: QueueModel): number {
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

/** Returns a longer copy of a column. */
export function longer(column: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const copy = new Float64Array(length);
  copy.set(column);
  return copy;
}
