import { describe, expect, it } from 'vitest';
import { nextEventLoopTurn, SimClock } from '../../../src/clock/index.ts';
import { epochMs } from '../../../src/domain/index.ts';
import type { RecoveryReport } from '../../../src/runtime/index.ts';
import type { AccountState } from '../../../src/state/index.ts';
import { AccountMonitor } from '../../../src/venues/base/account-monitor.ts';
import { type ComparisonResult, RecoveryRecorder } from '../../../src/venues/base/recovery-recorder.ts';
import { Timers } from '../../../src/venues/base/timers.ts';
import { about, account, shares, usd } from '../../state/world.ts';

/** The account holds this many YES shares from now on. */
function hold(state: AccountState, count: number): void {
  const { order: _, ...received } = about(1);
  const cost = { yesCost: usd(count / 2), noCost: usd(0) };
  state.apply({ type: 'holdingAdjusted', ...received, yes: shares(count), no: shares(0), ...cost });
}

/** Returns a monitor that is connected and agrees, and the reports of its comparisons, each of which runs `compare`. */
async function monitorOf(state: AccountState, compare: () => ComparisonResult['outcome']) {
  const clock = new SimClock(epochMs(0));
  const reports: RecoveryReport[] = [];
  const recorder = new RecoveryRecorder(state, () => 0);
  const ignore = (): void => {};
  const monitor = new AccountMonitor({
    clock,
    timers: new Timers(clock),
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    compare: async () => ({ outcome: compare(), orders: 0, differences: [] }),
    recorder,
    reportLink: ignore,
    onRecovered: (report) => void reports.push(report),
    auditMs: 0,
  });
  recorder.begin(epochMs(0));
  recorder.end('start', epochMs(0), { outcome: 'agrees', orders: 0, differences: [] });
  monitor.onVenueChanged({ mode: 'NORMAL', link: 'UP' }, epochMs(0));
  await nextEventLoopTurn();
  return { clock, monitor, reports };
}

describe('the positions in the report of a comparison without a lost connection', () => {
  it('are those before and after the comparison, not those of the start', async () => {
    const state = account();
    const { monitor, reports } = await monitorOf(state, () => {
      hold(state, 30);
      return 'adjusted';
    });
    hold(state, 20);
    await monitor.audit();
    const [before, after] = [20, 30].map((count) => ({ yes: shares(count), no: shares(0) }));
    expect(reports).toMatchObject([{ cause: 'audit', positions: [{ market: 'market-0', before, after }] }]);
  });

  it('are those before and after the comparison that an operator requests', async () => {
    const state = account();
    let outcome: ComparisonResult['outcome'] = 'disagrees';
    const { clock, monitor, reports } = await monitorOf(state, () => outcome);
    const audit = monitor.audit();
    await nextEventLoopTurn();
    // Ends the pause before the second comparison, which confirms the first.
    clock.runNext();
    await audit;
    hold(state, 20);
    outcome = 'agrees';
    await monitor.recheck();
    const held = { yes: shares(20), no: shares(0) };
    expect(reports[1]).toMatchObject({ cause: 'audit', positions: [{ before: held, after: held }] });
  });
});
