import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { studyFixture } from './study-fixture.ts';

describe('a study', () => {
  it.each<[string, object, object, string | RegExp]>([
    ['an empty space', { parameters: {} }, {}, 'parameters'],
    [
      'an impossible range',
      { parameters: { 'params.bid_spread': { low: 5, high: 1 } } },
      {},
      'parameters.params.bid_spread.low: expected less than high',
    ],
    [
      'a condition on an unknown parameter',
      { parameters: { 'params.bid_spread': { low: 1, high: 5, when: { x: [1] } } } },
      {},
      'parameters.params.bid_spread.when',
    ],
    [
      'a key that is unknown to the strategy',
      { parameters: { 'params.bid_spred': { low: 1, high: 5 } } },
      {},
      'did you mean "bid_spread"?',
    ],
    ['an unknown figure', { objectives: [{ maximise: 'profit' }] }, {}, 'objectives[0].maximise: expected a number'],
    ['a missing backtest', { backtest: 'none.yaml' }, {}, 'there is no such file'],
    ['a missing tape', {}, { tapes: ['none.tape'] }, 'none.tape'],
    [
      'a window after all tapes',
      {},
      { from: '2027-01-01T00:00:00Z' },
      /from: expected a time before 2026-01-0\S+Z, when the last tape ends, got "2027-01-01T00:00:00Z"/,
    ],
    [
      'a window before all tapes',
      {},
      { to: '2025-01-01T00:00:00Z' },
      /to: expected a time after 2026-01-01T\S+Z, when the first tape begins, got "2025-01-01T00:00:00Z"/,
    ],
  ])('refuses %s before the first trial', async (_, sections, backtest, message) => {
    const fixture = studyFixture(1);
    fixture.write(sections, backtest);
    await expect((async () => fixture.run())()).rejects.toThrow(message);
  });

  it('closes its database when the workers cannot be opened', async () => {
    const fixture = studyFixture(1, 300);
    const workers = () => {
      throw new Error('no thread left');
    };
    await expect(fixture.run({ workers })).rejects.toThrow('no thread left');
    // SQLite removes the write-ahead log when the last connection closes.
    const files = readdirSync(fixture.folder).filter((file) => file.startsWith('study.study'));
    expect(files.filter((file) => /-(wal|shm)$/.test(file))).toEqual([]);
    expect(files).toContain('study.study');
  });
});
