/**
 * Things on their way along a line that keeps its order: first in, first out, each with its time.
 *
 * HOT: asked for `next` at every message, and passed by every command and answer; a ring that grows, nothing is allocated
 * per item. Measured in bench/replay.ts.
 * Invariant: times never fall from one item to the next; who adds takes care of it.
 */
export class TimeQueue<T> {
  #times = new Float64Array(16);
  #items: (T | undefined)[] = new Array<T | undefined>(16).fill(undefined);
  #head = 0;
  #count = 0;

  /** Time of the first; Infinity when there is none. */
  get next(): number {
    return this.#count === 0 ? Number.POSITIVE_INFINITY : this.#times[this.#head]!;
  }

  /** The first; undefined when there is none. */
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

  /** Takes the first out. @throws Error when there is none */
  take(): T {
    const item = this.#items[this.#head];
    if (this.#count === 0 || item === undefined) throw new Error('Invariant: nothing is on its way');
    this.#items[this.#head] = undefined;
    this.#head = (this.#head + 1) & (this.#items.length - 1);
    this.#count -= 1;
    return item;
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
