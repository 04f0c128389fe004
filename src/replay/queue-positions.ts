import type { PlaceOrder } from '../domain/index.ts';
import type { QueueModel } from './queue.ts';
import { longer, SetHistory } from './set-history.ts';

/** HOT: queue positions of open orders among the outside's shares, by slot (bench/replay.ts). */
export class QueuePositions {
  /** Outside micro-shares before the order. */
  front = new Float64Array(64);
  /** `front` when the order came to rest. */
  frontAtArrival = new Float64Array(64);
  /** Micro-shares printed at the order's level since the last set. */
  printed = new Float64Array(64);
  readonly sets = new SetHistory();
  readonly place: (PlaceOrder | undefined)[] = new Array<PlaceOrder | undefined>(64).fill(undefined);
  /** When the order came to rest, epoch ms. */
  since = new Float64Array(64);

  open(slot: number, place: PlaceOrder | undefined, front: number, printed: number, now: number): void {
    if (slot >= this.front.length) this.#grow(slot);
    this.place[slot] = place;
    this.front[slot] = front;
    this.sets.open(slot);
    this.frontAtArrival[slot] = front;
    this.printed[slot] = printed;
    this.since[slot] = now;
  }

  /** Advances an order whose level went from `before` to `after`. @param ahead as in `QueueModel` */
  move(slot: number, queue: QueueModel, before: number, after: number, ahead: number): void {
    const front = this.front[slot]!;
    const printed = this.printed[slot]!;
    this.sets.add(slot, front, printed, before, after, ahead);
    this.front[slot] = queue.afterSet(front, before, after, printed, ahead);
    this.printed[slot] = 0;
  }

  #grow(slot: number): void {
    const length = 2 << (31 - Math.clz32(slot));
    this.front = longer(this.front, length);
    this.sets.grow(length);
    this.frontAtArrival = longer(this.frontAtArrival, length);
    this.printed = longer(this.printed, length);
    this.since = longer(this.since, length);
    while (this.place.length < length) this.place.push(undefined);
  }
}
