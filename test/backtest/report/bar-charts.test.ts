import { expect, it } from 'vitest';
import { splitChart } from '../../../src/backtest/report/bar-charts.ts';
import { loadChartRenderer } from '../../../src/backtest/report/drawing.ts';

it('draws a bar for each of the six parts of the P&L, and one for their sum', async () => {
  const split = {
    spreadMicros: 3_000_000,
    inventoryMicros: -2_000_000,
    settlementMicros: 1_000_000,
    feesMicros: -500_000,
    rewardsMicros: 250_000,
    roundingMicros: 40_000,
  };
  const total = Object.values(split).reduce((sum, part) => sum + part, 0);
  const renderChart = await loadChartRenderer();
  const { markup } = renderChart(splitChart(split, total));
  const [wide = ''] = markup.split('<div class="narrow">');
  const bars = [...(/data-part="bar".*?<\/g>/s.exec(wide)?.[0] ?? '').matchAll(/<rect[^>]*>/g)].map(([bar]) => {
    const number = (name: string): number => Number(new RegExp(` ${name}="([^"]*)"`).exec(bar)?.[1]);
    return { top: number('y'), bottom: number('y') + number('height') };
  });
  expect(bars).toHaveLength(7);
  // The last part has a gain: its top is the sum of all parts, which is the top of the total.
  expect(bars[5]?.top).toBeCloseTo(bars[6]?.top ?? 0, 6);
});
