/** Runs before each test file. */
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { afterThisFile, afterThisTest } from './cleanup.ts';
import { OpenResources } from './open-resources.ts';
import { IS_SHORT } from './runs.ts';

// In the other Vitest projects each file has its own process, whose end closes all resources.
const resources = IS_SHORT ? new OpenResources() : undefined;
beforeAll(() => resources?.begin());
afterEach(async () => {
  await afterThisTest.run();
  // Files that share a process share its environment.
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await afterThisFile.run();
  await resources?.expectNothing();
});
