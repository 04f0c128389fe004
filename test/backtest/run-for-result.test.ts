import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseRunSpec, type RunResult, runBacktest, runForResult } from '../../src/backtest/index.ts';
import { CANCELLED_PAYOUT } from '../../src/tape/index.ts';
import { scratchFolder, writeTape } from '../history/scratch.ts';
import { headOf, message, options, row } from './scenario.ts';

const MESSAGES = [
  message(1_000, row.open(), row.bid(5_000, 100), row.ask(6_000, 100)),
  message(5_000, row.print('SELL', 5_100, 10)),
  message(10_000, row.bid(5_400, 50)),
  message(12_000, row.print('BUY', 6_000, 5)),
  message(15_000, row.bid(5_400, 0), row.bid(5_000, 0), row.bid(4_000, 10)),
];

/** A result without fields of the machine, the wall clock and the report's path. */
function withoutMachine({ wallMs, eventsPerSecond, peakRssMb, report, ...rest }: RunResult): object {
  return rest;
}

describe('runForResult', () => {
  it.each([
    ['no resolution', []],
    ['a payout', [message(20_000, row.resolved(10_000))]],
    ['a void market', [message(20_000, row.resolved(CANCELLED_PAYOUT))]],
  ])('returns the same result as runBacktest: %s', async (_, end) => {
    const folder = scratchFolder();
    writeTape(join(folder, 'a.tape'), [...MESSAGES, ...end], headOf('scenario', 1, 1, 500));
    const quotes = { strategy: 'quoter', params: { bid: 5_200, ask: 5_900, shares: 10 } };
    const spec = parseRunSpec({ tapes: ['a.tape'], report_dir: null, ...quotes });
    const { result } = await runBacktest(spec, options(folder));
    expect(result.fills.count).toBeGreaterThan(0);
    expect(withoutMachine(await runForResult(spec, options(folder)))).toEqual(
      withoutMachine({ ...result, quoting: null }),
    );
  });

  it('writes no report, also when the spec requests one', async () => {
    const folder = scratchFolder();
    writeTape(join(folder, 'a.tape'), MESSAGES, headOf('scenario'));
    const reports = join(folder, 'reports');
    const spec = parseRunSpec({ tapes: ['a.tape'], report_dir: reports, strategy: 'quoter' });
    expect((await runForResult(spec, options(folder))).report).toBeNull();
    expect(existsSync(reports)).toBe(false);
  });
});
