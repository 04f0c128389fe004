import { expect, it } from 'vitest';
import { benchmarkText } from '../../../src/cli/output/benchmark-text.ts';

it('a narrow table of the benchmark keeps the strategy, the P&L and the verdict', () => {
  const cell = { pnl: 1, error: 0, afterMarkout: 1, fills: 10, drawdown: 2, inventory: 3, twoSided: 0.5 };
  const row = { regime: 'calm', markets: 1, problem: null, verdict: 'no result' } as const;
  const rows = [{ ...row, strategy: 'ladder', cells: { 'risk-averse': cell, power: cell } }];
  const [title, head] = benchmarkText(rows, 40).split('\n');
  expect(title).toBe('calm (One market)');
  expect(head?.split(/ {2,}/)).toEqual(['strategy', 'risk-averse $', 'verdict']);
  expect(benchmarkText(rows, 40)).toMatch(/not shown: .*\bfills\b/);
});
