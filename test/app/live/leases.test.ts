import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createUnrecordedPeriodFinder, gapText, toUnrecordedPeriod } from '../../../src/app/live/leases.ts';
import { SimClock } from '../../../src/clock/index.ts';
import { epochMs } from '../../../src/domain/index.ts';
import { readBootId, takeLease } from '../../../src/store/index.ts';
import { newFolder } from '../../cli/halfspread.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const clock = new SimClock(epochMs(NOON));
const HOLDER = { pid: 42, host: 'here', since: '2026-03-01T10:00:00Z', file: 'bot.db' };

/** Writes the lease of a killed process. @param boot id of the machine start on which it ran */
function killedLease(boot: string | undefined): string {
  const path = join(newFolder(), 'bot.db.lock');
  writeFileSync(`${path}.json`, JSON.stringify({ ...HOLDER, boot }));
  return path;
}

describe('the unrecorded period of a journal', () => {
  const machine = { bootId: 'second', uptimeS: 600 };

  it('is between its last step and the start of the machine, if the machine crashed', () => {
    const find = createUnrecordedPeriodFinder(killedLease('first'), clock, machine);
    expect(find?.(NOON - 3_600_000)).toEqual({ from: NOON - 3_600_000, to: NOON - 600_000 });
    // Without a step, it begins at the start of the killed bot.
    expect(find?.(undefined)).toEqual({ from: NOON - 7_200_000, to: NOON - 600_000 });
  });

  it('is undefined if only the bot was killed, if it ended, or if the start of the machine is unknown', () => {
    expect(createUnrecordedPeriodFinder(killedLease('second'), clock, machine)).toBeUndefined();
    expect(createUnrecordedPeriodFinder(killedLease(undefined), clock, machine)).toBeUndefined();
    expect(
      createUnrecordedPeriodFinder(killedLease('first'), clock, { bootId: undefined, uptimeS: 1 }),
    ).toBeUndefined();
    const path = killedLease('first');
    takeLease([{ path, resource: 'the file' }], { ...HOLDER, boot: 'first' })();
    expect(createUnrecordedPeriodFinder(path, clock, machine)).toBeUndefined();
  });

  it('is the gap in its files, or undefined if nothing was sent', () => {
    const gap = { from: NOON - 3_600_000, acknowledgedAt: undefined, commits: 1, entries: 0 };
    const begin = NOON - 600_000;
    expect(toUnrecordedPeriod({ ...gap, cause: 'POWER_CUT' }, clock, 600)).toEqual({ from: gap.from, to: begin });
    expect(toUnrecordedPeriod({ ...gap, cause: 'ACCEPTED_LOSS' }, clock, 600)).toEqual({ from: gap.from, to: NOON });
    expect(toUnrecordedPeriod({ ...gap, cause: 'POWER_CUT', from: undefined }, clock, 600)).toBeUndefined();
  });

  it('begins with the account when its files were emptied', () => {
    const gap = { cause: 'ACCEPTED_LOSS', from: 0, acknowledgedAt: undefined, commits: 1, entries: 2 } as const;
    expect(toUnrecordedPeriod(gap, clock, 600)).toEqual({ from: 0, to: NOON });
    expect(gapText(gap)).toContain('a loss was accepted: its files are empty, and 1 transactions');
  });
});

it('the id of the machine start is the same at each call', () => {
  expect(readBootId()).toBe(readBootId());
});
