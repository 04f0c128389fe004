/** Assertions that also work outside the test runner, in the soak. */

/** @throws Error when the JSON texts of the values differ; the message starts with `subject` */
export function assertSame(actual: unknown, expected: unknown, subject: string): void {
  if (actual === expected) return;
  const [actualText, expectedText] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (actualText !== expectedText) throw new Error(`${subject}: expected ${expectedText}, got ${actualText}`);
}

/** @throws Error with the message when the condition is false */
export function assertTrue(condition: boolean, message: string): void {
  if (!condition) throw new Error(message);
}
