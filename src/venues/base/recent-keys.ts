/**
 * The most recent keys, to detect duplicates: at least the last `minKeys` keys, and fewer than twice as many. Two sets
 * avoid the deletion of single keys, because a search for the oldest key of a set passes all deleted keys.
 */
export class RecentKeys<Key> {
  readonly #minKeys: number;
  #older: ReadonlySet<Key> = new Set();
  #newer = new Set<Key>();

  constructor(minKeys: number) {
    this.#minKeys = minKeys;
  }

  has(key: Key): boolean {
    return this.#newer.has(key) || this.#older.has(key);
  }

  /** @returns whether the key is new */
  add(key: Key): boolean {
    if (this.has(key)) return false;
    this.#newer.add(key);
    if (this.#newer.size < this.#minKeys) return true;
    this.#older = this.#newer;
    this.#newer = new Set();
    return true;
  }
}
