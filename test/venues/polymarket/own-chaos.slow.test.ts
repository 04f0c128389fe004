import { expect, it } from 'vitest';
import { afterThisTest } from '../../cleanup.ts';
import { chaosRun, openChaos } from './chaos-run.ts';

// The short form of `npm run soak:polymarket-adapter`. Runs mostly wait, so both run at once.
it('bot and venue agree after a run with faults and crashes', async () => {
  const run = async (seed: number) => {
    const harness = await openChaos(seed);
    afterThisTest.add(() => harness.venue.close());
    return { seed, ...(await chaosRun(harness, seed, 30)) };
  };
  const runs = await Promise.all([run(1), run(3)]);
  console.log(JSON.stringify(runs));
  for (const { seed, differences, faults, fills } of runs) {
    expect({ seed, differences, faults }).toEqual({ seed, differences: [], faults: [] });
    expect(fills).toBeGreaterThan(0);
  }
});
