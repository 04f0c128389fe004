/** Several strategies in one account, on a recorded match. */
import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../src/backtest/index.ts';
import { openTapes } from '../../src/backtest/open-tapes.ts';
import { createComponents } from '../../src/backtest/run-components.ts';
import { parseRunSpec } from '../../src/backtest/run-spec.ts';
import { loadStrategies } from '../../src/runtime/index.ts';
import { ROOT } from '../cli/halfspread.ts';
import { collectSteps } from './scenario.ts';

const PARAMS = { bid_spread: 1, ask_spread: 1, order_amount: 20, max_position: 300, order_refresh_time: 1 };

/** Replays a match. @param onAppend is called after each append of steps */
async function replay(change: object, onAppend: (components: ReturnType<typeof createComponents>) => void) {
  const spec = parseRunSpec({
    tapes: ['config/tapes/betfair-1.200806927.tape'],
    from: '2022-07-11T11:00:20Z',
    to: '2022-07-11T12:00:00Z',
    ...change,
  });
  const tapes = openTapes(spec, ROOT);
  const strategies = await loadStrategies(spec, { folders: [`${ROOT}/strategies`], baseDir: ROOT });
  const components = createComponents(spec, strategies, tapes);
  const { run, venue, store } = components;
  const steps = collectSteps(store, () => onAppend(components));
  await run.start();
  venue.pump();
  run.stop();
  venue.pump();
  await run.close();
  tapes.feed.close();
  return steps;
}

describe('two strategies on one market in one account', () => {
  const strategies = [
    { strategy: 'ladder', params: PARAMS },
    { strategy: 'ladder', name: 'second', params: { ...PARAMS, order_refresh_time: 3 } },
  ];

  it('never have orders that could trade with each other', async () => {
    const bots = new Set<string>();
    const steps = await replay({ strategies }, ({ state }) => {
      const [market] = state.markets;
      const prices = (sign: number) => market?.orders.filter((order) => order.sign === sign && order.rests) ?? [];
      const bid = Math.max(0, ...prices(1).map(({ yesPrice }) => yesPrice));
      const ask = Math.min(10_000, ...prices(-1).map(({ yesPrice }) => yesPrice));
      expect(bid).toBeLessThan(ask);
      bots.add([...new Set(market?.orders.map((order) => order.bot))].toSorted().join(' '));
    });
    expect(bots).toContain('0 1');
    const refused = steps.flatMap((step) => step.refused.map(({ code }) => code));
    expect(refused).toContain('SELF_TRADE');
    const fills = steps.filter(({ event }) => event?.type === 'orderFilled').length;
    expect(fills).toBeGreaterThan(20);
  });

  it('have separate figures that add up to those of the account', async () => {
    const spec = parseRunSpec({
      strategies,
      tapes: ['config/tapes/betfair-1.200806927.tape'],
      from: '2022-07-11T11:00:20Z',
      report_dir: null,
    });
    const options = {
      baseDir: ROOT,
      strategyFolders: [`${ROOT}/strategies`],
      version: '',
      machine: { peakRssMb: () => 0 },
    };
    const { result } = await runBacktest(spec, options);
    const sum = (figureOf: (row: (typeof result.strategies)[number]) => number) =>
      result.strategies.reduce((total, row) => total + figureOf(row), 0);
    expect(result.strategies.map(({ name }) => name)).toEqual(['ladder', 'second']);
    expect(Math.min(...result.strategies.map(({ fills }) => fills))).toBeGreaterThan(10);
    expect([sum(({ fills }) => fills), sum(({ makerFills }) => makerFills), sum((row) => row.shares)]).toEqual([
      result.fills.count,
      result.fills.maker,
      result.fills.shares,
    ]);
    // Commission belongs to the account. Each row is rounded down.
    const commission = result.pnl.feesMicros - sum(({ feesMicros }) => feesMicros);
    expect(Math.abs(sum(({ pnlMicros }) => pnlMicros) + commission - result.pnl.totalMicros)).toBeLessThanOrEqual(2);
  });

  it('share the limits of the account', async () => {
    let max = 0;
    const steps = await replay({ strategies, risk: { max_position: 30 } }, ({ state }) => {
      max = Math.max(max, Math.abs(state.markets[0]?.position.net ?? 0));
    });
    expect(max).toBeGreaterThan(20_000_000);
    expect(max).toBeLessThanOrEqual(30_000_000);
    expect(steps.flatMap((step) => step.refused.map(({ code }) => code))).toContain('MAX_POSITION');
  });

  it('have no more open orders than max_open_orders in a market with a placing delay', async () => {
    let max = 0;
    const steps = await replay({ strategies, risk: { max_open_orders: 3 } }, ({ state }) => {
      max = Math.max(max, state.markets[0]?.orders.filter(({ lifecycle }) => lifecycle.isLive).length ?? 0);
    });
    expect(max).toBe(3);
    expect(steps.flatMap((step) => step.refused.map(({ code }) => code))).toContain('MAX_OPEN_ORDERS');
  });

  it('make the same decisions for a strategy in a list of one as without a list', async () => {
    const { order_refresh_time: _, ...params } = PARAMS;
    const decisions = async (change: object) =>
      (await replay(change, () => {})).map(({ commands, refused, time }) => ({ commands, refused, time }));
    expect(await decisions({ strategies: [{ strategy: 'ladder', params }] })).toEqual(
      await decisions({ strategy: 'ladder', params }),
    );
  });
});
