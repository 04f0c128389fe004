/** Returns the message of `act`'s `RangeError`. In vitest's `toThrow`, `undefined` would match any error. */
export function messageOf(act: () => void): string {
  try {
    act();
  } catch (error) {
    return error instanceof RangeError ? error.message : `no RangeError: ${error}`;
  }
  return 'nothing was thrown';
}
