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
  readonly #onEnd: () => void;
  readonly #end: Promise<Result>;
  #settle: { readonly resolve: (result: Result) => void; readonly reject: (error: unknown) => void } | undefined;

  /** @param onEnd called once at the end, also on failure */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
    this.#end = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // Nothing listens to a failure after the connection is closed.
    this.#end.catch(() => undefined);
  }

  /** Ends with an `error` message. */
  fail(errors: readonly WireError[]): void {
    this.#finish()?.reject(new OperationFailed(errors));
  }

  next(): Promise<Result> {
    return this.#end;
  }

  /** Ends without an error: the client completed the operation or disconnected. */
  return(): Promise<Result> {
    this.#finish()?.resolve(DONE);
    return Promise.resolve(DONE);
  }

  throw(error: unknown): Promise<Result> {
    this.#finish()?.resolve(DONE);
    return Promise.reject(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  #finish() {
    const settle = this.#settle;
    if (settle === undefined) return undefined;
    this.#settle = undefined;
    this.#onEnd();
    return settle;
  }
}
