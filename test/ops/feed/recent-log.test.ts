import { expect, it } from 'vitest';
import { RecentLog } from '../../../src/ops/index.ts';

const line = (level: number, msg: string): string => `${JSON.stringify({ level, time: 5, msg, market: 'rain' })}\n`;

it('returns the newest lines first, at or above a level, after a sequence number', () => {
  const log = new RecentLog();
  for (const [level, msg] of [
    [20, 'a'],
    [30, 'b'],
    [40, 'c'],
    [50, 'd'],
  ] as const)
    log.add(line(level, msg));
  expect(log.read('DEBUG', 10).map(({ message }) => message)).toEqual(['d', 'c', 'b', 'a']);
  expect(log.read('WARN', 10).map(({ level }) => level)).toEqual(['ERROR', 'WARN']);
  expect(log.read('DEBUG', 2).map(({ seq }) => seq)).toEqual([4, 3]);
  expect(log.read('DEBUG', 10, 3).map(({ seq }) => seq)).toEqual([4]);
  // The number is of an earlier process.
  expect(log.read('DEBUG', 10, 5)).toHaveLength(4);
  expect(log.read('DEBUG', 1)[0]).toMatchObject({ time: 5, fields: '{"market":"rain"}' });
});

it('shows a line that is not JSON unchanged, and stores at least the last 2,000 lines', () => {
  const log = new RecentLog();
  for (let count = 0; count < 9_000; count += 1) log.add(`plain ${count}`);
  const lines = log.read('INFO', 10_000);
  expect(lines[0]?.message).toBe('plain 8999');
  expect(lines.length).toBeGreaterThanOrEqual(2_000);
  expect(lines.length).toBeLessThanOrEqual(4_000);
});
