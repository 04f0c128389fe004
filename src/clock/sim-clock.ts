import { type EpochMs, unchecked } from '../domain/index.ts';
import type { Clock } from './clock.ts';

/** Ranks of entries with the same time (docs/spec/models.md#time-and-look-ahead). The lowest rank runs first. */
export const RANK = { market: 0, command: 1, delivery: 2, timer: 3 } as const;

/**
 * A clock that moves only when its owner calls `runNext` or `advanceTo`.
 *
 * HOT: every message reads `nextTime` (bench/replay.ts). A binary heap orders slots by time, rank and sequence number.
 * Parallel columns store the entries, so the callback is an entry's only object.
 *
 * Invariants: `now` never goes back and never passes a pending entry. Entries with equal time and rank run in the order
 * in which they were scheduled.
 */
export class SimClock implements Clock {
  /** Starts with a number, because V8 would allocate at each change of a field that starts undefined. */
  #now = 0;
  #count = 0;
  #lastSeq = 0;
  #free: number[] = [];
  /** Slots in heap order. */
  #heap = new Int32Array(64);
  /** Index in `#heap` by slot, which a cancel needs. */
  #heapIndex = new Int32Array(64);
  #time = new Float64Array(64);
  #rank = new Uint8Array(64);
  /** 0 for a free slot. */
  #seq = new Float64Array(64);
  #arg = new Float64Array(64);
  #fire: ((arg: number) => void)[] = [];

  constructor(start: EpochMs) {
    this.#now = start;
  }

  get pending(): number {
    return this.#count;
  }

  now(): EpochMs {
    return unchecked.time(this.#now);
  }

  /** Schedules with the rank `timer`. Treats a time in the past as now. */
  schedule(when: EpochMs, fire: () => void): () => void {
    return this.scheduleRanked(when, RANK.timer, fire);
  }

  /** Schedules `fire` after the entries of equal time and lower rank. @returns a function that cancels the call */
  scheduleRanked(when: number, rank: number, fire: () => void): () => void {
    const slot = this.#add(when, rank, fire, 0);
    const seq = this.#lastSeq;
    return () => {
      if (this.#seq[slot] === seq) this.#remove(slot);
    };
  }

  /** Schedules `fire(arg)` like `scheduleRanked`, but allocates no closure and cannot be cancelled. */
  post(when: number, rank: number, fire: (arg: number) => void, arg: number): void {
    this.#add(when, rank, fire, arg);
  }

  /** Returns the time of the next entry; Infinity without an entry. */
  nextTime(): number {
    return this.#count === 0 ? Number.POSITIVE_INFINITY : this.#time[this.#heap[0]!]!;
  }

  /** Moves to the next entry and runs it. @throws Error without an entry */
  runNext(): void {
    if (this.#count === 0) throw new Error('Invariant: the sim clock has nothing left to run');
    const slot = this.#heap[0]!;
    const fire = this.#fire[slot]!;
    const arg = this.#arg[slot]!;
    this.#now = this.#time[slot]!;
    this.#remove(slot);
    fire(arg);
  }

  /** Moves to `time` without running entries of this time. @throws Error if the clock would pass an entry or go back */
  advanceTo(time: number): void {
    if (!(time >= this.#now)) throw new Error(`Invariant: the sim clock cannot go from ${this.#now} to ${time}`);
    if (time > this.nextTime())
      throw new Error(`Invariant: the sim clock would pass an entry due at ${this.nextTime()}`);
    this.#now = time;
  }

  #add(when: number, rank: number, fire: (arg: number) => void, arg: number): number {
    if (Number.isNaN(when)) throw new Error('Invariant: scheduled at NaN');
    if (this.#count === this.#heap.length) this.#grow();
    const slot = this.#free.pop() ?? this.#count;
    this.#lastSeq += 1;
    this.#time[slot] = when > this.#now ? when : this.#now;
    this.#rank[slot] = rank;
    this.#seq[slot] = this.#lastSeq;
    this.#arg[slot] = arg;
    this.#fire[slot] = fire;
    this.#rise(this.#count, slot);
    this.#count += 1;
    return slot;
  }

  #remove(slot: number): void {
    const hole = this.#heapIndex[slot]!;
    this.#seq[slot] = 0;
    this.#fire[slot] = doNothing;
    this.#free.push(slot);
    this.#count -= 1;
    if (hole === this.#count) return;
    const last = this.#heap[this.#count]!;
    if (hole > 0 && this.#before(last, this.#heap[(hole - 1) >> 1]!)) this.#rise(hole, last);
    else this.#sink(hole, last);
  }

  #rise(from: number, slot: number): void {
    let hole = from;
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      const above = this.#heap[parent]!;
      if (!this.#before(slot, above)) break;
      this.#set(hole, above);
      hole = parent;
    }
    this.#set(hole, slot);
  }

  #sink(from: number, slot: number): void {
    let hole = from;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= this.#count) break;
      if (child + 1 < this.#count && this.#before(this.#heap[child + 1]!, this.#heap[child]!)) child += 1;
      const below = this.#heap[child]!;
      if (!this.#before(below, slot)) break;
      this.#set(hole, below);
      hole = child;
    }
    this.#set(hole, slot);
  }

  #set(index: number, slot: number): void {
    this.#heap[index] = slot;
    this.#heapIndex[slot] = index;
  }

  #before(a: number, b: number): boolean {
    const time = this.#time[a]! - this.#time[b]!;
    if (time !== 0) return time < 0;
    const rank = this.#rank[a]! - this.#rank[b]!;
    return rank !== 0 ? rank < 0 : this.#seq[a]! < this.#seq[b]!;
  }

  #grow(): void {
    const capacity = 2 * this.#heap.length;
    this.#heap = copyInto(this.#heap, new Int32Array(capacity));
    this.#heapIndex = copyInto(this.#heapIndex, new Int32Array(capacity));
    this.#time = copyInto(this.#time, new Float64Array(capacity));
    this.#rank = copyInto(this.#rank, new Uint8Array(capacity));
    this.#seq = copyInto(this.#seq, new Float64Array(capacity));
    this.#arg = copyInto(this.#arg, new Float64Array(capacity));
  }
}

function doNothing(): void {}

function copyInto<T extends Int32Array | Float64Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
