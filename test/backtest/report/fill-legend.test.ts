import { describe, expect, it } from 'vitest';
import type { FillPoint } from '../../../src/analytics/index.ts';
import { fillLegend } from '../../../src/backtest/report/time-charts.ts';

describe('the legend of fills', () => {
  const fill = (sign: 1 | -1, liquidity: 'maker' | 'taker') => ({ sign, liquidity }) as FillPoint;

  it('shows makers as filled triangles and takers as outlines, which point up for purchases and down for sales', () => {
    const legend = fillLegend([fill(1, 'maker'), fill(-1, 'taker')]).markup;
    expect(legend).toContain('<path d="M7 2l5 10h-10z" fill="var(--bid)"');
    expect(legend).toContain('<path d="M7 12l5 -10h-10z" fill="var(--paper)" stroke="var(--ask)"');
    expect(legend.match(/<li>/g)).toHaveLength(2);
  });
});
