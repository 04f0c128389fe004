/** Whether an argument is given: neither null nor left out. */
export function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}
