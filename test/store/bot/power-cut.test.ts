import { expect, it } from 'vitest';
import { databaseFiles } from '../sqlite/files.ts';
import { powerCutRun } from './power-cut-run.ts';

const file = databaseFiles();

it('after a power cut at any moment a bot has an earlier state, and knows from when orders can be missing', async () => {
  const tally = { cuts: 0, behind: 0, entries: 0, refused: 0 };
  for (let seed = 1; seed <= 6; seed += 1) {
    const { cuts, behind, entries, refused } = await powerCutRun(seed, file);
    tally.cuts += cuts;
    tally.behind += behind;
    tally.entries += entries;
    tally.refused += refused;
  }
  // What this is about has happened.
  expect(tally.cuts).toBeGreaterThan(30);
  expect(tally.behind).toBeGreaterThan(10);
  expect(tally.entries).toBeGreaterThan(5);
  expect(tally.refused).toBe(0);
});
