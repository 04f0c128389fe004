/** Returns the message of the `RangeError` that `act` throws. Unlike vitest's `toThrow`, `undefined` never passes as "any error". */
export function messageOf(act: () => void): string {
  try {
    act();
  } catch (error) {
    return error instanceof RangeError ? error.message : `no RangeError: ${error}`;
  }
  return 'nothing was thrown';
}
