import { describe, expect, it } from 'vitest';
import { SimClock } from '../../../src/clock/index.ts';
import { epochMs, type InputEvent, unchecked } from '../../../src/domain/index.ts';
import { DailySummary, LocalTime, parseMinutes, RunCounters } from '../../../src/ops/index.ts';
import type { Step } from '../../../src/runtime/index.ts';
import { about, account, applyMessages, filled, shares, usd } from '../../state/world.ts';

const START = Date.parse('2026-11-26T06:00:00Z');

function fixture() {
  const clock = new SimClock(epochMs(START));
  const state = account();
  const counters = new RunCounters();
  const sent: (readonly [string, string, object])[] = [];
  let isTrading = true;
  const summary = new DailySummary({
    clock,
    state,
    counters,
    alert: (...alert) => void sent.push(alert),
    localTime: new LocalTime('Europe/Berlin'),
    minute: parseMinutes('08:00'),
    status: () => ({ mode: 'ACTIVE', openOrders: 4, equity: state.exitEquity }),
    isTrading: () => isTrading,
  });
  const take = (event: InputEvent | undefined, more: Partial<Step> = {}): void => {
    if (event !== undefined) state.apply(event);
    const steps = [{ seq: unchecked.seq(1), time: clock.now(), row: 0, event, refused: [], commands: [], ...more }];
    counters.addSteps(steps);
    summary.onSteps(steps);
  };
  const runTo = (time: string): void => {
    while (clock.nextTime() <= Date.parse(time)) clock.runNext();
    clock.advanceTo(Date.parse(time));
  };
  return { state, summary, sent, take, runTo, setTrading: (is: boolean) => (isTrading = is) };
}

describe('the summary of a day', () => {
  it('has P&L by cause, fills, refusals and uptime since the bot began to trade, at its local time', () => {
    const { state, summary, sent, take, runTo, setTrading } = fixture();
    // Cash found at the start is not a gain of the day.
    take({ type: 'cashAdjusted', time: epochMs(1), venueTime: epochMs(1), amount: usd(50) });
    applyMessages(state, '1000 | bid 4900 100 | ask 5100 100');
    summary.begin();
    // 10 shares at 49.5 cents while the mid is 50: 5 cents of spread. Then the mid falls to 49.
    take({ ...filled({ order: 1, price: 4_950 }), fee: usd(0.02) });
    take({ ...filled({ order: 2, price: 5_050, outcome: 'YES', side: 'SELL', size: 4 }), liquidity: 'taker' });
    const { order: _, ...when } = about(1);
    const claim = {
      conversion: 'claim',
      bot: unchecked.instance(0),
      shares: shares(1),
      paid: usd(1),
      fee: usd(0.3),
    } as const;
    take({ type: 'converted', ...when, ...claim });
    take({ type: 'makerPaid', ...when, cause: 'rebate', day: epochMs(0), amount: usd(1.234567) });
    take({ type: 'orderRejected', ...about(3), reason: 'BELOW_MIN' });
    take(undefined, { refused: [{ ok: false, market: unchecked.market(0), code: 'STALE_BOOK', limit: 1, actual: 2 }] });
    take({ type: 'cashAdjusted', time: epochMs(1), venueTime: epochMs(1), amount: usd(7) });
    applyMessages(state, '2000 | bid 4800 100 | bid 4900 0');
    runTo('2026-11-26T06:15:00Z');
    setTrading(false);
    runTo('2026-11-26T06:30:00Z');
    setTrading(true);
    runTo('2026-11-26T07:00:00Z');
    expect(sent).toHaveLength(1);
    const [[kind, text, fields] = ['', '', {}]] = sent;
    expect(kind).toBe('summary');
    const pnl = state.exitEquity - state.contributed - usd(1_000);
    expect(text.split('\n')).toEqual([
      'halfspread: summary of 1 h, since 2026-11-26 06:00 UTC',
      expect.stringMatching(
        /^P&L -?\$\d+\.\d\d: spread \$0\.07, inventory and settlement -?\$\d+\.\d\d, fees -\$0\.02, commission -\$0\.30, rebates and rewards \$1\.23$/,
      ),
      'Deposits and withdrawals, and rewards and rebates without a record: $7.00, not part of the P&L',
      'Fills: 2 (1 as maker), volume $6.97',
      "Refused: 1 by the bot's risk limits: 1 STALE_BOOK",
      'Rejected: 1 by the venue: 1 BELOW_MIN',
      'Uptime: 1 h, trading 75 % of it',
      `Now: ACTIVE, 4 open orders, equity $${(state.exitEquity / 1e6).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`,
    ]);
    expect(fields).toMatchObject({
      pnlMicros: pnl,
      spreadMicros: 70_000,
      feesMicros: -20_000,
      commissionMicros: -300_000,
      rewardsMicros: 1_234_567,
      inventoryMicros: pnl - 70_000 + 20_000 + 300_000 - 1_234_567,
      fills: 2,
      refused: 1,
      rejected: 1,
      tradingPercent: 75,
      uptimeMs: 3_600_000,
    });
  });

  it('of the next day counts from the previous summary', () => {
    const { state, summary, sent, take, runTo } = fixture();
    applyMessages(state, '1000 | bid 4900 100 | ask 5100 100');
    summary.begin();
    take(filled({ order: 1, price: 4_950 }));
    runTo('2026-11-26T07:00:00Z');
    runTo('2026-11-27T07:00:00Z');
    expect(sent).toHaveLength(2);
    expect(sent[1]?.[1]).toContain('summary of 24 h, since 2026-11-26 07:00 UTC');
    expect(sent[1]?.[2]).toMatchObject({ fills: 0, spreadMicros: 0, pnlMicros: 0, refused: 0, volumeMicros: 0 });
    expect(sent[1]?.[1]).not.toContain('Deposits');
    summary.close();
    runTo('2026-11-29T07:00:00Z');
    expect(sent).toHaveLength(2);
  });

  it('excludes the spread of a fill that the venue reversed after the mark changed', () => {
    const { state, summary, sent, take, runTo } = fixture();
    applyMessages(state, '1000 | bid 4900 100 | ask 5100 100');
    summary.begin();
    const trade = 't-1';
    const fill = filled({ order: 1, price: 4_950 });
    take({ ...fill, trade, provisional: true });
    applyMessages(state, '2000 | bid 4000 100 | bid 4900 0');
    const { outcome, side, price, shares, fee, liquidity } = fill;
    take({ type: 'fillReversed', ...about(1), trade, outcome, side, price, shares, fee, liquidity });
    runTo('2026-11-26T07:00:00Z');
    expect(sent[0]?.[2]).toMatchObject({ fills: 0, spreadMicros: 0, pnlMicros: 0, inventoryMicros: 0 });
  });
});
