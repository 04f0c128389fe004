/** A subscription as graphql-ws sees it: a generator that yields nothing, as frames go out past it, and ends or fails. */
import type { WireError } from '../../../protocol/index.ts';

/** The `error` message to a subscription, or to a request that cannot be run. */
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

  /** @param onEnd called once, however it ends */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
    this.#end = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // The failure may have no listener any more: the connection is closed.
    this.#end.catch(() => undefined);
  }

  /** Ends with an `error` message. */
  fail(errors: readonly WireError[]): void {
    this.#finish()?.reject(new OperationFailed(errors));
  }

  next(): Promise<Result> {
    return this.#end;
  }

  /** Ends: the client has completed it, or is gone. */
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
