import { describe, expect, it } from 'vitest';
import { SimClock, wallClock } from '../../../src/clock/index.ts';
import { epochMs } from '../../../src/domain/index.ts';
import type { Alert } from '../../../src/ops/alerts/alert.ts';
import { QuietHours, RepeatFilter } from '../../../src/ops/alerts/filters.ts';
import { Alerts, LocalTime, parseMinutes } from '../../../src/ops/index.ts';
import { alertOf, logged, receiver, SECRET, target } from './receiver.ts';

const timeAt = (text: string) => epochMs(Date.parse(text));

/** Runs all timers that are due until this time. */
function runTo(clock: SimClock, time: number): void {
  while (clock.nextTime() <= time) clock.runNext();
  clock.advanceTo(time);
}

describe('alerts', () => {
  it('reach each target at or below their level, with the name of the bot and without secrets', async () => {
    const [all, urgent] = [await receiver(), await receiver()];
    const { log, redactor } = logged();
    redactor.addSecret(SECRET);
    const targets = [target(all.url), target(urgent.url, { level: 'critical' })];
    const alerts = new Alerts({ targets, clock: wallClock(), log, redactor, name: 'cup' });
    alerts.send('fee', `a fee rose: ${SECRET}`, { market: SECRET, feeBps: 3 });
    alerts.send('kill', 'killed', { open: 0 });
    await alerts.close();
    expect(all.got.map(({ body }) => body)).toMatchObject([
      { kind: 'fee', level: 'warning', text: '[cup] a fee rose: [redacted]', market: '[redacted]', feeBps: 3 },
      { kind: 'kill', level: 'critical', text: '[cup] killed' },
    ]);
    expect(urgent.got.map(({ body }) => body['kind'])).toEqual(['kill']);
  });

  it.each([
    ['end', { open: 0 }, 'info'],
    ['end', { open: 2 }, 'critical'],
    ['end', { open: -1 }, 'critical'],
    ['recovery', { orders: 3 }, 'info'],
    ['recovery', { orders: 3, gap: 'lost' }, 'warning'],
  ] as const)('of the kind %s with %j have the level %s', async (kind, fields, level) => {
    const { url, got } = await receiver();
    const { log, redactor } = logged();
    const alerts = new Alerts({ targets: [target(url)], clock: wallClock(), log, redactor });
    alerts.send(kind, 'text', fields);
    await alerts.close();
    expect(got[0]?.body).toMatchObject({ kind, level });
  });
});

describe('the filter of repeats', () => {
  function fixture() {
    const clock = new SimClock(epochMs(0));
    const passed: Alert[] = [];
    const filter = new RepeatFilter(clock, 300_000, (alert) => void passed.push(alert));
    return { clock, filter, texts: () => passed.map(({ text }) => text), passed };
  }
  const fee = (text: string) => alertOf({ kind: 'fee', text });

  it('sends the same alert once, and the number of repeats at the end of the window', () => {
    const { clock, filter, texts, passed } = fixture();
    for (let count = 0; count < 8; count += 1) filter.accept(fee('rose'));
    filter.accept(fee('fell'));
    expect(texts()).toEqual(['rose', 'fell']);
    runTo(clock, epochMs(299_999));
    expect(texts()).toHaveLength(2);
    runTo(clock, epochMs(300_000));
    expect(texts()).toEqual(['rose', 'fell', 'rose (and 7 more within 5 minutes)']);
    expect(passed.at(-1)?.fields).toMatchObject({ more: 7 });
    // An alert that repeats is counted in the next window too. One that stopped is sent again.
    filter.accept(fee('rose'));
    filter.accept(fee('fell'));
    expect(texts().slice(3)).toEqual(['fell']);
    runTo(clock, epochMs(600_000));
    expect(texts().slice(4)).toEqual(['rose (and 1 more within 5 minutes)']);
  });

  it('sends each kill, as each one follows a `resume`', () => {
    const { filter, texts } = fixture();
    filter.accept(alertOf({ kind: 'kill' }));
    filter.accept(alertOf({ kind: 'kill' }));
    expect(texts()).toHaveLength(2);
  });

  it('sends its counts when it closes, and stores at most 200 texts', () => {
    const { filter, texts, clock } = fixture();
    filter.accept(fee('first'));
    filter.accept(fee('first'));
    for (let number = 0; number < 200; number += 1) filter.accept(fee(`text ${number}`));
    expect(texts().filter((text) => text.includes('more within'))).toEqual(['first (and 1 more within 5 minutes)']);
    filter.accept(fee('text 7'));
    filter.close();
    expect(texts().at(-1)).toBe('text 7 (and 1 more within 5 minutes)');
    const count = texts().length;
    runTo(clock, epochMs(10_000_000));
    expect(texts()).toHaveLength(count);
  });
});

describe('quiet hours', () => {
  function fixture(now: string) {
    const clock = new SimClock(timeAt(now));
    const passed: Alert[] = [];
    const times = { localTime: new LocalTime('Europe/Berlin'), from: parseMinutes('22:00'), to: parseMinutes('07:00') };
    const quiet = new QuietHours(clock, times, (alert) => void passed.push(alert));
    const take = (more: Partial<Alert>) =>
      quiet.accept(alertOf({ kind: 'fee', level: 'warning', time: clock.now(), ...more }));
    return { clock, quiet, passed, take };
  }

  it('let critical alerts pass, and send the others in one message at their end, in local time', () => {
    const { clock, passed, take } = fixture('2026-07-01T20:30:00Z');
    take({ text: 'a' });
    take({ text: 'kill', kind: 'kill', level: 'critical' });
    take({ text: 'b', level: 'info' });
    expect(passed.map(({ text }) => text)).toEqual(['kill']);
    // 07:00 in Berlin, which is two hours ahead in summer.
    runTo(clock, timeAt('2026-07-02T04:59:59Z'));
    expect(passed).toHaveLength(1);
    runTo(clock, timeAt('2026-07-02T05:00:00Z'));
    expect(passed[1]).toMatchObject({
      kind: 'quiet',
      level: 'warning',
      text: 'halfspread: 2 alerts during quiet hours\n- a\n- b',
      fields: { held: 2 },
    });
    take({ text: 'day' });
    expect(passed.at(-1)?.text).toBe('day');
  });

  it('hold a bounded number of texts, count the rest, and report how many are not sent when the bot ends', () => {
    const { clock, quiet, passed, take } = fixture('2026-01-01T23:00:00Z');
    for (let number = 0; number < 1_000; number += 1) take({ text: `text ${number}` });
    runTo(clock, timeAt('2026-01-02T06:00:00Z'));
    expect(passed).toHaveLength(1);
    expect(passed[0]?.text).toMatch(/^halfspread: 1000 alerts.*text 29\nand 970 more, which are in the log$/s);
    runTo(clock, timeAt('2026-01-02T22:00:00Z'));
    take({ text: 'late' });
    expect(quiet.close()).toBe(1);
    runTo(clock, timeAt('2026-01-04T22:00:00Z'));
    expect(passed).toHaveLength(1);
  });
});

describe('local times', () => {
  const berlin = new LocalTime('Europe/Berlin');

  it.each([
    ['the same day', '2026-11-26T05:00:00Z', '08:00', '2026-11-26T07:00:00Z'],
    ['the next day when it is that minute now', '2026-11-26T07:00:30Z', '08:00', '2026-11-27T07:00:00Z'],
    ['the next day after the end of summer time', '2026-10-24T12:00:00Z', '08:00', '2026-10-25T07:00:00Z'],
    ['the next day after the start of summer time', '2026-03-28T12:00:00Z', '08:00', '2026-03-29T06:00:00Z'],
    ['the next day an hour later if the clocks skip it', '2026-03-28T12:00:00Z', '02:30', '2026-03-29T01:30:00Z'],
  ])('fall on %s', (_, now, time, expected) => {
    expect(new Date(berlin.next(timeAt(now), parseMinutes(time))).toISOString()).toBe(new Date(expected).toISOString());
  });

  it('are refused in an unknown zone', () => {
    expect(() => new LocalTime('Europe/Nowhere')).toThrow(RangeError);
  });
});
