import { expect, it } from 'vitest';
import { runs } from '../../runs.ts';
import { databaseFiles } from '../sqlite/files.ts';
import { powerCutRun } from './power-cut-run.ts';

const RUNS = runs(6);

const file = databaseFiles();

it('after a power cut at any time a bot has an earlier state and the time from which orders can be missing', async () => {
  const tally = { cuts: 0, behind: 0, entries: 0, refused: 0 };
  for (let seed = 1; seed <= RUNS; seed += 1) {
    const { cuts, behind, entries, refused } = await powerCutRun(seed, file);
    tally.cuts += cuts;
    tally.behind += behind;
    tally.entries += entries;
    tally.refused += refused;
  }
  // The tested cases have occurred.
  expect(tally.cuts).toBeGreaterThan(5 * RUNS);
  expect(tally.behind).toBeGreaterThan(RUNS);
  expect(tally.entries).toBeGreaterThan(RUNS / 2);
  expect(tally.refused).toBe(0);
});
