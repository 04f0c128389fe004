/** Runs before each test file. */
import { afterAll, afterEach, beforeAll } from 'vitest';
import { afterThisFile, afterThisTest } from './cleanup.ts';
import { LeftBehind } from './left-behind.ts';
import { IS_SHORT } from './runs.ts';

// Elsewhere each file has a process of its own, which ends.
const left = IS_SHORT ? new LeftBehind() : undefined;
beforeAll(() => left?.begin());
afterEach(() => afterThisTest.run());
afterAll(async () => {
  await afterThisFile.run();
  await left?.expectNothing();
});
