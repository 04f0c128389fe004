/** A bounded set of the last seen keys, to detect duplicates. */
export class Recent<Key> {
  readonly #most: number;
  readonly #keys = new Set<Key>();

  constructor(most: number) {
    this.#most = most;
  }

  has(key: Key): boolean {
    return this.#keys.has(key);
  }

  /** @returns whether it is new */
  add(key: Key): boolean {
    if (this.#keys.has(key)) return false;
    this.#keys.add(key);
    if (this.#keys.size > this.#most) this.#forgetOldest();
    return true;
  }

  #forgetOldest(): void {
    for (const oldest of this.#keys) {
      this.#keys.delete(oldest);
      return;
    }
  }
}
