import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/clock/index.ts';
import {
  computeRungs,
  countRungRuns,
  type Rung,
  type RungResult,
  selectPromoted,
  shuffleEvents,
} from '../../../src/research/search/halving.ts';

function results(scores: readonly number[], error: number): readonly RungResult[] {
  return scores.map((score, number) => ({ number, objectives: [score], error }));
}

describe('the rungs of halving', () => {
  it('have 27, 9, 3, 1 trials on 1, 3, 9, 27 events', () => {
    const rungs = computeRungs({ trials: 27, events: 27, least: 1, eta: 3 });
    expect(rungs).toEqual([
      { trials: 27, events: 1 },
      { trials: 9, events: 3 },
      { trials: 3, events: 9 },
      { trials: 1, events: 27 },
    ]);
    expect(countRungRuns(rungs)).toBe(108);
  });

  it('end with all events, also with few events or an early single trial', () => {
    expect(computeRungs({ trials: 100, events: 20, least: 5, eta: 2 })).toEqual([
      { trials: 100, events: 5 },
      { trials: 50, events: 10 },
      { trials: 25, events: 20 },
    ]);
    expect(computeRungs({ trials: 4, events: 1000, least: 1, eta: 3 })).toEqual([
      { trials: 4, events: 1 },
      { trials: 1, events: 1000 },
    ]);
    expect(computeRungs({ trials: 8, events: 4, least: 9, eta: 3 })).toEqual([{ trials: 8, events: 4 }]);
  });
});

describe('the events of halving', () => {
  const events = Array.from({ length: 30 }, (_, at) => `event ${at}`);

  it('are all events in an order that depends only on the seed', () => {
    const drawn = shuffleEvents(events, 7);
    expect(drawn).toEqual(shuffleEvents([...events, ...events].reverse(), 7));
    expect(drawn).not.toEqual(shuffleEvents(events, 8));
    expect([...drawn].sort()).toEqual([...events].sort());
  });

  it('are at each place with the same probability', () => {
    const first = Array.from({ length: 3000 }, (_, seed) => shuffleEvents(['a', 'b', 'c'], seed).join(''));
    const counts = ['abc', 'acb', 'bac', 'bca', 'cab', 'cba'].map((order) => first.filter((o) => o === order).length);
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

/** 27 trials of which number 13 earns 1 on average, the others 0; each event adds noise of deviation 1. */
function survivors(seed: number): readonly number[] {
  const random = seededRandom(seed);
  const noise = Array.from({ length: 27 }, () => Array.from({ length: 81 }, () => random.normal()));
  let trials: readonly number[] = noise.map((_, trial) => trial);
  const rungs: readonly Rung[] = computeRungs({ trials: 27, events: 81, least: 3, eta: 3 });
  for (const [at, { events }] of rungs.entries()) {
    const scores = trials.map((trial): RungResult => {
      const sum = (noise[trial] ?? []).slice(0, events).reduce((total, value) => total + value, 0);
      return { number: trial, objectives: [sum / events + (trial === 13 ? 1 : 0)], error: 1 / Math.sqrt(events) };
    });
    trials = selectPromoted(scores, rungs[at + 1]?.trials ?? 1);
  }
  return trials;
}
