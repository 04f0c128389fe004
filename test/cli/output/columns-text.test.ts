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

it('shortens columns of different widths until the line fits', () => {
  const columns: readonly Column[] = [
    { title: 'question', cells: ['q'.repeat(60)], shrinks: true },
    { title: 'slug', cells: ['s'.repeat(30)], shrinks: true },
    { title: 'end', cells: ['last'] },
  ];
  const row = columnsText(columns, 78).split('\n')[1] ?? '';
  expect(row.length).toBe(78);
  expect(row).toMatch(/^q+…q+ {2}s{30} {2}last$/);
});
