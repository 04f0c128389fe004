/**
 * Streams states to a subscription. A slow reader skips to the newest state.
 * @param follow calls `push` with the current state and each later state, and returns a function that stops the calls
 */
export function streamLatest<State>(
  follow: (push: (state: State) => void) => () => void,
): AsyncGenerator<State, void, void> {
  let wake: (() => void) | undefined;
  let isOver = false;
  const waiting: State[] = [];
  const stop = follow((state) => {
    waiting[0] = state;
    wake?.();
  });
  const end = (): Promise<IteratorResult<State, void>> => {
    if (!isOver) stop();
    isOver = true;
    wake?.();
    return Promise.resolve({ value: undefined, done: true });
  };
  return {
    async next() {
      while (waiting.length === 0 && !isOver) {
        await new Promise<void>((resolve) => {
          wake = resolve;
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
