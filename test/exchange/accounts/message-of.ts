/** The message of what is thrown: vitest's `toThrow` takes `undefined` for any error. */
export function messageOf(act: () => void): string {
  try {
    act();
  } catch (error) {
    return error instanceof RangeError ? error.message : `no RangeError: ${error}`;
  }
  return 'nothing was thrown';
}
