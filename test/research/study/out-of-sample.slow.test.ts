/** The test of a study rejects strategies without an edge and accepts one with an edge. */
import { describe, expect, it } from 'vitest';
import { computeStudyResult, renderStudy, type StudyData } from '../../../src/research/index.ts';
import { EdgeStudy } from './edge-study.ts';

const SEEDS = [1, 2, 3, 4];
const MINUTES_10 = 600_000;

/** Returns how many of the studies pass their test. Checks the warnings and pages of the others. */
async function countPassing(studies: readonly StudyData[]): Promise<number> {
  let count = 0;
  for (const ended of studies) {
    const { outOfSample, warnings } = computeStudyResult(ended);
    expect(outOfSample).toMatchObject({ markets: 60, events: 60 });
    if (outOfSample?.passes === true) {
      count += 1;
      continue;
    }
    expect(warnings.join(' ')).toContain('The tests do not show that the best trial earns: it made');
    expect(await renderStudy(ended, 'no edge')).toContain('Out of sample: not passed');
  }
  return count;
}

// Chance alone passes one test in twenty.
describe('the test of a study', () => {
  it(
    'is passed at most once by strategies that earned by chance in the search',
    async () => {
      const studies: StudyData[] = [];
      for (const seed of SEEDS) studies.push(await new EdgeStudy({ seed, trials: 60 }).run());
      for (const ended of studies) expect(computeStudyResult(ended).best?.values['pnl']).toBeGreaterThan(0.5);
      expect(await countPassing(studies)).toBeLessThanOrEqual(1);
    },
    MINUTES_10,
  );

  it(
    'is passed at most once by strategies that store the winners of the search',
    async () => {
      const studies: StudyData[] = [];
      for (const seed of SEEDS) {
        const study = new EdgeStudy({ seed });
        await study.storeWinners();
        studies.push(await study.run());
      }
      // With the winner of each market, they earned far more than by chance in the search.
      for (const ended of studies) {
        const before = computeStudyResult(ended).tests[0]?.before;
        expect(before?.pnl).toBeGreaterThan(10 * (before?.error ?? 0));
      }
      expect(await countPassing(studies)).toBeLessThanOrEqual(1);
    },
    MINUTES_10,
  );

  it('is passed by a strategy that earns', async () => {
    const ended = await new EdgeStudy({ seed: 1, drift: 2, minYes: 0.8 }).run();
    const { outOfSample, warnings } = computeStudyResult(ended);
    expect(outOfSample?.passes).toBe(true);
    expect(warnings.join(' ')).not.toContain('do not show');
    expect(await renderStudy(ended, 'earns')).toContain('Out of sample: passed');
  });
});
