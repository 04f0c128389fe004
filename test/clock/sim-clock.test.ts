import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SimClock } from '../../src/clock/index.ts';
import { RANK } from '../../src/clock/sim-clock.ts';
import { epochMs } from '../../src/domain/index.ts';

const clockAt = (start: number): SimClock => new SimClock(epochMs(start));

function runAll(clock: SimClock): void {
  while (clock.pending > 0) clock.runNext();
}

describe('sim clock', () => {
  it('runs entries by time, then rank, then order of scheduling', () => {
    const clock = clockAt(1000);
    const ran: string[] = [];
    const log = (name: string) => () => ran.push(`${clock.now()} ${name}`);
    clock.schedule(epochMs(1050), log('timer'));
    clock.scheduleRanked(1050, RANK.delivery, log('delivery'));
    clock.scheduleRanked(1050, RANK.command, log('command a'));
    clock.scheduleRanked(1050, RANK.command, log('command b'));
    clock.scheduleRanked(1020, RANK.timer, log('early timer'));
    runAll(clock);
    expect(ran).toEqual(['1020 early timer', '1050 command a', '1050 command b', '1050 delivery', '1050 timer']);
  });

  it('returns the time of the next entry, Infinity when there is none', () => {
    const clock = clockAt(0);
    expect(clock.nextTime()).toBe(Infinity);
    clock.scheduleRanked(7, RANK.delivery, () => {});
    expect([clock.nextTime(), clock.pending]).toEqual([7, 1]);
  });

  it('runs an entry for a past time next, but not during the call, and never moves back', () => {
    const clock = clockAt(1000);
    let ran = false;
    clock.schedule(epochMs(10), () => {
      ran = true;
    });
    expect(ran).toBe(false);
    expect(clock.nextTime()).toBe(1000);
    clock.runNext();
    expect([ran, clock.now()]).toEqual([true, 1000]);
  });

  it('runs an entry that another entry schedules for the same time after existing entries of its rank', () => {
    const clock = clockAt(0);
    const ran: string[] = [];
    clock.schedule(epochMs(5), () => {
      ran.push('a');
      clock.schedule(epochMs(5), () => ran.push('c'));
    });
    clock.schedule(epochMs(5), () => ran.push('b'));
    runAll(clock);
    expect(ran).toEqual(['a', 'b', 'c']);
  });

  it('removes a cancelled entry, and cancelling again or after the run does nothing', () => {
    const clock = clockAt(0);
    const ran: string[] = [];
    const cancel = clock.schedule(epochMs(5), () => ran.push('a'));
    cancel();
    expect(clock.pending).toBe(0);
    clock.schedule(epochMs(6), () => ran.push('b')); // reuses the freed slot
    cancel();
    runAll(clock);
    cancel();
    expect(ran).toEqual(['b']);
  });

  it('calls a function with its argument, without a closure', () => {
    const clock = clockAt(0);
    const got: number[] = [];
    const fire = (arg: number) => got.push(arg);
    clock.post(2, RANK.command, fire, 22);
    clock.post(1, RANK.command, fire, 11);
    runAll(clock);
    expect(got).toEqual([11, 22]);
  });

  it('advances up to the time of a due entry, but not past it and not back', () => {
    const clock = clockAt(0);
    clock.schedule(epochMs(10), () => {});
    clock.advanceTo(10);
    expect([clock.now(), clock.pending]).toEqual([10, 1]);
    expect(() => clock.advanceTo(11)).toThrow(/Invariant: .*due at 10/);
    expect(() => clock.advanceTo(9)).toThrow(/Invariant: .*from 10 to 9/);
    clock.runNext();
    expect(() => clock.runNext()).toThrow(/nothing left/);
  });

  it('equals a sorted list under any mix of scheduling, cancelling and running', () => {
    const action = fc.record({
      when: fc.nat(500),
      rank: fc.integer({ min: 1, max: 3 }),
      cancel: fc.nat(600),
      run: fc.constantFrom(0, 0, 0, 1),
    });
    fc.assert(
      fc.property(fc.array(action, { minLength: 100, maxLength: 300 }), (actions) => {
        const clock = clockAt(0);
        let naive: { when: number; rank: number; id: number }[] = [];
        const got: number[] = [];
        const expected: number[] = [];
        const cancels: (() => void)[] = [];
        actions.forEach(({ when, rank, cancel, run }, id) => {
          naive.push({ when: Math.max(when, clock.now()), rank, id });
          cancels.push(clock.scheduleRanked(when, rank, () => got.push(id)));
          if (cancel < id) {
            cancels[cancel]?.();
            naive = naive.filter((entry) => entry.id !== cancel);
          }
          naive.sort((a, b) => a.when - b.when || a.rank - b.rank || a.id - b.id);
          for (let turn = 0; turn < run && clock.pending > 0; turn += 1) {
            clock.runNext();
            expected.push(naive.shift()?.id ?? -1);
          }
          expect(clock.pending).toBe(naive.length);
          expect(clock.nextTime()).toBe(naive[0]?.when ?? Infinity);
        });
        runAll(clock);
        expect(got).toEqual([...expected, ...naive.map(({ id }) => id)]);
      }),
    );
  });
});
