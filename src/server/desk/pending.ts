/** The result of something that may be done at once, or later: a promise is made only where somebody has to wait. */
export class Pending<Result> {
  #outcome: { readonly value: Result } | { readonly error: unknown } | undefined;
  #resolve: ((value: Result) => void) | undefined;
  #reject: ((error: unknown) => void) | undefined;

  /** Runs what makes the result; nothing where it has one already, or a failure. */
  settle(make: () => Result): void {
    if (this.#outcome !== undefined) return;
    try {
      const value = make();
      this.#outcome = { value };
      this.#resolve?.(value);
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error: unknown): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = { error };
    this.#reject?.(error);
  }

  /** The result, or a promise of it; to be asked once. @throws what it failed with */
  result(): Result | Promise<Result> {
    const outcome = this.#outcome;
    if (outcome === undefined) {
      return new Promise((resolve, reject) => {
        this.#resolve = resolve;
        this.#reject = reject;
      });
    }
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }
}
