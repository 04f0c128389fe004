import { expect, it } from 'vitest';
import { afterThisTest } from '../../cleanup.ts';
import { chaosRun, openChaos } from './chaos-run.ts';

// The short form of `npm run soak:polymarket-adapter`.
it.each([1, 3])('faults and crashes leave bot and venue in agreement at the end (seed %i)', async (seed) => {
  const stage = await openChaos(seed);
  afterThisTest.add(() => stage.venue.close());
  const { differences, faults, fills, ...tally } = await chaosRun(stage, seed, 30);
  console.log(JSON.stringify({ fills, ...tally }));
  expect({ differences, faults }).toEqual({ differences: [], faults: [] });
  expect(fills).toBeGreaterThan(0);
});
