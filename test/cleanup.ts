/**
 * What a helper opens and a test leaves open. test/setup.ts runs the ends: files share one process and its modules,
 * so a hook at the top of a helper would run for the first file alone.
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
