import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chaosRun, openChaosHarness } from './chaos-run.ts';

let fixture: Awaited<ReturnType<typeof openChaosHarness>>;

beforeAll(async () => {
  fixture = await openChaosHarness();
});
afterAll(() => fixture.close());

describe('a faulty connection', () => {
  it.each([1, 2, 3])('leaves bot and venue in agreement at the end (seed %i)', { timeout: 240_000 }, async (seed) => {
    const tally = await chaosRun({ harness: fixture.harness, seed, steps: 60 });
    expect(tally).toMatchObject({ differences: [], faults: [] });
    expect(tally.faultsInjected).toBeGreaterThan(0);
  });
});
