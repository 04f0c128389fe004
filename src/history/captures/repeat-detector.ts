import { z } from 'zod';

const KEYS = z.array(z.tuple([z.string(), z.number()]));
/** Schema of the saved state: the older keys, then the newer keys, with their numbers. */
export const SAVED_KEYS = z.tuple([KEYS, KEYS]);

/**
 * Detects repeated messages by the keys of recent messages: at least the last `minKeys`, and fewer than twice as many.
 * A single map would be slow, because finding its oldest key passes over all deleted keys.
 */
export class RepeatDetector {
  readonly #minKeys: number;
  #older: Map<string, number> = new Map();
  #newer: Map<string, number> = new Map();

  constructor(minKeys: number) {
    this.#minKeys = minKeys;
  }

  /**
   * Returns true for a known key. Adds an unknown key and returns false. @param number second part of the key, not in
   * the text for speed
   */
  checkAndAdd(key: string, number = 0): boolean {
    if ((this.#newer.get(key) ?? this.#older.get(key)) === number) return true;
    this.#newer.set(key, number);
    if (this.#newer.size < this.#minKeys) return false;
    this.#older = this.#newer;
    this.#newer = new Map();
    return false;
  }

  save(): z.output<typeof SAVED_KEYS> {
    return [[...this.#older], [...this.#newer]];
  }

  restore([older, newer]: z.output<typeof SAVED_KEYS>): void {
    this.#older = new Map(older);
    this.#newer = new Map(newer);
  }
}
