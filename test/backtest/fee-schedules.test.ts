/** Bot, ledger and exchange book the same fees (docs/spec/models.md#fee-schedules). */
import { describe, expect, it } from 'vitest';
import { headOf, message, row, runScenario } from './scenario.ts';

const TAKER_MESSAGES = [
  message(1_000, row.open(), row.bid(5_000, 100), row.ask(6_000, 100)),
  message(5_000, row.bid(5_100, 100)),
  message(20_000, row.resolved(10_000)),
];
const MAKER_MESSAGES = [
  message(1_000, row.open(), row.bid(5_000, 100), row.ask(6_000, 100)),
  message(5_000, row.print('SELL', 5_100, 40)),
  message(20_000, row.resolved(10_000)),
];
const TAKER = { strategy: 'taker', params: { shares: 10 } };
const MAKER = { strategy: 'quoter', params: { bid: 5_200, shares: 40 } };

describe('a backtest with the fees of a venue', () => {
  it('charges takers to the nearest $0.00001 and makers nothing, as Polymarket does', async () => {
    const fees = { model: 'polymarket', rate_bps: 500 };
    const taker = await runScenario(TAKER_MESSAGES, { ...TAKER, fees });
    // 10 shares at 60 cents: 0.05 * 10 * 0.24.
    expect(taker.result.pnl).toMatchObject({ feesMicros: -120_000, totalMicros: 4_000_000 - 120_000 });
    const maker = await runScenario(MAKER_MESSAGES, { ...MAKER, fees });
    expect(maker.result.fills.maker).toBeGreaterThan(0);
    expect(maker.result.pnl.feesMicros).toBe(0);
  });

  it('charges takers, and makers if the series requires it, in whole cents, as Kalshi does', async () => {
    const taker = await runScenario(TAKER_MESSAGES, { ...TAKER, fees: { model: 'kalshi' } });
    // 0.07 * 10 * 0.24 = $0.168; the balance changes by -6.168, down to -6.17.
    expect(taker.result.pnl.feesMicros).toBe(-170_000);
    const maker = await runScenario(MAKER_MESSAGES, { ...MAKER, fees: { model: 'kalshi', maker_rate_bps: 175 } });
    // 0.0175 * 40 * 0.52 * 0.48 = $0.17472, up to $0.1748, then -20.9748 down to -20.98.
    expect(maker.result.fills.shares).toBe(40_000_000);
    expect(maker.result.pnl.feesMicros).toBe(-180_000);
    expect(maker.result.models.fees).toContain('as Kalshi');
  });

  it('pays rebates as a separate cause of P&L that counts in the total but not in the cash of the bot', async () => {
    const fees = { model: 'polymarket', rate_bps: 500, rebate_bps: 10_000 };
    const messages = [
      message(1_000, row.open(), row.bid(5_000, 100), row.ask(6_000, 100)),
      message(5_000, row.print('SELL', 5_100, 400)),
      message(20_000, row.resolved(10_000)),
    ];
    const spec = { strategy: 'quoter', params: { bid: 5_200, shares: 400 } };
    const none = await runScenario(messages, { ...spec, fees: { ...fees, rebate_bps: 0 } });
    const paid = await runScenario(messages, { ...spec, fees });
    // 0.05 * 400 * 0.52 * 0.48 = $4.992.
    expect(paid.result.split.rewardsMicros).toBe(4_992_000);
    expect(paid.result.pnl.totalMicros - none.result.pnl.totalMicros).toBe(4_992_000);
    // They are paid after the run.
    const [before, after] = [none.detail.equity.value, paid.detail.equity.value];
    expect(after.slice(0, 3)).toEqual(before.slice(0, 3));
    expect((after.at(-1) ?? 0) - (before.at(-1) ?? 0)).toBe(4_992_000);
    const parts = Object.values(paid.result.split).reduce((sum, part) => sum + part, 0);
    expect(parts).toBe(paid.result.pnl.totalMicros);
  });

  it('pays no rebates for a day with less than $1 of them', async () => {
    const fees = { model: 'polymarket', rate_bps: 500, rebate_bps: 10_000 };
    // 0.05 * 40 * 0.2496 = $0.4992.
    const { result } = await runScenario(MAKER_MESSAGES, { ...MAKER, fees });
    expect(result.split.rewardsMicros).toBe(0);
  });

  it.each([
    ['reversed', 1],
    ['final', 0],
  ])('has accounts that agree when all fills are %s after a delay', async (_what, reversed_share) => {
    const spec = { ...TAKER, fees: { model: 'kalshi' }, settlement: { delay_ms: 500, reversed_share } };
    const { result } = await runScenario(TAKER_MESSAGES, spec);
    expect(result.fills.count > 0).toBe(reversed_share === 0);
    expect(result.pnl.feesMicros).toBe(reversed_share === 0 ? -170_000 : 0);
  });

  it('adds the commission to the fee', async () => {
    const spec = { ...TAKER, fees: { model: 'polymarket', rate_bps: 500, commission_bps: 500 } };
    const { result } = await runScenario(TAKER_MESSAGES, spec);
    // 5 % of $3.88.
    expect(result.pnl.feesMicros).toBe(-120_000 - 194_000);
  });

  it('has accounts that agree when the cash does not cover the fee', async () => {
    const spec = { ...MAKER, capital_usd: 20.81, fees: { model: 'kalshi', maker_rate_bps: 1_000 } };
    const { result } = await runScenario(MAKER_MESSAGES, spec, headOf('poor'));
    expect(result.fills.shares).toBe(40_000_000);
    expect(result.pnl.feesMicros).toBeLessThan(-900_000);
  });
});
