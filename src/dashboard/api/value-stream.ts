/** Streams of values for subscriptions. Invariant: `return()` ends a stream at once, also while `next()` waits. */

/**
 * Streams values to a subscription.
 * @param follow adds values to `waiting`, and calls `wake` after that. Returns a function that stops it
 */
export function streamValues<Value>(
  follow: (waiting: Value[], wake: () => void) => () => void,
): AsyncGenerator<Value, void, void> {
  let wakeReader: (() => void) | undefined;
  let isOver = false;
  const waiting: Value[] = [];
  const stop = follow(waiting, () => wakeReader?.());
  const end = (): Promise<IteratorResult<Value, void>> => {
    if (!isOver) stop();
    isOver = true;
    wakeReader?.();
    return Promise.resolve({ value: undefined, done: true });
  };
  return {
    async next() {
      while (waiting.length === 0 && !isOver) {
        await new Promise<void>((resolve) => {
          wakeReader = resolve;
        });
      }
      const value = waiting.shift();
      if (isOver || value === undefined) return end();
      return { value, done: false };
    },
    return: end,
    throw: end,
    [Symbol.asyncIterator]() {
      return this;
    },
    [Symbol.asyncDispose]: async () => {
      await end();
    },
  };
}

/**
 * Streams states to a subscription. A slow reader skips to the newest state.
 * @param follow calls `push` with the current state and each later state, and returns a function that stops the calls
 */
export function streamLatest<State>(
  follow: (push: (state: State) => void) => () => void,
): AsyncGenerator<State, void, void> {
  return streamValues((waiting, wake) =>
    follow((state) => {
      waiting[0] = state;
      wake();
    }),
  );
}
