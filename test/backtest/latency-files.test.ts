import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseRunSpec, runForResult } from '../../src/backtest/index.ts';
import { scratchFolder, writeTape } from '../history/scratch.ts';
import { headOf, message, options, row } from './scenario.ts';

const MESSAGES = [
  message(1_000, row.open(), row.bid(5_000, 100), row.ask(6_000, 100)),
  message(2_000, row.bid(5_100, 100)),
  message(9_000, row.print('SELL', 5_100, 10)),
];

describe('a latency model with a file', () => {
  it('uses the times of the file, and the run’s hash depends on its content and not on its name', async () => {
    const folder = scratchFolder();
    writeTape(join(folder, 'a.tape'), MESSAGES, headOf('a'));
    const run = async (file: string, text: string) => {
      writeFileSync(join(folder, file), text);
      const latency = { model: 'measured', file };
      const spec = { strategy: 'quoter', params: { bid: 5_200 }, tapes: ['a.tape'], latency, report_dir: null };
      return await runForResult(parseRunSpec(spec), options(folder));
    };
    const first = await run('one.csv', 'entry_ms,response_ms\n80,40\n');
    const renamed = await run('two.csv', 'entry_ms,response_ms\n80,40\n');
    const slower = await run('one.csv', 'entry_ms,response_ms\n8000,40\n');
    expect(first.models.latency).toContain('order entry 1, 80 ms');
    expect(first.fills.count).toBe(1);
    expect(renamed.eventLogHash).toBe(first.eventLogHash);
    // The order arrives after the trade.
    expect(slower.fills.count).toBe(0);
    expect(slower.eventLogHash).not.toBe(first.eventLogHash);
  });
});
