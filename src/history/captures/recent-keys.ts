import { z } from 'zod';

const KEYS = z.array(z.tuple([z.string(), z.number()]));
/** Keys with their marks as JSON holds them: the older half, then the newer one. */
export const SAVED_KEYS = z.tuple([KEYS, KEYS]);

/**
 * Keys of the last messages, by which repeated ones are known. It remembers at least the last `least` keys and fewer than twice as many.
 * Two halves, because to remove the oldest key of one map means to step over all keys that were removed before it.
 */
export class RecentKeys {
  readonly #least: number;
  #older: Map<string, number> = new Map();
  #newer: Map<string, number> = new Map();

  constructor(least: number) {
    this.#least = least;
  }

  /**
   * Remembers a key. @returns whether it came before with this mark
   * @param mark a whole number that is part of the key; in the text of the key it would take several times as long
   */
  isRepeated(key: string, mark = 0): boolean {
    if ((this.#newer.get(key) ?? this.#older.get(key)) === mark) return true;
    this.#newer.set(key, mark);
    if (this.#newer.size < this.#least) return false;
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
