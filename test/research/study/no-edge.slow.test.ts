/** Counts the studies that accept their best trial, without and with an edge. `STUDIES` sets the number of studies. */
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { EdgeStudy } from './edge-study.ts';

const STUDIES = Number(process.env['STUDIES'] ?? 10);
const MIN_DSR = 0.95;
const MINUTES_20 = 1_200_000;

/** Returns the number of studies whose deflated Sharpe ratio accepts the best trial. */
async function countAccepted(fixture: { readonly drift: number; readonly minYes: number }): Promise<number> {
  let count = 0;
  for (let seed = 1; seed <= STUDIES; seed += 1) {
    const { dsr } = await new EdgeStudy({ ...fixture, seed }).significance();
    if ((dsr ?? 0) >= MIN_DSR) count += 1;
  }
  process.stdout.write(`${JSON.stringify(fixture)}: ${count} of ${STUDIES} studies reach ${MIN_DSR}\n`);
  return count;
}

describe('the deflated Sharpe ratio', () => {
  it(
    'accepts the best of 20 trials without an edge in no more studies than a rate of 5 % explains',
    async () => {
      // At this rate, more than 2 of 10 studies are accepted with a probability of only 1 %.
      expect(await countAccepted({ drift: 0, minYes: 0 })).toBeLessThanOrEqual(Math.max(2, STUDIES / 20));
    },
    MINUTES_20,
  );

  it(
    'accepts the best of 20 trials with an edge in at least 80 % of all studies',
    async () => {
      expect(await countAccepted({ drift: 1.5, minYes: 0.8 })).toBeGreaterThanOrEqual(0.8 * STUDIES);
    },
    MINUTES_20,
  );
});
