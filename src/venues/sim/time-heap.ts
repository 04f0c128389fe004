/**
 * Things to do later, earliest first; at one time in the order in which they were added.
 *
 * HOT: asked for `next` at every message; added to only by orders with an expiry and commands that a placing delay holds.
 */
export class TimeHeap<T> {
  readonly #times: number[] = [];
  readonly #ranks: number[] = [];
  readonly #items: T[] = [];
  #added = 0;

  /** Time of the earliest; Infinity when there is none. */
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

  /** Takes the earliest out. @throws Error when there is none */
  take(): T {
    const first = this.#items[0];
    const [time, rank, item] = [this.#times.pop(), this.#ranks.pop(), this.#items.pop()];
    if (first === undefined || time === undefined || rank === undefined || item === undefined) {
      throw new Error('Invariant: nothing is waiting');
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

  #put(place: number, time: number, rank: number, item: T): void {
    this.#times[place] = time;
    this.#ranks[place] = rank;
    this.#items[place] = item;
  }

  #swap(a: number, b: number): void {
    const [time, rank, item] = [this.#times[a]!, this.#ranks[a]!, this.#items[a]!];
    this.#put(a, this.#times[b]!, this.#ranks[b]!, this.#items[b]!);
    this.#put(b, time, rank, item);
  }
}
