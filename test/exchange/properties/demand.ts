/** Assertions that also work outside the test runner, in the soak. */

/** @throws Error which says what is not as it should be */
export function assertSame(actual: unknown, wanted: unknown, what: string): void {
  if (actual === wanted) return;
  const [got, due] = [JSON.stringify(actual), JSON.stringify(wanted)];
  if (got !== due) throw new Error(`${what}: ${got} and not ${due}`);
}

/** @throws Error which says what does not hold */
export function demand(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}
