import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gapTime, lostTime } from '../../../src/app/live/lost-time.ts';
import { SimClock } from '../../../src/clock/index.ts';
import { epochMs } from '../../../src/domain/index.ts';
import { machineStart, takeLease } from '../../../src/store/index.ts';
import { newFolder } from '../../cli/halfspread.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const clock = new SimClock(epochMs(NOON));
const HOLDER = { pid: 42, host: 'here', since: '2026-03-01T10:00:00Z', file: 'bot.db' };

/** The lease of a process that came to no end, on that start of the machine. */
function left(boot: string | undefined): string {
  const path = join(newFolder(), 'bot.db.lock');
  writeFileSync(`${path}.json`, JSON.stringify({ ...HOLDER, boot }));
  return path;
}

describe('a journal that may have lost its last moments', () => {
  const machine = { start: 'second', uptimeS: 600 };

  it('has lost the time between its last step and the start of the machine, which crashed with the bot', () => {
    const lost = lostTime(left('first'), clock, machine);
    expect(lost?.(NOON - 3_600_000)).toEqual({ from: NOON - 3_600_000, to: NOON - 600_000 });
    // Nothing of it is left: then since that bot began.
    expect(lost?.(undefined)).toEqual({ from: NOON - 7_200_000, to: NOON - 600_000 });
  });

  it('has lost nothing when only the bot died, when it ended, or when nothing is known', () => {
    expect(lostTime(left('second'), clock, machine)).toBeUndefined();
    expect(lostTime(left(undefined), clock, machine)).toBeUndefined();
    expect(lostTime(left('first'), clock, { start: undefined, uptimeS: 1 })).toBeUndefined();
    const path = left('first');
    takeLease([{ path, what: 'the file' }], { ...HOLDER, boot: 'first' })();
    expect(lostTime(path, clock, machine)).toBeUndefined();
  });

  it('has lost the gap that its files show, and nothing when nothing was sent', () => {
    const gap = { from: NOON - 3_600_000, acknowledgedAt: undefined, commits: 1, entries: 0 };
    const begin = NOON - 600_000;
    expect(gapTime({ ...gap, cause: 'POWER_CUT' }, clock, 600)).toEqual({ from: gap.from, to: begin });
    expect(gapTime({ ...gap, cause: 'ACCEPTED_LOSS' }, clock, 600)).toEqual({ from: gap.from, to: NOON });
    expect(gapTime({ ...gap, cause: 'POWER_CUT', from: undefined }, clock, 600)).toBeUndefined();
  });

  it('is described by a text that stays the same while the machine runs', () => {
    expect(machineStart()).toBe(machineStart());
  });
});
