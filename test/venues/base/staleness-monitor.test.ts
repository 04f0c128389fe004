import { describe, expect, it } from 'vitest';
import { seenTime } from '../../../src/venues/base/staleness-monitor.ts';

describe('a change', () => {
  it.each([
    ['in time', 99_000, { offsetMs: 0, errorMs: 5 }, 100_000],
    ['as late as is allowed', 89_995, { offsetMs: 0, errorMs: 5 }, 100_000],
    ['too late', 80_000, { offsetMs: 0, errorMs: 5 }, 80_005],
    ['late by a clock that is only behind ours', 80_000, { offsetMs: -20_000, errorMs: 5 }, 100_000],
    ['of a venue whose clock is ahead, too late', 100_000, { offsetMs: 20_000, errorMs: 5 }, 80_005],
    ['before clocks were compared', 0, { offsetMs: 0, errorMs: Number.POSITIVE_INFINITY }, 100_000],
  ])('%s', (_, at, offset, expected) => {
    expect(seenTime(at, 100_000, offset, 10_000)).toBe(expected);
  });
});
