/**
 * Ends of what helpers open. test/setup.ts runs them after each test or file: test files may share one process and its
 * modules, so a hook at the top level of a helper would run for the first file only.
 */
type End = () => unknown;

/** Ends that run when a test, or all tests of a file, are over. */
class Ends {
  readonly #ends = new Set<End>();

  add(end: End): void {
    this.#ends.add(end);
  }

  /** In reverse order. */
  async run(): Promise<void> {
    const ends = [...this.#ends].reverse();
    this.#ends.clear();
    for (const end of ends) await end();
  }
}

export const afterThisTest = new Ends();
export const afterThisFile = new Ends();
