import { describe, expect, it } from 'vitest';
import {
  type EpochMs,
  epochMs,
  type InputEvent,
  marketNo,
  type RejectReason,
  type RiskCode,
  unchecked,
} from '../../src/domain/index.ts';
import { MAX_HARMLESS_IN_A_ROW } from '../../src/ops/guard/kill-switch.ts';
import { type KillLimits, KillSwitch } from '../../src/ops/index.ts';
import type { Step } from '../../src/runtime/index.ts';
import { about, filled } from '../state/world.ts';

const LIMITS: KillLimits = {
  errors: 2,
  errorWindowMs: 1_000,
  stalenessMs: 5_000,
  clockSkewMs: 100,
  position: 3_000_000,
};
const MARKET = marketNo(0);

const timeAt = (ms: number): EpochMs => epochMs(1_000_000 + ms);

function step(event: InputEvent | undefined, code?: RiskCode): Step {
  const refused =
    code === undefined ? [] : [{ ok: false, market: MARKET, code, limit: 50_000_000, actual: 50_010_000 } as const];
  return { seq: unchecked.seq(1), time: event?.time ?? timeAt(0), row: 0, event, refused, commands: [] };
}

const rejected = (ms: number, reason: RejectReason = 'INVALID_TICK'): Step =>
  step({ type: 'orderRejected', ...about(1, timeAt(ms)), reason });
const link = (ms: number, state: 'UP' | 'DOWN'): Step =>
  step({ type: 'venueChanged', time: timeAt(ms), venueTime: timeAt(ms), mode: 'NORMAL', link: state });

function switchWith(limits: Partial<KillLimits> = {}, net = () => 0): KillSwitch {
  return new KillSwitch({ ...LIMITS, ...limits }, net);
}

describe('the kill switch', () => {
  it('trips at one error more than allowed within the window, and once', () => {
    const killSwitch = switchWith();
    expect(killSwitch.onSteps([rejected(0), rejected(10)])).toBeUndefined();
    expect(killSwitch.onSteps([rejected(20)])).toMatchObject({
      reason: 'ERROR_RATE',
      text: '3 rejections, lost answers and repeats within 1000 ms (2 allowed), the last one INVALID_TICK. If the market accepts only some prices, set markets.grid',
    });
    expect(killSwitch.onSteps([rejected(30)])).toBeUndefined();
    expect(killSwitch.tripped).toMatchObject({ reason: 'ERROR_RATE' });
  });

  it('ignores errors that are older than the window', () => {
    const killSwitch = switchWith();
    for (const ms of [0, 600, 1_200, 1_800, 2_400]) expect(killSwitch.onSteps([rejected(ms)]), `${ms}`).toBeUndefined();
    expect(killSwitch.onSteps([rejected(2_500)])).toBeDefined();
  });

  it.each<RejectReason>([
    'CONFLICT',
    'ALREADY_FINAL',
    'POST_ONLY_WOULD_CROSS',
    'FOK_NOT_FILLABLE',
    'MARKET_NOT_OPEN',
    'MARKET_HALTED',
  ])('ignores %s as an everyday refusal', (reason) => {
    expect(switchWith().onSteps(Array.from({ length: 50 }, (_, ms) => rejected(ms, reason)))).toBeUndefined();
  });

  it('counts harmless refusals in a market without other events', () => {
    const cancel = (ms: number): Step => step({ type: 'cancelRejected', ...about(1, timeAt(ms)), reason: 'NOT_FOUND' });
    const closed = step({ type: 'orderClosed', ...about(2, timeAt(60)), reason: 'USER' });
    const row = Array.from({ length: MAX_HARMLESS_IN_A_ROW }, (_, ms) => cancel(ms));
    const killSwitch = switchWith();
    expect(killSwitch.onSteps([...row, cancel(50), cancel(51)])).toBeUndefined();
    expect(killSwitch.onSteps([closed, ...row, cancel(110)])).toMatchObject({ reason: 'ERROR_RATE' });

    const calm = switchWith();
    for (let count = 0; count < 100; count += 1) {
      expect(calm.onSteps([cancel(3 * count), cancel(3 * count + 1), closed])).toBeUndefined();
    }
    const taker = switchWith();
    expect(taker.onSteps(Array.from({ length: 500 }, (_, ms) => rejected(ms, 'FOK_NOT_FILLABLE')))).toBeUndefined();
  });

  it('counts repeated commands that no step shows', () => {
    const killSwitch = switchWith();
    expect(killSwitch.onCommandResent(timeAt(0), 'cancelOrders')).toBeUndefined();
    expect(killSwitch.onCommandResent(timeAt(1), 'cancelOrders')).toBeUndefined();
    expect(killSwitch.onCommandResent(timeAt(2), 'cancelOrders')).toMatchObject({
      reason: 'ERROR_RATE',
      text: expect.stringContaining('the last one cancelOrders, repeated'),
    });
    expect(killSwitch.onCommandResent(timeAt(3), 'cancelOrders')).toBeUndefined();
  });

  it('counts lost answers, and does not count cancels that arrived too late', () => {
    const late = step({ type: 'cancelRejected', ...about(1, timeAt(0)), reason: 'ALREADY_FINAL' });
    const lost = step({ type: 'orderUncertain', ...about(1, timeAt(0)) });
    expect(switchWith().onSteps([late, late, late, late])).toBeUndefined();
    expect(switchWith().onSteps([lost, lost, lost])).toMatchObject({ text: expect.stringContaining('a lost answer') });
  });

  it('follows risk after a kill for a loss', () => {
    expect(switchWith().onSteps([step(undefined, 'DAILY_LOSS')])).toMatchObject({
      reason: 'LOSS',
      text: 'the loss since 00:00 UTC is $50.01 ($50.00 allowed)',
    });
    expect(switchWith().onSteps([step(undefined, 'DRAWDOWN')])).toMatchObject({ reason: 'DRAWDOWN' });
    expect(switchWith().onSteps([step(undefined, 'MAX_POSITION')])).toBeUndefined();
  });

  it('checks positions after each fill, by any strategy', () => {
    const fill = step({ ...filled({ order: 1 }), order: unchecked.order(0) });
    expect(switchWith({}, () => 3_000_000).onSteps([fill])).toBeUndefined();
    expect(switchWith({}, () => -3_010_000).onSteps([fill])).toMatchObject({
      reason: 'POSITION',
      text: '3.01 shares are held in market 0 (3 allowed)',
    });
  });

  it('trips when the connection is down for longer than allowed, and not when it returns in time', () => {
    const sample = (ms: number) => ({ now: timeAt(ms), skewMs: 0, freshestBookMs: 0 });
    const killSwitch = switchWith();
    killSwitch.onSteps([link(0, 'DOWN'), link(2_000, 'DOWN')]);
    expect(killSwitch.check(sample(5_000))).toBeUndefined();
    killSwitch.onSteps([link(5_000, 'UP')]);
    expect(killSwitch.check(sample(9_000))).toBeUndefined();
    killSwitch.onSteps([link(9_000, 'DOWN')]);
    expect(killSwitch.check(sample(14_001))).toMatchObject({ reason: 'STALENESS' });
  });

  it('does not trip while quoting is stopped for an account difference', () => {
    const sample = (ms: number, comparison: 'disputed' | 'agreed') => ({
      now: timeAt(ms),
      skewMs: 0,
      freshestBookMs: 0,
      isDisputed: comparison === 'disputed',
    });
    const killSwitch = switchWith();
    killSwitch.onSteps([link(0, 'DOWN')]);
    expect(killSwitch.check(sample(1_000_000, 'disputed'))).toBeUndefined();
    expect(killSwitch.check(sample(1_000_001, 'agreed'))).toMatchObject({ reason: 'STALENESS' });
  });

  it('trips when no book arrives, and when the clocks differ too much', () => {
    expect(switchWith().check({ now: timeAt(0), skewMs: 100, freshestBookMs: 5_000 })).toBeUndefined();
    expect(switchWith().check({ now: timeAt(0), skewMs: 0, freshestBookMs: 5_001 })).toMatchObject({
      reason: 'STALENESS',
    });
    expect(switchWith().check({ now: timeAt(0), skewMs: 101, freshestBookMs: 0 })).toMatchObject({
      reason: 'CLOCK_SKEW',
    });
    expect(
      switchWith({ stalenessMs: Number.POSITIVE_INFINITY }).check({ now: timeAt(0), skewMs: 0, freshestBookMs: 1e9 }),
    ).toBeUndefined();
  });

  it('reports that the clock may have been set when a silence is much longer than allowed', () => {
    const textAfter = (freshestBookMs: number) =>
      switchWith().check({ now: timeAt(0), skewMs: 0, freshestBookMs })?.text;
    expect(textAfter(5_250)).toMatch(/\(5000 allowed\)$/);
    expect(textAfter(3 * 86_400_000)).toMatch(/this clock was set, or the process was stopped.*start the bot again$/);
  });

  it('counts again from zero after a reset', () => {
    const killSwitch = switchWith();
    expect(killSwitch.trip({ reason: 'COMMAND', text: 'news' })).toBe(true);
    expect(killSwitch.trip({ reason: 'SIGNAL', text: 'SIGUSR2' })).toBe(false);
    expect(killSwitch.tripped?.reason).toBe('COMMAND');
    killSwitch.reset();
    expect(killSwitch.tripped).toBeUndefined();
    expect(killSwitch.onSteps([rejected(0), rejected(1)])).toBeUndefined();
  });
});
