import { describe, expect, it } from 'vitest';
import { SimClock } from '../../src/clock/index.ts';
import { epochMs } from '../../src/domain/index.ts';
import { RecoveryWatch } from '../../src/ops/live/recovery-watch.ts';
import type { RecoveryReport } from '../../src/runtime/index.ts';

const REPORT: RecoveryReport = {
  cause: 'reconnect',
  at: epochMs(1_000),
  downMs: 12_345,
  ordersCompared: 9,
  ordersFound: 0,
  ordersCancelled: 0,
  ordersAdopted: 0,
  fillsFound: 0,
  positions: [],
  outcome: 'agrees',
  differences: [],
};
const DISAGREES: RecoveryReport = {
  ...REPORT,
  outcome: 'disagrees',
  differences: ['cash $1.00 stored, $2.00 at the venue'],
};

function fixture(pause: (reason: string) => void = () => {}) {
  const logged: (readonly [level: string, text: string, fields: object])[] = [];
  const alerts: (readonly [kind: string, text: string])[] = [];
  const sent: object[] = [];
  const paused: string[] = [];
  const stored: RecoveryReport[] = [];
  const clock = new SimClock(epochMs(0));
  const logAt = (level: string) => (fields: object, text: string) => void logged.push([level, text, fields]);
  const watch = new RecoveryWatch({
    clock,
    log: { debug: logAt('debug'), info: logAt('info'), warn: logAt('warn'), error: logAt('error') },
    alert: (kind, text, fields) => {
      alerts.push([kind, text]);
      sent.push(fields);
    },
    commandLine: (...command) => `npx halfspread ${command.join(' ')} --db a.db`,
    storeRecovery: (report) => void stored.push(report),
    run: {
      submit: (event) => {
        const reason = (event.type === 'operatorCommanded' && event.reason) || '';
        paused.push(reason);
        pause(reason);
      },
    },
  });
  const passTime = (ms: number): void => {
    clock.schedule(epochMs(clock.now() + ms), () => {});
    clock.runNext();
  };
  return { watch, logged, alerts, sent, paused, stored, pass: passTime };
}

describe('the recovery of a bot', () => {
  it('after a power cut logs a warning, raises an alert and shows the gap, even without findings', () => {
    const { watch, logged, alerts } = fixture();
    const gap = { cause: 'POWER_CUT', from: 1_000, acknowledgedAt: 2_000, commits: 0, entries: 2 } as const;
    watch.onRecovered({ ...REPORT, cause: 'start', gap });
    expect(watch.last?.gap).toEqual(gap);
    expect(logged.map(([level]) => level)).toEqual(['warn']);
    expect(alerts).toEqual([['recovery', expect.stringContaining('2 log entries are missing')]]);
  });

  it('is logged with all of its numbers, and shown until the next one', () => {
    const { watch, logged, stored } = fixture();
    expect(watch.last).toBeUndefined();
    watch.onRecovered(REPORT);
    const text = 'connected again after 12 s: 9 orders compared, 0 fills found, position agrees';
    expect(logged).toEqual([['info', text, { recovery: REPORT }]]);
    expect(watch.last).toEqual({ ...REPORT, text });
    expect(stored).toEqual([REPORT]);
    watch.onRecovered({ ...REPORT, outcome: 'adjusted' });
    expect([logged.at(-1)?.[0], watch.last?.outcome]).toEqual(['warn', 'adjusted']);
  });

  it('without findings raises an alert at most once a minute, and with findings always', () => {
    const { watch, alerts, pass, paused } = fixture();
    for (let count = 0; count < 10; count += 1) watch.onRecovered(REPORT);
    expect(alerts).toHaveLength(1);
    watch.onRecovered({ ...REPORT, fillsFound: 1 });
    watch.onRecovered({ ...REPORT, fillsFound: 1 });
    expect(alerts).toHaveLength(3);
    pass(60_000);
    watch.onRecovered(REPORT);
    expect(alerts).toHaveLength(4);
    watch.onRecovered({ ...REPORT, cause: 'start' });
    expect(alerts).toHaveLength(4);
    expect(paused).toEqual([]);
  });

  it('reports to webhooks how many orders of the journal ended during the downtime or did not reach the venue', () => {
    const { watch, sent } = fixture();
    watch.onRecovered({ ...REPORT, cause: 'start', ordersEnded: 3, ordersNotAtVenue: 2 });
    expect(sent).toEqual([expect.objectContaining({ cause: 'start', ordersEnded: 3, ordersNotAtVenue: 2 })]);
  });

  it('with a difference pauses the bot with the difference as the reason, and raises an alert each time', () => {
    const { watch, alerts, paused, logged } = fixture(() => {
      throw new Error('the run has failed');
    });
    watch.onRecovered(DISAGREES);
    watch.onRecovered(DISAGREES);
    expect(alerts.map(([kind]) => kind)).toEqual(['disagreement', 'disagreement']);
    expect(alerts[0]?.[1]).toMatch(/^halfspread stopped quoting: connected again .*DISAGREES: cash \$1.00 stored/);
    expect(alerts[0]?.[1]).toMatch(/Find out why; `npx halfspread resume --db a\.db` compares again$/);
    expect(paused[0]).toBe('RECONCILE: cash $1.00 stored, $2.00 at the venue');
    expect(logged.map(([level]) => level)).toEqual(['error', 'error', 'error', 'error']);
  });
});
