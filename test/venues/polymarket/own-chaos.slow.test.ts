import { expect, it } from 'vitest';
import { afterThisTest } from '../../cleanup.ts';
import { chaosRun } from './chaos-run.ts';
import { openPolymarket } from './stage.ts';

it.each([1, 2, 3])('faults and crashes leave bot and venue in agreement at the end (seed %i)', async (seed) => {
  const stage = await openPolymarket({
    access: { creditCents: 100_000_000 },
    polymarket: { minedMs: 20, confirmedMs: 20 },
  });
  afterThisTest.add(() => stage.venue.close());
  const { differences, faults, fills, ...tally } = await chaosRun(stage, seed, 150);
  console.log(JSON.stringify({ fills, ...tally }));
  expect({ differences, faults }).toEqual({ differences: [], faults: [] });
  expect(fills).toBeGreaterThan(0);
});
