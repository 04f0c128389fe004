/**
 * Resolves after the event loop has turned once, so that signals, timers and input had their chance. Costs microseconds;
 * it is no wait.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
