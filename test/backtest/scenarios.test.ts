import { describe, expect, it } from 'vitest';
import { CANCELLED_PAYOUT } from '../../src/tape/index.ts';
import { MESSAGES, message, QUOTER, row, runScenario } from './scenario.ts';

describe('scenarios of a backtest', () => {
  it('an ask without a position is placed as a bid for NO and pays when NO wins', async () => {
    const messages = [
      message(1_000, row.open(), row.bid(5_000, 100), row.ask(6_000, 100)),
      message(5_000, row.print('BUY', 5_900, 10)),
      message(20_000, row.resolved(0)),
    ];
    const { result, detail } = await runScenario(messages, { strategy: 'quoter', params: { ask: 5_800, shares: 10 } });
    expect(result.pnl).toMatchObject({ totalMicros: 5_800_000, realizedMicros: 5_800_000 });
    expect(result.split).toMatchObject({ spreadMicros: 300_000, inventoryMicros: 0, settlementMicros: 5_500_000 });
    expect(detail.levels).toEqual([{ side: 'ask', level: 1, count: 1, shares: 10_000_000 }]);
    expect(detail.markets[0]?.lines?.fills).toMatchObject([{ sign: -1, price: 5_800, time: 5_000 }]);
    expect(detail.markets[0]?.lines?.inventory.value.at(-1)).toBe(-10_000_000);
  });

  it('own fills and recorded makers are measured against the same mid, and the recorded mid is also shown', async () => {
    const messages = [
      message(1_000, row.open(), row.bid(5_000, 100), row.ask(6_000, 100)),
      // The own bid takes the whole ask: the outside book stays at 5000 and 6000, the recorded one has 5000 and 5200.
      message(5_000, row.ask(5_200, 10)),
      message(6_500, row.print('BUY', 5_400, 10)),
      message(9_000, row.ask(5_200, 0), row.bid(5_200, 50)),
      message(400_000, row.resolved(10_000)),
    ];
    const { detail } = await runScenario(messages, QUOTER);
    const { atRecordedMid } = detail;
    const values = (rows: typeof detail.horizons, party: 'own' | 'recorded') =>
      Object.fromEntries(rows.map((row) => [row.label, row[party]?.bps]));
    expect(detail.effective).toMatchObject({ own: { bps: 300 }, recorded: { bps: 5_400 - 5_500 } });
    expect(values(detail.horizons, 'own')).toMatchObject({ '1 s': 300, '5 s': 400, '5 m': 400, resolution: 4_800 });
    expect(values(detail.horizons, 'recorded')).toMatchObject({ '1 s': -100, '5 s': -200, resolution: -4_600 });
    // Before its message the recorded mid was 5500, then 5100, then 5600.
    expect(atRecordedMid.effective).toMatchObject({ own: { bps: 300 }, recorded: { bps: 5_400 - 5_100 } });
    expect(values(atRecordedMid.horizons, 'own')).toMatchObject({ '1 s': -100, '5 s': 400, resolution: 4_800 });
    expect(values(atRecordedMid.horizons, 'recorded')).toMatchObject({ '1 s': 300, '5 s': -200, resolution: -4_600 });
  });

  it('a void market refunds payments', async () => {
    const messages = [...MESSAGES.slice(0, 3), message(20_000, row.resolved(CANCELLED_PAYOUT))];
    const { result, detail } = await runScenario(messages, QUOTER);
    expect(result.pnl.totalMicros).toBe(0);
    expect(result.split).toMatchObject({ spreadMicros: 300_000, inventoryMicros: 200_000, settlementMicros: -500_000 });
    expect(detail.markets[0]?.payout).toBe('CANCELLED');
    // There is no payout, and the last mark is not one.
    expect(detail.horizons.at(-1)?.own).toBeUndefined();
  });

  it('a halt withdraws the quotes, and the time does not count as open', async () => {
    const messages = [
      message(1_000, row.open(), row.bid(5_000, 100), row.ask(6_000, 100)),
      message(11_000, row.halt()),
      message(21_000, row.open()),
      message(31_000, row.resolved(5_000)),
    ];
    const { result, detail } = await runScenario(messages, { strategy: 'quoter', params: { bid: 5_200, ask: 5_800 } });
    expect(result.orders).toMatchObject({ placed: 2, cancelled: 2 });
    expect(result.fills.count).toBe(0);
    // Acknowledged 0.12 s after the sending at 1.05 s, and closed for the bot at 11.04 s of 11.05 s.
    expect(detail.markets[0]?.uptime).toBeCloseTo((11.04 - 1.17) / 20, 12);
  });

  it('a market without a book is marked at the last trade, which the report mentions', async () => {
    const messages = [
      message(1_000, row.open()),
      message(2_000, row.print('BUY', 5_000, 10)),
      message(9_000, row.print('SELL', 4_000, 10)),
    ];
    const { result, detail } = await runScenario(messages, { ...QUOTER, trades_only: { fill: 'through' } });
    expect(result.fills.count).toBe(0);
    expect(result.volumeShare).toBe(0);
    // The mark is the last trade. The first print has no earlier mark, and the second is 1000 bps below it.
    expect(detail.effective.recorded).toMatchObject({ bps: 500, count: 2 });
    expect(detail.atRecordedMid.effective.recorded).toBeUndefined();
    expect(detail.warnings.join(' ')).toContain('The tape has no book');
    expect(detail.markets[0]?.lines?.price.value).toEqual([5_000, 4_000]);
  });

  it('a warning that risk ended trading comes first', async () => {
    const messages = [
      message(1_000, row.open(), row.bid(5_000, 1_000), row.ask(6_000, 1_000)),
      message(5_000, row.print('SELL', 5_100, 500)),
      message(10_000, row.bid(5_000, 0), row.bid(2_000, 100), row.ask(6_000, 0), row.ask(2_600, 100)),
      message(20_000, row.bid(2_100, 100)),
    ];
    const spec = { strategy: 'quoter', params: { bid: 5_200, shares: 500 }, risk: { daily_loss_usd: 100 } };
    const { result, detail } = await runScenario(messages, spec);
    expect(detail.warnings[0]).toContain('DAILY_LOSS');
    expect(result.pnl.unrealizedMicros).toBeLessThan(-100_000_000);
  });
});
