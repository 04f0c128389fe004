import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chaosRun, openChaosStage } from './chaos-run.ts';

let stage: Awaited<ReturnType<typeof openChaosStage>>;

beforeAll(async () => {
  stage = await openChaosStage();
});
afterAll(() => stage.close());

describe('a faulty connection', () => {
  it.each([1, 2, 3])('leaves bot and venue in agreement at the end (seed %i)', { timeout: 240_000 }, async (seed) => {
    const tally = await chaosRun({ stage: stage.stage, seed, steps: 60 });
    expect(tally).toMatchObject({ differences: [], faults: [] });
    expect(tally.met).toBeGreaterThan(0);
  });
});
