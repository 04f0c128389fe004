import { describe, expect, it } from 'vitest';
import { epochMs, unchecked } from '../../src/domain/index.ts';
import { createPlanner } from '../../src/execution/index.ts';
import { createRiskGate, riskLimits, riskSchema } from '../../src/risk/index.ts';
import { flattenObstacles } from '../../src/runtime/index.ts';
import { AccountState } from '../../src/state/index.ts';
import { account, filled, setup, shares } from '../state/world.ts';
import { createInstance } from './fakes.ts';
import { commandLines, LiveBench, quoter, quotesAround } from './live-bench.ts';

describe('flatten', () => {
  it('merges pairs, sells the rest within the collar, and pauses when nothing is left', () => {
    const bench = new LiveBench(2);
    bench.reportHoldings(0, 50, 20);
    bench.reportHoldings(1, 0, 30);
    bench.submit(0, 5_000);
    bench.answer();
    // Nothing is sold while own orders may still fill.
    expect(bench.operate('flatten', 'over')).toEqual(['cancel all', 'place 3 in 1']);
    expect([bench.risk.mode, bench.risk.reason]).toEqual(['REDUCING', 'flatten: over']);
    bench.answer();
    expect(commandLines(bench.sent)).toEqual(['merge in 0']);
    bench.answer();
    expect(commandLines(bench.sent)).toEqual(['place 4 in 0']);
    const sold = { size: 30, left: 0, side: 'SELL' } as const;
    const time = epochMs(bench.now);
    bench.step({ ...filled({ ...sold, order: 4, price: 4_000 }), time });
    expect(bench.risk.mode).toBe('REDUCING');
    bench.feed('@1 bid 4000 50');
    bench.step({ ...filled({ ...sold, order: 5, outcome: 'NO', price: 4_000, market: 1 }), time });
    expect([bench.risk.mode, bench.risk.reason]).toEqual(['PAUSED', 'flatten: over']);
    expect(bench.state.markets.map(({ position }) => position.net)).toEqual([0, 0]);
  });

  it('sells at the worst price of the collar, and sells nothing while no bid is within it', () => {
    const bench = new LiveBench(2, {}, undefined, { price_collar_bps: 500 });
    bench.reportHoldings(0, 50);
    bench.reportHoldings(1, 0, 30);
    bench.operate('flatten');
    expect(bench.sent).toEqual([{ type: 'cancelAll' }]);
    bench.feed('@0 bid 4800 10 | @0 ask 5200 10');
    bench.feed('@1 bid 4900 10 | @1 ask 5040 10');
    expect(bench.sent.slice(1)).toMatchObject([
      { outcome: 'YES', side: 'SELL', price: 4_500, shares: shares(50), timeInForce: 'FAK' },
      { outcome: 'NO', side: 'SELL', price: 4_530, shares: shares(30), timeInForce: 'FAK' },
    ]);
  });

  it('sells again after each answer while there are buyers, one take at a time', () => {
    const bench = new LiveBench(1);
    bench.reportHoldings(0, 50);
    expect(bench.operate('flatten')).toEqual(['cancel all', 'place 1 in 0']);
    expect(bench.feed('bid 4010 3').commands).toEqual([]);
    const fill = filled({ order: 1, side: 'SELL', price: 4_000, size: 20, left: 30 });
    bench.step({ ...fill, time: epochMs(bench.now) });
    bench.step({ type: 'orderClosed', ...bench.about(1), reason: 'FAK_REMAINDER' });
    expect(commandLines(bench.sent)).toEqual(['cancel all', 'place 1 in 0']);
    bench.feed('bid 4000 7');
    expect(commandLines(bench.sent)).toEqual(['cancel all', 'place 1 in 0', 'place 2 in 0']);
    const rest = filled({ order: 2, side: 'SELL', price: 4_000, size: 30, left: 0 });
    bench.step({ ...rest, time: epochMs(bench.now) });
    expect([bench.risk.mode, bench.risk.reason]).toEqual(['PAUSED', 'flatten']);
    expect(commandLines(bench.sent).slice(3)).toEqual(['cancel all']);
  });

  it('sells a position larger than `max_order` in orders of at most that size', () => {
    const bench = new LiveBench(1, {}, undefined, { max_order: 300 });
    bench.reportHoldings(0, 800);
    const time = epochMs(bench.now);
    bench.operate('flatten');
    for (const [order, size] of [300, 300, 200].entries()) {
      expect(bench.sent.at(-1)).toMatchObject({ type: 'place', side: 'SELL', shares: shares(size) });
      bench.step({ ...filled({ order: order + 1, side: 'SELL', price: 4_000, size, left: 0 }), time });
    }
    expect(bench.steps.flatMap(({ refused }) => refused)).toEqual([]);
    expect([bench.risk.mode, bench.risk.reason]).toEqual(['PAUSED', 'flatten']);
  });

  it('says in which markets nothing can be sold, and why', () => {
    const markets = [0, 1, 2, 3, 4];
    const state = account(markets.map((number) => setup(number)));
    const bench = new LiveBench(3, { state }, markets.map(quoter), { price_collar_bps: 500 });
    const obstacles = () => flattenObstacles(state.markets, bench.risk);
    // Only the first three markets have had a bid and an ask. Nothing is held in the last.
    for (const market of [0, 1, 3]) bench.reportHoldings(market, 50);
    bench.reportHoldings(2, 0, 30);
    bench.feed('@0 bid 4900 9 | @0 ask 5100 9');
    bench.feed('@1 status HALTED');
    bench.feed('@2 ask 6000 0');
    bench.feed('@3 bid 4000 100');
    expect(obstacles()).toEqual([]);
    bench.operate('flatten', 'over');
    expect(commandLines(bench.sent)).toEqual(['cancel all', 'place 1 in 0']);
    const noMark = 'its book has not had a bid and an ask yet, so there is no mark for the price collar';
    const rest = [
      'nothing is sold in market-1: the market accepts no orders',
      'nothing is sold in market-2: its book has no ask',
      `nothing is sold in market-3: ${noMark}`,
    ];
    expect(obstacles()).toEqual(rest);
    bench.answer();
    bench.feed('@0 bid 4900 0 | @0 bid 4000 9');
    expect(obstacles()).toEqual(['nothing is sold in market-0: no bid is within 500 bps of the mark', ...rest]);
    bench.operate('resume');
    expect(obstacles()).toEqual([]);
  });

  it('ends at once when nothing is held', () => {
    const bench = new LiveBench(1);
    expect([bench.operate('flatten'), bench.risk.mode]).toEqual([['cancel all', 'cancel all'], 'PAUSED']);
  });

  it('continues after a restart', () => {
    const before = new LiveBench(1);
    before.reportHoldings(0, 50);
    before.operate('flatten');
    const sold = filled({ order: 1, side: 'SELL', price: 4_000, size: 20, left: 0 });
    before.step({ ...sold, time: epochMs(before.now) });
    const risk = createRiskGate(riskLimits(riskSchema.parse({})), before.risk.snapshot());
    const planner = createPlanner({ firstOrder: unchecked.order(9) });
    const restarted = new LiveBench(1, { risk, planner, state: AccountState.restore(before.state.snapshot()) });
    expect(restarted.state.openOrderCount).toBe(1);
    restarted.step({ type: 'orderClosed', ...restarted.about(2), reason: 'USER' });
    expect(commandLines(restarted.sent)).toEqual(['place 9 in 0']);
  });
});

describe('flatten while a strategy keeps quoting', () => {
  /** Quotes at each book and at each timer. */
  const quotingBot = (market = 0) => {
    const quotes = () => [quotesAround(market, 5_000)];
    return createInstance({ onBook: quotes, onTimer: quotes }, { number: market, markets: [market] });
  };
  const tick = (bench: LiveBench) =>
    commandLines(
      bench.step({ type: 'timerFired', time: epochMs(bench.now), bot: unchecked.instance(0), timer: 'x' }).commands,
    );

  it('closes the position, and neither executes nor refuses intents of the strategy', () => {
    const bench = new LiveBench(1, {}, [quotingBot()]);
    bench.reportHoldings(0, 50);
    bench.feed('bid 4000 99');
    expect(bench.openQuotes(0)).toEqual(['10 @ 4900', '10 @ 5100']);
    bench.answer();
    const before = bench.steps.length;
    expect(bench.operate('flatten')).toEqual(['cancel all']);
    expect([tick(bench), commandLines(bench.feed('bid 4000 98').commands)]).toEqual([[], []]);
    bench.answer();
    expect(commandLines(bench.sent)).toEqual(['place 3 in 0']);
    const sold = filled({ order: 3, side: 'SELL', price: 4_000, size: 50, left: 0 });
    bench.step({ ...sold, time: epochMs(bench.now) });
    expect([bench.risk.mode, bench.state.markets[0]?.position.net]).toEqual(['PAUSED', 0]);
    expect(bench.steps.slice(before).flatMap(({ refused }) => refused)).toEqual([]);
    bench.answer();
    expect(tick(bench)).toEqual([]);
    expect(bench.operate('resume')).toEqual(['place 4 in 0', 'place 5 in 0']);
  });

  it('continues after a restart, and `reduce` lets the strategy’s intents execute again', () => {
    const risk = createRiskGate(riskLimits(riskSchema.parse({ max_position: 'none', max_book_age_ms: 'none' })));
    risk.setMode('REDUCING', 'flatten: over');
    const before = new LiveBench(1);
    before.reportHoldings(0, 50);
    const state = () => AccountState.restore(before.state.snapshot());
    const bench = new LiveBench(1, { risk, state: state() }, [quotingBot()]);
    expect(commandLines(bench.sent)).toEqual(['place 1 in 0']);
    expect(tick(bench)).toEqual([]);
    expect(commandLines(bench.feed('bid 4000 99').commands)).toEqual([]);
    bench.answer();
    expect(bench.operate('reduce', 'flatten ended')).toEqual(['cancel all']);
    expect(tick(bench)).toEqual(['place 2 in 0']);
    // A reason with the same prefix does not start flattening.
    const restarted = new LiveBench(1, { risk, state: state() }, [quotingBot()]);
    expect(restarted.sent).toEqual([]);
    expect(tick(restarted)).toEqual(['place 1 in 0']);
  });

  it('sells while paused, and pauses again when nothing is left', () => {
    const bench = new LiveBench(1, {}, [quotingBot()]);
    bench.reportHoldings(0, 50);
    bench.operate('pause');
    bench.answer();
    expect(bench.operate('flatten')).toEqual(['cancel all', 'place 1 in 0']);
    expect(tick(bench)).toEqual([]);
    bench.step({
      ...filled({ order: 1, side: 'SELL', price: 4_000, size: 50, left: 0 }),
      time: epochMs(bench.now),
    });
    expect(bench.risk.mode).toBe('PAUSED');
    bench.operate('kill');
    bench.operate('flatten');
    expect(bench.risk.mode).toBe('KILLED');
  });
});
