/** Runs before each test file. */
import { afterAll, afterEach, beforeAll } from 'vitest';
import { afterThisFile, afterThisTest } from './cleanup.ts';
import { OpenResources } from './open-resources.ts';
import { IS_SHORT } from './runs.ts';

// In the other Vitest projects each file has its own process, whose end closes all resources.
const resources = IS_SHORT ? new OpenResources() : undefined;
beforeAll(() => resources?.begin());
afterEach(() => afterThisTest.run());
afterAll(async () => {
  await afterThisFile.run();
  await resources?.expectNothing();
});
