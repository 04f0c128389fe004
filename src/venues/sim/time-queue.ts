/**
 * A first-in, first-out queue of items with times. Invariant: the caller of `add` never passes an earlier time.
 *
 * HOT: `nextTime` is read at every message, and every command and answer passes here (bench/replay.ts). The growing
 * ring buffer allocates nothing per item. Its length is a power of two, so that a bit mask wraps an index.
 */
export class TimeQueue<T> {
  #times = new Float64Array(16);
  #items: (T | undefined)[] = new Array<T | undefined>(16).fill(undefined);
  #head = 0;
  #count = 0;

  /** Time of the first item; Infinity if the queue is empty. */
  get nextTime(): number {
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
 * A list of items by time. Items with the same time keep the order of `add`. A new item usually belongs at the end.
 *
 * HOT: `nextTime` is read at every message. Only commands with a placing delay are added (bench/replay.ts).
 */
export class TimeList<T> {
  readonly #entries: { readonly time: number; readonly item: T }[] = [];

  /** Time of the earliest item; Infinity if the list is empty. */
  get nextTime(): number {
    return this.#entries.length === 0 ? Number.POSITIVE_INFINITY : this.#entries[0]!.time;
  }

  add(time: number, item: T): void {
    let at = this.#entries.length;
    while (at > 0 && this.#entries[at - 1]!.time > time) at -= 1;
    this.#entries.splice(at, 0, { time, item });
  }

  /** Removes the earliest item. @throws Error if the list is empty */
  shift(): T {
    const first = this.#entries.shift();
    if (first === undefined) throw new Error('Invariant: the list is empty');
    return first.item;
  }
}
