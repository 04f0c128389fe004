import { describe, expect, it } from 'vitest';
import { SimClock } from '../../src/clock/index.ts';
import { epochMs } from '../../src/domain/index.ts';
import { LogWatch } from '../../src/ops/live/bot-alerts.ts';

const FULL = 'log.file bot.log cannot be written (ENOSPC)';

function fixture() {
  const clock = new SimClock(epochMs(0));
  const logged: (readonly [text: string, fields: object])[] = [];
  const alerts: (readonly [kind: string, text: string, fields: object])[] = [];
  const state: { problem: string | undefined } = { problem: undefined };
  const watch = new LogWatch({
    clock,
    log: { debug() {}, info() {}, error() {}, warn: (fields, text) => void logged.push([text, fields]) },
    alert: (...alert) => void alerts.push(alert),
    logProblem: () => state.problem,
  });
  const checkEvery = (ms: number, until: number): void => {
    for (let at = clock.now() + ms; at <= until; at += ms) {
      clock.schedule(epochMs(at), () => watch.check());
      clock.runNext();
    }
  };
  return { state, logged, alerts, checkEvery };
}

describe('the watch on a log', () => {
  it('reports nothing while the log is written', () => {
    const { logged, alerts, checkEvery } = fixture();
    checkEvery(250, 60_000);
    expect([logged, alerts]).toEqual([[], []]);
  });

  it('sends one alert for a lost log, and then tries to write a log line every ten seconds', () => {
    const { state, logged, alerts, checkEvery } = fixture();
    state.problem = FULL;
    checkEvery(250, 30_250);
    expect(alerts).toEqual([['log', expect.stringContaining(`${FULL}. Trading continues`), { problem: FULL }]]);
    const line = ['the log is not written', { since: '1970-01-01T00:00:00.250Z', problem: FULL }];
    expect(logged).toEqual([line, line, line]);
  });

  it('logs the time from which lines may be missing, and sends another alert when the log is lost again', () => {
    const { state, logged, alerts, checkEvery } = fixture();
    state.problem = FULL;
    checkEvery(250, 1_000);
    state.problem = undefined;
    checkEvery(250, 20_000);
    expect(logged).toEqual([
      ['the log is written again: lines since `since` may be missing', { since: '1970-01-01T00:00:00.250Z' }],
    ]);
    state.problem = FULL;
    checkEvery(250, 21_000);
    expect(alerts).toHaveLength(2);
  });

  it('sends at most one alert in ten seconds for a log that fails again and again', () => {
    const { state, alerts, checkEvery } = fixture();
    for (let at = 250; at <= 10_000; at += 250) {
      state.problem = at % 500 === 0 ? FULL : undefined;
      checkEvery(250, at);
    }
    expect(alerts).toHaveLength(1);
  });
});
