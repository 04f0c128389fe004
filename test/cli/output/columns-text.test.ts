import { expect, it } from 'vitest';
import { type Column, columnsText } from '../../../src/cli/output/columns-text.ts';

it('names every omitted column, on several lines if necessary', () => {
  const titles = ['settlement', 'fees', 'drawdown', 'effective half-spread', 'inventory', 'commission'];
  const columns: readonly Column[] = [
    { title: 'run', cells: ['a'] },
    ...titles.map((title, at) => ({ title, cells: ['1'.repeat(60)], dropOrder: at + 1 })),
  ];
  const text = columnsText(columns, 40);
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(40);
  expect(text.split('\n').slice(2).join(' ').trim()).toBe(
    `not shown: ${titles.join(', ')} (a wider terminal, or --json)`,
  );
});
