/** A stream of states for a subscription: a slow reader gets the newest one and misses those between. */

/**
 * @param follow calls `push` with the present state and with each later one. @returns ends it
 */
export function latest<State>(follow: (push: (state: State) => void) => () => void): AsyncGenerator<State, void, void> {
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
