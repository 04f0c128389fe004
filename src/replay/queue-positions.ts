/**
 * Queue positions of open orders among the orders of the outside book, by slot.
 *
 * HOT: written at each requote, and at each recorded size change of a level with own orders (bench/replay.ts).
 */
import type { PlaceOrder } from '../domain/index.ts';
import type { QueueModel } from './queue.ts';

const INITIAL_SLOTS = 64;
const CHANGES_PER_ORDER = 8;

export class QueuePositions {
  /** Outside micro-shares before the order. */
  front = new Float64Array(INITIAL_SLOTS);
  /** `front` when the order came to rest. */
  frontAtArrival = new Float64Array(INITIAL_SLOTS);
  /** Micro-shares printed at the order's level since the last recorded size change. */
  printed = new Float64Array(INITIAL_SLOTS);
  readonly sizeChanges = new SizeChangeHistory();
  /** The bot's command; undefined for an order of another account. */
  readonly placeOrder: (PlaceOrder | undefined)[] = new Array<PlaceOrder | undefined>(INITIAL_SLOTS).fill(undefined);
  /** When the order came to rest, epoch ms. */
  since = new Float64Array(INITIAL_SLOTS);

  open(slot: number, placeOrder: PlaceOrder | undefined, front: number, printed: number, now: number): void {
    if (slot >= this.front.length) this.#grow(slot);
    this.placeOrder[slot] = placeOrder;
    this.front[slot] = front;
    this.sizeChanges.reset(slot);
    this.frontAtArrival[slot] = front;
    this.printed[slot] = printed;
    this.since[slot] = now;
  }

  /** Advances an order whose level went from `before` to `after`. @param ahead as in `QueueModel` */
  move(slot: number, queue: QueueModel, before: number, after: number, ahead: number): void {
    const front = this.front[slot]!;
    const printed = this.printed[slot]!;
    this.sizeChanges.add(slot, front, printed, before, after, ahead);
    this.front[slot] = queue.frontAfter(front, before, after, printed, ahead);
    this.printed[slot] = 0;
  }

  #grow(slot: number): void {
    const length = 2 << (31 - Math.clz32(slot));
    this.front = enlarge(this.front, length);
    this.sizeChanges.grow(length);
    this.frontAtArrival = enlarge(this.frontAtArrival, length);
    this.printed = enlarge(this.printed, length);
    this.since = enlarge(this.since, length);
    while (this.placeOrder.length < length) this.placeOrder.push(undefined);
  }
}

/**
 * The last `CHANGES_PER_ORDER` recorded size changes of each order's level, in a ring per slot, in micro-shares. A late
 * print is applied before the size change that the print explains (docs/spec/models.md#late-prints).
 */
class SizeChangeHistory {
  /** Number of size changes since the order came to rest. */
  #count = new Uint32Array(INITIAL_SLOTS);
  /** The order's front before the change, and the size printed since the previous change. */
  #front = new Float64Array(INITIAL_SLOTS * CHANGES_PER_ORDER);
  #printed = new Float64Array(INITIAL_SLOTS * CHANGES_PER_ORDER);
  /** Size of the level before and after. */
  #before = new Float64Array(INITIAL_SLOTS * CHANGES_PER_ORDER);
  #after = new Float64Array(INITIAL_SLOTS * CHANGES_PER_ORDER);
  /** Size before the cancelled or reduced order; infinite if the recording lacks this size. */
  #ahead = new Float64Array(INITIAL_SLOTS * CHANGES_PER_ORDER);

  reset(slot: number): void {
    this.#count[slot] = 0;
  }

  grow(slots: number): void {
    const counts = new Uint32Array(slots);
    counts.set(this.#count);
    this.#count = counts;
    this.#front = enlarge(this.#front, slots * CHANGES_PER_ORDER);
    this.#printed = enlarge(this.#printed, slots * CHANGES_PER_ORDER);
    this.#before = enlarge(this.#before, slots * CHANGES_PER_ORDER);
    this.#after = enlarge(this.#after, slots * CHANGES_PER_ORDER);
    this.#ahead = enlarge(this.#ahead, slots * CHANGES_PER_ORDER);
  }

  add(slot: number, front: number, printed: number, before: number, after: number, ahead: number): void {
    const count = this.#count[slot]!;
    const at = slot * CHANGES_PER_ORDER + (count % CHANGES_PER_ORDER);
    this.#front[at] = front;
    this.#printed[at] = printed;
    this.#before[at] = before;
    this.#after[at] = after;
    this.#ahead[at] = ahead;
    this.#count[slot] = count + 1;
  }

  /**
   * Returns the number of the latest size change that reduced the level by at least a print's size. Without such a
   * change, returns the number of the change with the largest decrease; -1 without a change. Numbers count from 0 since
   * the order came to rest.
   */
  findChangeOfPrint(slot: number, shares: number): number {
    const count = this.#count[slot]!;
    let [best, largestDecrease] = [-1, Number.NEGATIVE_INFINITY];
    for (let entry = count - 1; entry >= Math.max(0, count - CHANGES_PER_ORDER); entry -= 1) {
      const at = slot * CHANGES_PER_ORDER + (entry % CHANGES_PER_ORDER);
      const decrease = this.#before[at]! - this.#after[at]! - this.#printed[at]!;
      if (decrease >= shares) return entry;
      if (decrease > largestDecrease) [best, largestDecrease] = [entry, decrease];
    }
    return best;
  }

  frontBefore(slot: number, entry: number): number {
    return this.#front[slot * CHANGES_PER_ORDER + (entry % CHANGES_PER_ORDER)]!;
  }

  /**
   * Applies a size change and all later changes again.
   * @param entry number of the change
   * @param front the order's front before the change
   * @param late micro-shares that a late print traded before the change
   * @returns the new front
   */
  reapply(slot: number, entry: number, front: number, late: number, queue: QueueModel): number {
    let [newFront, added] = [front, late];
    for (let each = entry; each < this.#count[slot]!; each += 1) {
      const at = slot * CHANGES_PER_ORDER + (each % CHANGES_PER_ORDER);
      if (each > entry) newFront = Math.max(0, newFront - this.#printed[at]!);
      this.#front[at] = newFront;
      this.#printed[at]! += added;
      newFront = queue.frontAfter(newFront, this.#before[at]!, this.#after[at]!, this.#printed[at]!, this.#ahead[at]!);
      added = 0;
    }
    return newFront;
  }
}

function enlarge(column: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const copy = new Float64Array(length);
  copy.set(column);
  return copy;
}
