import { describe, expect, it } from 'vitest';
import { seenTime } from '../../../src/venues/base/staleness-monitor.ts';

describe('the time at which a change counts as seen', () => {
  it.each([
    ['is the receive time for a change on time', 99_000, { offsetMs: 0, errorMs: 5 }, 100_000],
    ['is the receive time for a change that is as late as allowed', 89_995, { offsetMs: 0, errorMs: 5 }, 100_000],
    ['is the venue time for a change that is too late', 80_000, { offsetMs: 0, errorMs: 5 }, 80_005],
    ['is the receive time when only the venue’s clock is behind', 80_000, { offsetMs: -20_000, errorMs: 5 }, 100_000],
    [
      'is the corrected venue time for a late change when the venue’s clock is ahead',
      100_000,
      { offsetMs: 20_000, errorMs: 5 },
      80_005,
    ],
    [
      'is the receive time before the clocks were compared',
      0,
      { offsetMs: 0, errorMs: Number.POSITIVE_INFINITY },
      100_000,
    ],
  ])('%s', (_, at, offset, expected) => {
    expect(seenTime(at, 100_000, offset, 10_000)).toBe(expected);
  });
});
