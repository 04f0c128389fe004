/**
 * A first-in, first-out queue of items with times. Invariant: the caller of `add` never passes an earlier time.
 *
 * HOT: `next` is read at every message, and every command and answer passes here (bench/replay.ts). A growing ring buffer
 * allocates nothing per item.
 */
export class TimeQueue<T> {
  #times = new Float64Array(16);
  #items: (T | undefined)[] = new Array<T | undefined>(16).fill(undefined);
  #head = 0;
  #count = 0;

  /** Time of the first item; Infinity if the queue is empty. */
  get next(): number {
    return this.#count === 0 ? Number.POSITIVE_INFINITY : this.#times[this.#head]!;
  }

  /** The first item; undefined if the queue is empty. */
  get first(): T | undefined {
    return this.#count === 0 ? undefined : this.#items[this.#head];
  }

  add(time: number, item: T): void {
    if (this.#count === this.#items.length) this.#grow();
    const slot = (this.#head + this.#count) & (this.#items.length - 1);
    this.#times[slot] = time;
    this.#items[slot] = item;
    this.#count += 1;
  }

  /** Removes the first item. @throws Error if the queue is empty */
  shift(): T {
    const item = this.#items[this.#head];
    if (this.#count === 0 || item === undefined) throw new Error('Invariant: the queue is empty');
    this.#items[this.#head] = undefined;
    this.#head = (this.#head + 1) & (this.#items.length - 1);
    this.#count -= 1;
    return item;
  }

  *items(): Generator<T> {
    for (let at = 0; at < this.#count; at += 1) yield this.#items[(this.#head + at) & (this.#items.length - 1)]!;
  }

  #grow(): void {
    const { length } = this.#items;
    const times = new Float64Array(2 * length);
    const items = new Array<T | undefined>(2 * length).fill(undefined);
    for (let at = 0; at < length; at += 1) {
      const slot = (this.#head + at) & (length - 1);
      times[at] = this.#times[slot]!;
      items[at] = this.#items[slot];
    }
    this.#times = times;
    this.#items = items;
    this.#head = 0;
  }
}

/**
 * A heap of items by time; items with the same time keep the order of `add`.
 *
 * HOT: `next` is read at every message; only orders with an expiry and commands with a placing delay are added.
 */
export class TimeHeap<T> {
  readonly #times: number[] = [];
  readonly #ranks: number[] = [];
  readonly #items: T[] = [];
  #added = 0;

  /** Time of the earliest item; Infinity if the heap is empty. */
  get next(): number {
    return this.#times.length === 0 ? Number.POSITIVE_INFINITY : this.#times[0]!;
  }

  add(time: number, item: T): void {
    this.#added += 1;
    let hole = this.#items.length;
    this.#put(hole, time, this.#added, item);
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      if (!this.#before(hole, parent)) return;
      this.#swap(hole, parent);
      hole = parent;
    }
  }

  /** Removes the earliest item. @throws Error if the heap is empty */
  shift(): T {
    const first = this.#items[0];
    const [time, rank, item] = [this.#times.pop(), this.#ranks.pop(), this.#items.pop()];
    if (first === undefined || time === undefined || rank === undefined || item === undefined) {
      throw new Error('Invariant: the heap is empty');
    }
    if (this.#items.length > 0) this.#put(0, time, rank, item);
    for (let hole = 0; ; ) {
      const left = 2 * hole + 1;
      if (left >= this.#items.length) return first;
      const right = left + 1;
      const child = right < this.#items.length && this.#before(right, left) ? right : left;
      if (!this.#before(child, hole)) return first;
      this.#swap(child, hole);
      hole = child;
    }
  }

  #before(a: number, b: number): boolean {
    const [timeA, timeB] = [this.#times[a]!, this.#times[b]!];
    return timeA !== timeB ? timeA < timeB : this.#ranks[a]! < this.#ranks[b]!;
  }

  #put(index: number, time: number, rank: number, item: T): void {
    this.#times[index] = time;
    this.#ranks[index] = rank;
    this.#items[index] = item;
  }

  #swap(a: number, b: number): void {
    const [time, rank, item] = [this.#times[a]!, this.#ranks[a]!, this.#items[a]!];
    this.#put(a, this.#times[b]!, this.#ranks[b]!, this.#items[b]!);
    this.#put(b, time, rank, item);
  }
}
