import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseRunSpec, runForResult, runSensitivity } from '../../../src/backtest/index.ts';
import { scratchFolder, writeTape } from '../../history/scratch.ts';
import { headOf, message, options, row } from '../scenario.ts';

const MESSAGES = [
  message(1_000, row.open(), row.bid(5_000, 100), row.ask(6_000, 100)),
  message(2_050, row.print('SELL', 5_200, 10)),
  message(5_000, row.print('SELL', 5_200, 10)),
  message(10_000, row.bid(5_400, 50)),
];

describe('the sensitivity of a run', () => {
  it('has a cell for each queue model, latency and book, and one of them is the run itself', async () => {
    const folder = scratchFolder();
    writeTape(join(folder, 'a.tape'), MESSAGES, headOf('scenario'));
    const quotes = { strategy: 'quoter', params: { bid: 5_200, ask: 5_900, shares: 15 } };
    const spec = parseRunSpec({ tapes: ['a.tape'], report_dir: null, queue: { model: 'power' }, ...quotes });
    const progress: number[] = [];
    const cells = await runSensitivity(spec, options(folder), (done, total) => progress.push(done / total));
    expect(new Set(cells.map(({ queue, latency, reactive }) => `${queue} ${latency} ${reactive}`)).size).toBe(18);
    expect(progress).toHaveLength(18);
    expect(progress.at(-1)).toBe(1);
    const { fills, pnl } = await runForResult(spec, options(folder));
    expect(fills.count).toBeGreaterThan(0);
    expect(cells.find(({ queue, latency, reactive }) => queue === 'power' && latency === 1 && reactive)).toMatchObject({
      fills: fills.count,
      shares: fills.shares,
      pnlMicros: pnl.totalMicros,
    });
  });
});
