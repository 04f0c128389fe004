/**
 * Future deadlines: a heap by (time, rank, subject).
 *
 * HOT: orders with an expiration pass here. The entry of a closed order stays in the heap. A full heap removes these
 * obsolete entries (`isValid`), and grows only if more than half of the entries are valid.
 */

/** Kinds of deadlines, in their order at equal times. */
export const DEADLINE_RANK = { expiration: 0, heartbeat: 1, market: 2 } as const;

/** Returns whether a deadline is still valid. */
export type IsValid = (time: number, rank: number, subject: number) => boolean;

export class Deadlines {
  declare private readonly isValid: IsValid;
  #time = new Float64Array(64);
  #rank = new Int32Array(64);
  /** Number of the order, credential or market. */
  #subject = new Float64Array(64);
  #size = 0;
  /** Cached time of the first deadline; Infinity if there is none. */
  #first = Number.POSITIVE_INFINITY;

  constructor(isValid: IsValid) {
    this.isValid = isValid;
  }

  /** Number of entries, including obsolete ones. */
  get size(): number {
    return this.#size;
  }

  /** Returns whether the first entry, which may be obsolete, is due. */
  mayBeDue(now: number): boolean {
    return this.#first <= now;
  }

  /** Time of the first valid deadline; Infinity if there is none. Removes obsolete deadlines. */
  get next(): number {
    while (this.#size > 0 && !this.isValid(this.#time[0]!, this.#rank[0]!, this.#subject[0]!)) this.pop();
    return this.#size === 0 ? Number.POSITIVE_INFINITY : this.#time[0]!;
  }

  /** Rank of the first deadline; valid after `next` returned a time. */
  get rank(): number {
    return this.#rank[0]!;
  }

  /** Subject of the first deadline; valid after `next` returned a time. */
  get subject(): number {
    return this.#subject[0]!;
  }

  /** @param time epoch ms @param rank of `DEADLINE_RANK` @param subject number of the order, credential or market */
  add(time: number, rank: number, subject: number): void {
    if (this.#size === this.#time.length) this.#compact();
    this.#siftUp(this.#size++, time, rank, subject);
    this.#first = this.#time[0]!;
  }

  pop(): void {
    const last = --this.#size;
    if (last > 0) this.#siftDown(0, this.#time[last]!, this.#rank[last]!, this.#subject[last]!);
    this.#first = last > 0 ? this.#time[0]! : Number.POSITIVE_INFINITY;
  }

  #siftUp(from: number, time: number, rank: number, subject: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(time, rank, subject, parent)) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#put(at, time, rank, subject);
  }

  #siftDown(from: number, time: number, rank: number, subject: number): void {
    let at = from;
    for (let child = 1; child < this.#size; child = 2 * at + 1) {
      const right = child + 1;
      if (right < this.#size && this.#isBefore(this.#time[right]!, this.#rank[right]!, this.#subject[right]!, child)) {
        child = right;
      }
      if (this.#isBefore(time, rank, subject, child)) break;
      this.#move(child, at);
      at = child;
    }
    this.#put(at, time, rank, subject);
  }

  #isBefore(time: number, rank: number, subject: number, other: number): boolean {
    const otherTime = this.#time[other]!;
    if (time !== otherTime) return time < otherTime;
    if (rank !== this.#rank[other]!) return rank < this.#rank[other]!;
    return subject < this.#subject[other]!;
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#time[from]!, this.#rank[from]!, this.#subject[from]!);
  }

  #put(at: number, time: number, rank: number, subject: number): void {
    this.#time[at] = time;
    this.#rank[at] = rank;
    this.#subject[at] = subject;
  }

  #compact(): void {
    const count = this.#size;
    this.#size = 0;
    for (let at = 0; at < count; at++) {
      const time = this.#time[at]!;
      const rank = this.#rank[at]!;
      const subject = this.#subject[at]!;
      // `#siftUp` writes no position beyond `at`.
      if (this.isValid(time, rank, subject)) this.#siftUp(this.#size++, time, rank, subject);
    }
    if (2 * this.#size > count) this.#grow();
  }

  #grow(): void {
    const length = 2 * this.#time.length;
    const [time, rank, subject] = [this.#time, this.#rank, this.#subject];
    this.#time = new Float64Array(length);
    this.#rank = new Int32Array(length);
    this.#subject = new Float64Array(length);
    this.#time.set(time);
    this.#rank.set(rank);
    this.#subject.set(subject);
  }
}
