import { describe, expect, it } from 'vitest';
import { InputFault } from '../../src/domain/index.ts';
import { RunningTimers } from '../../src/runtime/strategy-timers.ts';
import type { StrategyHandlers, StrategyTimers } from '../../src/strategy/index.ts';
import { createInstance } from './fakes.ts';
import { RunFixture } from './run-fixture.ts';

/** A run of one instance that logs when its timers fire. */
async function startRun(
  handlers: (timers: StrategyTimers, fired: string[]) => StrategyHandlers,
  declared: number[] = [],
) {
  const timers = declared.map((everyMs) => ({ name: `every ${everyMs}`, everyMs }));
  const names = new RunningTimers('probe', timers);
  const fired: string[] = [];
  const fixture: RunFixture = new RunFixture([
    { ...createInstance(handlers(names, fired), { timers }), runningTimers: names },
  ]);
  await fixture.run.start();
  return { fixture, fired };
}

function until({ clock }: RunFixture, time: number): void {
  while (clock.nextTime() <= time) clock.runNext();
}

describe('timers that a strategy sets in its handlers', () => {
  it('fire once after a delay, or repeatedly', async () => {
    const { fixture, fired } = await startRun((timers, log) => ({
      onStart() {
        timers.set('once', { afterMs: 25 });
        timers.set('often', { everyMs: 10 });
        return undefined;
      },
      onTimer: ({ timer, time }) => void log.push(`${timer} ${time}`),
    }));
    until(fixture, 1_000 + 40);
    expect(fired).toEqual(['often 1010', 'often 1020', 'once 1025', 'often 1030', 'often 1040']);
  });

  it('are cleared and set again by name, as are those of `timers(params)`', async () => {
    const { fixture, fired } = await startRun(
      (timers, log) => ({
        onStart() {
          timers.set('gone', { afterMs: 5 });
          timers.clear('gone');
          timers.clear('never there');
          timers.set('later', { afterMs: 5 });
          timers.set('later', { afterMs: 15 });
          return undefined;
        },
        onTimer({ timer, time }) {
          log.push(`${timer} ${time}`);
          if (time === 1_020) timers.clear('every 10');
          return undefined;
        },
      }),
      [10],
    );
    until(fixture, 1_000 + 60);
    expect(fired).toEqual(['every 10 1010', 'later 1015', 'every 10 1020']);
  });

  it('are set by a book message, and set again when they fire', async () => {
    const { fixture, fired } = await startRun((timers, log) => ({
      onBook: () => void timers.set('requote', { afterMs: 7 }),
      onTimer({ timer, time }) {
        log.push(`${timer} ${time}`);
        if (log.length < 3) timers.set('requote', { afterMs: 7 });
        return undefined;
      },
    }));
    fixture.rows('1001 | bid 4000 10');
    until(fixture, 1_000 + 100);
    expect(fired).toEqual(['requote 1007', 'requote 1014', 'requote 1021']);
  });

  it('end with the run', async () => {
    const { fixture, fired } = await startRun((timers, log) => ({
      onStart: () => void timers.set('often', { everyMs: 10 }),
      onTimer: ({ time }) => void log.push(String(time)),
      onStop: () => void timers.set('after', { afterMs: 1 }),
    }));
    fixture.run.stop();
    until(fixture, 1_000 + 100);
    expect(fired).toEqual([]);
  });
});

describe('the names of timers', () => {
  const boundNames = (): RunningTimers => {
    const names = new RunningTimers('probe', []);
    names.onChange(() => {});
    return names;
  };

  it('are at most 100, and the error for another one names the remedy', () => {
    const names = boundNames();
    for (let number = 0; number < 100; number += 1) names.set(`timer ${number}`, { afterMs: 1 });
    names.set('timer 7', { afterMs: 2 });
    expect(() => names.set('one more', { afterMs: 1 })).toThrow(
      'timer "one more" of strategy "probe": expected at most 100 timers at a time: reuse a name, or clear timers',
    );
    names.clear('timer 7');
    names.onFired('timer 8');
    names.set('one more', { afterMs: 1 });
    names.set('and one', { everyMs: 1 });
    names.onFired('and one');
    expect(() => names.set('too many', { afterMs: 1 })).toThrow(InputFault);
  });

  it.each([{}, { afterMs: 0 }, { everyMs: 1.5 }, undefined, { afterMs: '5' }])('require a delay, not %o', (delay) => {
    expect(() => boundNames().set('tick', delay as never)).toThrow(
      'timer "tick" of strategy "probe": expected { afterMs } or { everyMs }, in whole milliseconds, at least 1',
    );
  });

  it('require one delay, not two', () => {
    expect(() => boundNames().set('tick', { afterMs: 1, everyMs: 1 })).toThrow(
      'timer "tick" of strategy "probe" has both afterMs and everyMs: give afterMs to fire once, everyMs to repeat',
    );
  });

  it.each(['', 'x'.repeat(65), 5])('have 1 to 64 characters, not %o', (name) => {
    expect(() => boundNames().set(name as never, { afterMs: 1 })).toThrow('a name of 1 to 64 characters');
  });

  it('cannot be set in `create`', () => {
    expect(() => new RunningTimers('probe', []).set('x', { afterMs: 1 })).toThrow('was called in `create`');
  });
});
