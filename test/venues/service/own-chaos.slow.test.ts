import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chaosRun, openChaosHarness } from './chaos-run.ts';

let harness: Awaited<ReturnType<typeof openChaosHarness>>;

beforeAll(async () => {
  harness = await openChaosHarness();
});
afterAll(() => harness.close());

describe('a faulty connection', () => {
  it.each([1, 2, 3])('leaves bot and venue in agreement at the end (seed %i)', { timeout: 240_000 }, async (seed) => {
    const tally = await chaosRun({ harness: harness.harness, seed, steps: 60 });
    expect(tally).toMatchObject({ differences: [], faults: [] });
    expect(tally.met).toBeGreaterThan(0);
  });
});
