import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/clock/index.ts';
import {
  computeRungs,
  countRungRuns,
  type Rung,
  type RungResult,
  selectPromoted,
  shuffleTapes,
} from '../../../src/research/search/halving.ts';

function results(scores: readonly number[], error: number): readonly RungResult[] {
  return scores.map((score, number) => ({ number, objectives: [score], error }));
}

describe('the rungs of halving', () => {
  it('have 27, 9, 3, 1 trials on 1, 3, 9, 27 tapes', () => {
    const rungs = computeRungs(27, 27, { least: 1, eta: 3 });
    expect(rungs).toEqual([
      { trials: 27, tapes: 1 },
      { trials: 9, tapes: 3 },
      { trials: 3, tapes: 9 },
      { trials: 1, tapes: 27 },
    ]);
    expect(countRungRuns(rungs)).toBe(108);
  });

  it('end with all tapes, also with few tapes or an early single trial', () => {
    expect(computeRungs(100, 20, { least: 5, eta: 2 })).toEqual([
      { trials: 100, tapes: 5 },
      { trials: 50, tapes: 10 },
      { trials: 25, tapes: 20 },
    ]);
    expect(computeRungs(4, 1000, { least: 1, eta: 3 })).toEqual([
      { trials: 4, tapes: 1 },
      { trials: 1, tapes: 1000 },
    ]);
    expect(computeRungs(8, 4, { least: 9, eta: 3 })).toEqual([{ trials: 8, tapes: 4 }]);
  });
});

describe('the tapes of halving', () => {
  const tapes = Array.from({ length: 30 }, (_, at) => ({ id: `tape ${at}` }));

  it('are all tapes in an order that depends only on the seed', () => {
    const drawn = shuffleTapes(tapes, 7);
    expect(drawn).toEqual(shuffleTapes([...tapes, ...tapes].reverse(), 7));
    expect(drawn).not.toEqual(shuffleTapes(tapes, 8));
    expect(new Set(drawn)).toEqual(new Set(tapes));
    expect(drawn).toHaveLength(tapes.length);
  });

  it('are at each place with the same probability', () => {
    const three = ['a', 'b', 'c'].map((id) => ({ id }));
    const orders = Array.from({ length: 3000 }, (_, seed) => shuffleTapes(three, seed).map(({ id }) => id));
    const counts = ['abc', 'acb', 'bac', 'bca', 'cab', 'cba'].map(
      (order) => orders.filter((o) => o.join('') === order).length,
    );
    for (const count of counts) expect(Math.abs(count - 500)).toBeLessThan(85);
  });
});

describe('the trials that advance', () => {
  it('are the best, and those within one standard error of the last of them', () => {
    expect(selectPromoted(results([5, 6.5, 1, 7, 9, 6], 0.5), 2)).toEqual([1, 3, 4]);
    expect(selectPromoted(results([5, 6.5, 1, 7, 9, 6], 0.4), 2)).toEqual([3, 4]);
  });

  it('are those with lower numbers on ties, and never failed ones', () => {
    expect(selectPromoted(results([4, 4, 4, 4], -1), 2)).toEqual([0, 1]);
    const failed = Number.NEGATIVE_INFINITY;
    expect(selectPromoted(results([failed, 2, failed], 1), 2)).toEqual([1]);
    expect(selectPromoted(results([failed, failed], 1), 2)).toEqual([]);
  });

  it('include the best of a planted set in at least 19 of 20 studies', () => {
    const kept = Array.from({ length: 20 }, (_, seed) => survivors(seed)).filter((trials) => trials.includes(13));
    expect(kept.length).toBeGreaterThanOrEqual(19);
  });
});

/** 27 trials of which number 13 earns 1 on average, the others 0; each tape adds noise of deviation 1. */
function survivors(seed: number): readonly number[] {
  const random = seededRandom(seed);
  const noise = Array.from({ length: 27 }, () => Array.from({ length: 81 }, () => random.normal()));
  let trials: readonly number[] = noise.map((_, trial) => trial);
  const rungs: readonly Rung[] = computeRungs(27, 81, { least: 3, eta: 3 });
  for (const [at, { tapes }] of rungs.entries()) {
    const scores = trials.map((trial): RungResult => {
      const sum = (noise[trial] ?? []).slice(0, tapes).reduce((total, value) => total + value, 0);
      return { number: trial, objectives: [sum / tapes + (trial === 13 ? 1 : 0)], error: 1 / Math.sqrt(tapes) };
    });
    trials = selectPromoted(scores, rungs[at + 1]?.trials ?? 1);
  }
  return trials;
}
