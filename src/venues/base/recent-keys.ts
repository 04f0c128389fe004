/** A bounded set of the most recent keys, to detect duplicates. */
export class RecentKeys<Key> {
  readonly #capacity: number;
  readonly #keys = new Set<Key>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  has(key: Key): boolean {
    return this.#keys.has(key);
  }

  /** Adds a key. Returns whether the key is new. */
  add(key: Key): boolean {
    if (this.#keys.has(key)) return false;
    this.#keys.add(key);
    if (this.#keys.size > this.#capacity) {
      const [oldest = key] = this.#keys;
      this.#keys.delete(oldest);
    }
    return true;
  }
}
