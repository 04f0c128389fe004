import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseRunSpec, runForResult } from '../../src/backtest/index.ts';
import { strategyLogLine } from '../../src/cli/output/summary.ts';
import { scratchFolder, writeTape } from '../history/scratch.ts';
import { headOf, message, options, row } from './scenario.ts';

const MESSAGES = [
  message(1_000, row.open(), row.bid(5_000, 100), row.ask(6_000, 100)),
  message(3_000, row.bid(5_400, 50)),
  message(9_000, row.bid(5_300, 50)),
];

async function runKeeper() {
  const folder = scratchFolder();
  writeTape(join(folder, 'a.tape'), MESSAGES, headOf('scenario'));
  const lines: string[] = [];
  const spec = parseRunSpec({ tapes: ['a.tape'], report_dir: null, strategy: 'keeper' });
  const onLog = (...line: Parameters<typeof strategyLogLine>) => void lines.push(strategyLogLine(...line));
  const { eventLogHash } = await runForResult(spec, { ...options(folder), onLog });
  return { lines, eventLogHash, silent: await runForResult(spec, options(folder)) };
}

describe('the context of a strategy in a backtest', () => {
  it('logs at simulated times, starts with the defaults of its state, and fires timers that handlers set', async () => {
    const { lines } = await runKeeper();
    expect(lines).toEqual([
      '1970-01-01T00:00:01.000Z keeper on market-1: begins market="market-1" books=0 timers=0\n',
      '1970-01-01T00:00:02.000Z WARN keeper on market-1: often at=2000 books=1\n',
      '1970-01-01T00:00:02.550Z WARN keeper on market-1: once at=2550 books=1\n',
      '1970-01-01T00:00:03.000Z WARN keeper on market-1: often at=3000 books=1\n',
      '1970-01-01T00:00:04.000Z WARN keeper on market-1: often at=4000 books=2\n',
      '1970-01-01T00:00:04.550Z WARN keeper on market-1: once at=4550 books=2\n',
    ]);
  });

  it('has the same hash in each run, also without the log', async () => {
    const [first, second] = [await runKeeper(), await runKeeper()];
    expect(second.eventLogHash).toBe(first.eventLogHash);
    expect(first.silent.eventLogHash).toBe(first.eventLogHash);
  });
});
