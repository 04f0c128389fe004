/** How a run ends. Everything that can fail has it from the start, before there is a bot. */
export class RunOutcome {
  readonly #failed = Promise.withResolvers<Error>();
  #end: LiveEnd | undefined;

  /** Resolves when the run cannot go on: a strategy, the venue, the disk. */
  get failed(): Promise<Error> {
    return this.#failed.promise;
  }

  /** Whether it ended without the venue's word that none of its orders is open: whoever watches over it must not leave. */
  get isLeftOpen(): boolean {
    return this.#end !== undefined && this.#end.open !== 0;
  }

  fail(error: unknown): void {
    this.#failed.resolve(error instanceof Error ? error : new Error(String(error)));
  }

  /** Every order was cancelled as far as that could be done, and the venue was asked. */
  ended(end: LiveEnd): void {
    this.#end = end;
  }
}

export interface LiveEnd {
  /** Own orders open at the venue; null when it could not be asked. */
  readonly open: number | null;
  readonly fault: Error | undefined;
}
