import { describe, expect, it } from 'vitest';
import { heatMapText, parallelCoordinatesText } from '../../../src/cli/output/study-charts-text.ts';
import type { Dimension } from '../../../src/research/index.ts';

const SPREAD: Dimension = { kind: 'number', name: 'params.spread', low: 1, high: 100, log: true };
const MODEL: Dimension = { kind: 'choice', name: 'queue.model', choices: ['fifo', 'power', 'pessimistic-model'] };
const LEVELS: Dimension = { kind: 'integer', name: 'params.levels', low: 1, high: 3, log: false };

const trial = (number: number, score: number, params: Readonly<Record<string, string | number>>) => ({
  number,
  params,
  scores: [score],
  isBest: number === 0,
  rank: 0,
});

const TRIALS = [
  trial(0, 10, { 'params.spread': 1, 'queue.model': 'fifo' }),
  trial(1, 0, { 'params.spread': 100, 'queue.model': 'power' }),
  trial(2, 4, { 'params.spread': 10, 'queue.model': 'power' }),
  trial(3, 6, { 'params.spread': 10, 'queue.model': 'power' }),
  trial(4, 99, { 'params.spread': 10 }),
];

describe('a heat map in the terminal', () => {
  it('shades each cell by the mean of its trials, with the first value of the second parameter at the bottom', () => {
    expect(heatMapText(TRIALS, [SPREAD, MODEL], 'pnl', 80)).toBe(
      [
        'mean of pnl by spread (to the right) and queue.model (up)',
        'pessimistic…  ····  ····  ····  ····  ····  ····  ····  ····',
        '       power  ····  ····  ····  ····  ▒▒▒▒  ····  ····  ----',
        '        fifo  ████  ····  ····  ····  ····  ····  ····  ····',
        '              1     1.78  3.16  5.62  10    17.8  31.6  56.2',
        '-░▒▓█ from 0 to 10, · no trial',
        '',
      ].join('\n'),
    );
  });

  it.each([20, 40, 80])('fits a width of %d', (width) => {
    const many: Dimension = { kind: 'choice', name: 'n', choices: Array.from({ length: 50 }, (_, at) => `c${at}`) };
    const trials = [...TRIALS, trial(5, 3, { n: 'c7', 'queue.model': 'fifo' })];
    for (const x of [SPREAD, many]) {
      const text = heatMapText(trials, [x, MODEL], 'an objective with a long name', width);
      for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
    }
  });

  it('is the same in a file as on a wide terminal', () => {
    const [file, wide] = [Number.POSITIVE_INFINITY, 200].map((width) =>
      heatMapText(TRIALS, [SPREAD, MODEL], 'pnl', width),
    );
    expect(file).toBe(wide);
  });

  it('is empty without a trial that has both parameters', () => {
    expect(heatMapText(TRIALS, [SPREAD, LEVELS], 'pnl', 80)).toBe('');
  });
});

describe('parallel coordinates in the terminal', () => {
  it('mark the position of each value in the range of its parameter, logarithmically for a logarithmic parameter', () => {
    expect(parallelCoordinatesText(TRIALS.slice(0, 3), [SPREAD, MODEL], 80)).toBe(
      [
        'trial  spread           queue.model',
        '       1 to 100, log    fifo to pessimistic…',
        '0      ●──────────────  ●──────────────',
        '1      ──────────────●  ───────●───────',
        '2      ───────●───────  ───────●───────',
        '',
      ].join('\n'),
    );
  });

  it('leave the cell of a parameter empty in trials without that parameter', () => {
    expect(parallelCoordinatesText(TRIALS.slice(4), [SPREAD, MODEL], 80)).toMatch(/^4 {6}─{7}●─{7}$/m);
  });

  it('omit and list the last parameters on a narrow terminal', () => {
    const text = parallelCoordinatesText(TRIALS, [SPREAD, MODEL, LEVELS], 50);
    expect(text).toMatch(/not shown: levels/);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(50);
  });
});
