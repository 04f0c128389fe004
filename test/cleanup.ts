/**
 * Cleanup functions of test helpers. test/setup.ts runs them after each test or file. Helpers cannot use top-level
 * hooks, because test files may share modules, and such a hook would run for the first file only.
 */
type Cleanup = () => unknown;

/** Cleanup functions that run after a test or after all tests of a file. */
class Cleanups {
  readonly #ends = new Set<Cleanup>();

  add(end: Cleanup): void {
    this.#ends.add(end);
  }

  /** In reverse order. */
  async run(): Promise<void> {
    const ends = [...this.#ends].reverse();
    this.#ends.clear();
    for (const end of ends) await end();
  }
}

export const afterThisTest = new Cleanups();
export const afterThisFile = new Cleanups();
