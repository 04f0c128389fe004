import { describe, expect, it } from 'vitest';
import { decideVerdict } from '../../../src/research/benchmark/run-benchmark.ts';
import type { BenchmarkCell } from '../../../src/research/index.ts';

const cell = (pnl: number, error: number, fills = 10): BenchmarkCell => ({
  pnl,
  error,
  fills,
  afterMarkout: 0,
  drawdown: 0,
  inventory: 0,
  twoSided: null,
});

describe('the verdict of two queue models', () => {
  it.each<[string, string, readonly BenchmarkCell[]]>([
    ['earned', 'results above 0 by more than their errors', [cell(10, 2), cell(5, 2)]],
    ['lost', 'results below 0 by more than their errors', [cell(-10, 2), cell(-5, 2)]],
    ['no result', 'a result within its error', [cell(10, 2), cell(3, 2)]],
    ['no result', 'results of different signs', [cell(10, 2), cell(-10, 2)]],
    ['no result', 'a single market', [cell(10, 0), cell(10, 0)]],
    ['nothing', 'no fills', [cell(0, 0, 0), cell(0, 0, 0)]],
  ])('is "%s" for %s', (verdict, _, cells) => {
    expect(decideVerdict(cells)).toBe(verdict);
  });
});
