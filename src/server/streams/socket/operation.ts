/** A subscription for graphql-ws: a generator that only ends or fails, because frames bypass it. */
import type { WireError } from '../../../protocol/index.ts';

/** Makes graphql-ws send an `error` message. */
export class OperationFailed extends Error {
  readonly errors: readonly WireError[];

  constructor(errors: readonly WireError[]) {
    super(errors[0]?.message ?? 'failed');
    this.name = 'OperationFailed';
    this.errors = errors;
  }
}

type Result = IteratorResult<never, void>;

const DONE: Result = { done: true, value: undefined };

export class RunningOperation implements AsyncGenerator<never, void, void> {
  readonly #end = Promise.withResolvers<Result>();
  #onEnd: (() => void) | undefined;

  /** @param onEnd called once at the end, also on failure */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
    // Nothing listens to a failure after the connection is closed.
    this.#end.promise.catch(() => undefined);
  }

  fail(errors: readonly WireError[]): void {
    this.#finish();
    this.#end.reject(new OperationFailed(errors));
  }

  next(): Promise<Result> {
    return this.#end.promise;
  }

  /** Ends without an error: the client completed the operation or disconnected. */
  async return(): Promise<Result> {
    this.#finish();
    this.#end.resolve(DONE);
    return DONE;
  }

  async throw(error: unknown): Promise<Result> {
    await this.return();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  #finish(): void {
    const onEnd = this.#onEnd;
    this.#onEnd = undefined;
    onEnd?.();
  }
}
