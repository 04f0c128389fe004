import { describe, expect, it } from 'vitest';
import { durationMs, epochMs, type InstanceNo, type MarketAdded, unchecked } from '../../src/domain/index.ts';
import { type StrategyAssignment, StrategyAssignments } from '../../src/runtime/index.ts';
import { setup } from '../state/world.ts';
import { commandTexts, createInstance, MARKET } from './fakes.ts';
import { commandLines, LiveBench, quoter, quotesAround } from './live-bench.ts';

describe('the list of markets', () => {
  const OPEN = { status: 'OPEN', acceptingOrders: true, placeDelay: durationMs(0) } as const;
  const added = (market: number, bots: readonly number[], time = 2_000): MarketAdded => {
    const { info, limits } = setup(market);
    const entries = bots.map((bot) => ({ bot: unchecked.instance(bot), strategy: 'quoter', params: '{"mid":1}' }));
    return { type: 'marketAdded', time: epochMs(time), info, limits, state: OPEN, bots: entries };
  };
  /** Quotes around `mid` at the start and at each signal. */
  const instantiate = (entry: StrategyAssignment) => {
    const [market = unchecked.market(0)] = entry.markets;
    const mid = Number(Object.values(entry.changed)[0] ?? 5_000);
    const handlers = { onStart: () => [quotesAround(market, mid)], onBook: quoter(market).handlers.onBook };
    return createInstance(
      { ...quoter(market).handlers, onStart: handlers.onStart },
      { number: entry.bot, markets: [market] },
    );
  };
  const oneBot = () =>
    new StrategyAssignments([
      { bot: unchecked.instance(0), strategy: 'quoter', params: '{}', changed: {}, markets: [MARKET] },
    ]);

  it('starts the instances of an added market at once', () => {
    const bench = new LiveBench(1, { instantiate, assignments: oneBot() });
    bench.step(added(1, [1]));
    expect(bench.core.instances.map(({ markets }) => markets)).toEqual([[0], [1]]);
    expect(bench.submit(1, 5_000)).toEqual([]);
    bench.feed('@1 bid 4000 100 | @1 ask 6000 100');
    expect(bench.submit(1, 5_000)).toEqual(['place 1 in 1', 'place 2 in 1']);
    expect(bench.submit(0, 5_000)).toEqual(['place 3 in 0', 'place 4 in 0']);
  });

  it('cancels the orders of a removed market, calls no handler for it, and adds it again under its number', () => {
    const bench = new LiveBench(2, { instantiate, assignments: oneBot() });
    for (const market of [0, 1]) bench.submit(market, 5_000);
    bench.answer();
    const out = bench.step({ type: 'marketRemoved', time: epochMs(2_000), market: MARKET });
    expect(commandLines(out.commands)).toEqual(['cancel 1', 'cancel 2']);
    bench.answer();
    expect(bench.openQuotes(1)).toHaveLength(2);
    bench.feed('@0 bid 4100 100');
    const back = bench.step(added(0, [0], 3_000));
    expect(commandLines(back.commands)).toEqual(['place 5 in 0', 'place 6 in 0']);
    expect(bench.state.markets.length).toBe(2);
  });

  it('cancels an order for an operator once, and lets its strategy place another', () => {
    const bench = new LiveBench(1, { instantiate, assignments: oneBot() });
    expect(bench.submit(0, 5_000)).toEqual(['place 1 in 0', 'place 2 in 0']);
    bench.answer();
    const cancel = (order: number) =>
      commandLines(
        bench.step({ type: 'cancelCommanded', time: epochMs(bench.now), market: MARKET, order: unchecked.order(order) })
          .commands,
      );
    expect(cancel(2)).toEqual(['cancel 2']);
    expect(cancel(2)).toEqual([]);
    bench.answer();
    expect([cancel(2), cancel(9)]).toEqual([[], []]);
    expect(bench.openQuotes(0)).toHaveLength(1);
    expect(bench.submit(0, 5_000)).toEqual(['place 3 in 0']);
  });

  it('ignores intents for a removed market, for example after a timer', () => {
    const quoting = (number: number, markets: readonly number[]) =>
      createInstance(
        { onTimer: () => markets.map((market) => quotesAround(market, 5_000)) },
        { number, markets, timers: [{ name: 'refresh', everyMs: 1_000 }] },
      );
    const bench = new LiveBench(3, {}, [quoting(0, [0]), quoting(1, [1, 2])]);
    const tick = (bot: number) =>
      commandLines(
        bench.step({ type: 'timerFired', time: epochMs(bench.now), bot: unchecked.instance(bot), timer: 'refresh' })
          .commands,
      );
    expect([tick(0).length, tick(1).length]).toEqual([2, 4]);
    bench.answer();
    bench.step({ type: 'marketRemoved', time: epochMs(2_000), market: MARKET });
    bench.step({ type: 'marketRemoved', time: epochMs(2_000), market: unchecked.market(1) });
    bench.answer();
    expect([tick(0), tick(1)]).toEqual([[], []]);
    expect([0, 1, 2].map((market) => bench.openQuotes(market).length)).toEqual([0, 0, 2]);
    expect(bench.core.instances.map(({ timers }) => timers.length)).toEqual([0, 1]);
    expect(bench.steps.at(-1)?.refused).toEqual([]);
    bench.step(added(0, []));
    expect([bench.core.instances[0]?.timers.length, tick(0).length]).toEqual([1, 2]);
  });

  it('cancels an order in a removed market again after a refused replace left it open', () => {
    const bench = new LiveBench(1, { instantiate, assignments: oneBot() });
    bench.submit(0, 5_000);
    bench.answer();
    bench.submit(0, 5_100);
    const moved = bench.sent.splice(0);
    expect(commandLines(moved)).toEqual(['replace 2 by 2 in 0']);
    bench.step({ type: 'marketRemoved', time: epochMs(2_000), market: MARKET });
    const refusedBy = (reason: 'POST_ONLY_WOULD_CROSS' | 'ALREADY_FINAL', order: number) =>
      commandLines(bench.step({ type: 'cancelRejected', ...bench.about(order), reason }).commands);
    expect(refusedBy('POST_ONLY_WOULD_CROSS', 1)).toEqual(['cancel 1']);
    expect(refusedBy('ALREADY_FINAL', 2)).toEqual([]);
    // Repeats end when the venue keeps refusing.
    expect(refusedBy('POST_ONLY_WOULD_CROSS', 1)).toEqual([]);
  });

  it('recreates an instance with a changed parameter and keeps its orders', () => {
    const bench = new LiveBench(1, { instantiate, assignments: oneBot() });
    bench.submit(0, 5_000);
    bench.answer();
    const time = epochMs(2_000);
    const set = {
      type: 'parameterSet',
      time,
      bot: unchecked.instance(0) as InstanceNo,
      name: 'mid',
      value: '5100',
    } as const;
    expect(commandLines(bench.step(set).commands)).toEqual(['replace 2 by 2 in 0']);
    expect(bench.openQuotes(0)).toEqual(['10 @ 5000', '10 @ 5200']);
  });

  it('only stores changes before the start or when instances cannot be created', () => {
    const assignments = oneBot();
    const bench = new LiveBench(1, { assignments });
    bench.step({ type: 'parameterSet', time: epochMs(2_000), bot: unchecked.instance(0), name: 'mid', value: '5' });
    expect(assignments.entries[0]?.changed).toEqual({ mid: '5' });
    expect(commandTexts(bench.sent)).toEqual([]);
  });

  it('ignores a market with a wrong number', () => {
    const bench = new LiveBench(1);
    bench.step(added(5, []));
    expect([bench.state.markets.length, bench.state.unexplainedEvents]).toEqual([1, 1]);
  });
});
