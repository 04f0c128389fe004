import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseRunSpec, runBacktest } from '../../src/backtest/index.ts';
import { scratchFolder } from '../history/scratch.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** A backtest of a strategy that buys one share for each signal `fair` above 0.5. */
async function backtestWith(lines: readonly string[] | undefined) {
  const path = join(scratchFolder(), 'signals.jsonl');
  if (lines !== undefined) writeFileSync(path, `${lines.join('\n')}\n`);
  const spec = parseRunSpec({
    strategy: 'follow-signal',
    tapes: [join(ROOT, 'config/tapes/betfair-1.200806927.tape')],
    from: '2022-07-11T11:00:20Z',
    to: '2022-07-11T12:10:00Z',
    report_dir: null,
    ...(lines === undefined ? {} : { signals: path }),
  });
  return runBacktest(spec, {
    baseDir: ROOT,
    strategyFolders: [join(ROOT, 'test/fixtures/strategies')],
    version: 'test',
    machine: { peakRssMb: () => 0 },
  });
}

const signal = (time: string, value: number, name = 'fair'): string =>
  JSON.stringify({ time: `2022-07-11T${time}Z`, name, value });

describe('a backtest with signals', () => {
  it.each([
    ['delivers a signal at its receive time', [signal('11:20:00.250', 0.9), signal('11:40:00', 0.7)], 2],
    ['delivers no signal of another name', [signal('11:30:00', 0.9, 'other')], 0],
    ['delivers no signal from before the window', [signal('10:59:00', 0.9)], 0],
    ['delivers no signal from after the window', [signal('12:10:01', 0.9), signal('13:00:00', 0.9)], 0],
    ['passes the value to the strategy', [signal('11:10:00', 0.4)], 0],
  ])('%s', async (_, lines, fills) => {
    const { result } = await backtestWith(lines);
    expect(result.fills.count).toBe(fills);
  });

  it('has an event log that depends on the signals', async () => {
    const lines = [signal('11:20:00', 0.9)];
    const [first, again, other, none] = [
      await backtestWith(lines),
      await backtestWith(lines),
      await backtestWith([signal('11:20:01', 0.9)]),
      await backtestWith(undefined),
    ];
    expect(again.result.eventLogHash).toBe(first.result.eventLogHash);
    expect(other.result.eventLogHash).not.toBe(first.result.eventLogHash);
    expect(none.result.fills.count).toBe(0);
  });

  it('is refused before it starts when the file is invalid', async () => {
    await expect(backtestWith(['{"name":"fair","value":1}'])).rejects.toThrow(
      /signals\.jsonl, line 1: the signal has no time/,
    );
  });
});
