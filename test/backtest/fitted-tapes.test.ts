import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseRunSpec, runBacktest } from '../../src/backtest/index.ts';
import { FileFault } from '../../src/domain/index.ts';
import { scratchFolder, writeTape } from '../history/scratch.ts';
import { headOf, message, options, row } from './scenario.ts';

const messages = (from: number) => [
  message(from, row.open(), row.bid(5_000, 100), row.ask(6_000, 100)),
  message(from + 8_000, row.bid(5_100, 100)),
];

/** A run on `a.tape`, next to a cut of it, a tape of its market on another day, and a tape of another market. */
async function run(fitted_on: readonly string[]) {
  const folder = scratchFolder();
  const { contentHash } = writeTape(join(folder, 'a.tape'), messages(1_000), headOf('a'));
  writeTape(join(folder, 'cut.tape'), messages(1_000).slice(1), headOf('cut'));
  writeTape(join(folder, 'later.tape'), messages(90_000_000), headOf('later'));
  writeTape(join(folder, 'other.tape'), messages(1_001), headOf('other', 1, 2));
  const entries = fitted_on.map((entry) => (entry === 'its sha256' ? contentHash : entry));
  const spec = { strategy: 'quoter', params: { bid: 4_000 }, tapes: ['a.tape'], report_dir: null };
  return await runBacktest(parseRunSpec({ ...spec, fitted_on: entries }), options(folder));
}

describe('parameters that were fitted on tapes', () => {
  it.each(['a.tape', 'its sha256', 'cut.tape'])('mark a run on the same data as in-sample: %s', async (entry) => {
    const { result, detail } = await run(['later.tape', entry]);
    expect(result.inSample).toBe(true);
    expect(detail.warnings).toContainEqual(expect.stringMatching(/^in-sample: the parameters were fitted on a,/));
    expect(detail.facts).toContainEqual({ name: 'Parameters fitted on these tapes', value: 'yes (in-sample): a' });
  });

  it('do not mark a run on other markets or times', async () => {
    const { result, detail } = await run(['later.tape', 'other.tape', 'f'.repeat(64)]);
    expect(result.inSample).toBe(false);
    expect(detail.warnings.filter((warning) => warning.includes('in-sample'))).toEqual([]);
    expect(detail.facts).toContainEqual({ name: 'Parameters fitted on these tapes', value: 'no: on 3 other tapes' });
  });

  it('do not change the event log', async () => {
    const [without, marked] = await Promise.all([run([]), run(['a.tape'])]);
    expect(marked.result.eventLogHash).toBe(without.result.eventLogHash);
  });

  it('are refused when a path is not a tape', async () => {
    await expect(run(['none.tape'])).rejects.toThrow(FileFault);
  });
});
