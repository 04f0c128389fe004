import { describe, expect, it } from 'vitest';
import { epochMs, unchecked } from '../../src/domain/index.ts';
import type { Intents } from '../../src/strategy/index.ts';
import { about, filled, setup } from '../state/world.ts';
import { Bench, bids, commandTexts, createInstance } from './fakes.ts';

describe('deferred quote sets', () => {
  /** A bench with a bot that bids at the price of each signal. A signal of 0 withdraws the bid. */
  function quotingBench(): Bench {
    const intent = (value: number): Intents => (value === 0 ? [bids()] : [bids(value)]);
    const instance = createInstance({ onSignal: ({ value }) => intent(value), onFill: () => undefined });
    return new Bench([instance]).start();
  }
  const signal = (value: number) => ({ type: 'signalReceived', time: epochMs(2_000), name: 's', value }) as const;
  const answer = (order: number) => ({ type: 'orderAccepted', ...about(order) }) as const;

  it('are planned again after the next event about an order of that instance in that market', () => {
    const bench = quotingBench();
    bench.step(signal(4_000));
    bench.planner.isDeferred = true;
    expect(commandTexts(bench.step(signal(4_100)).commands)).toEqual([]);
    bench.planner.isDeferred = false;
    bench.step({ type: 'timerFired', time: epochMs(3), bot: unchecked.instance(0), timer: 'x' });
    bench.feed('2001 | bid 10 1');
    bench.step(filled({ order: 99 }));
    expect(bench.risk.checked.length).toBe(2);
    const out = bench.step(answer(1));
    expect(commandTexts(out.commands)).toEqual(['place 2']);
    expect(out.commands[0]).toMatchObject({ price: 4_100 });
    expect(bench.step(answer(2)).commands).toEqual([]);
  });

  it('are planned again also when `onBook` returned them and no step was recorded', () => {
    const bench = new Bench([createInstance({ onStart: () => [bids(4_000)], onBook: () => [bids(4_100)] })]).start();
    bench.planner.isDeferred = true;
    expect(bench.feed('2001 | bid 10 1').steps).toEqual([]);
    bench.planner.isDeferred = false;
    expect(commandTexts(bench.step(answer(1)).commands)).toEqual(['place 2']);
  });

  it('stay deferred as long as execution defers them', () => {
    const bench = quotingBench();
    bench.step(signal(4_000));
    bench.planner.isDeferred = true;
    bench.step(signal(4_100));
    bench.step(answer(1));
    bench.step({ type: 'orderClosed', ...about(1), reason: 'USER' });
    expect(bench.risk.checked.length).toBe(4);
    bench.planner.isDeferred = false;
    expect(commandTexts(bench.step(filled({ order: 1 })).commands)).toEqual(['place 2']);
  });

  it('are planned again after the replace of a known order, but not if it accepted unknown orders', () => {
    const bench = quotingBench();
    bench.step(signal(4_000));
    bench.planner.isDeferred = true;
    bench.step(signal(4_100));
    const { time, venueTime, market } = about(1);
    const [closed, accepted] = [[unchecked.order(1)], [unchecked.order(7), unchecked.order(8)]];
    bench.step({ type: 'ordersReplaced', time, venueTime, market, closed, accepted });
    expect(bench.risk.checked.length).toBe(2);
    bench.step({ type: 'ordersReplaced', time, venueTime, market, closed, accepted: [] });
    expect(bench.risk.checked.length).toBe(3);
  });

  it('are replaced by a newer set that is not deferred', () => {
    const bench = quotingBench();
    bench.step(signal(4_000));
    bench.planner.isDeferred = true;
    bench.step(signal(4_100));
    bench.planner.isDeferred = false;
    bench.step(signal(0));
    const out = bench.step(answer(1));
    expect([out.commands, bench.risk.checked.length]).toEqual([[], 3]);
  });

  it('are not planned twice in one step when the handler returned a new set', () => {
    const instance = createInstance({ onSignal: () => [bids(4_000)], onOrderAccepted: () => [bids(4_200)] });
    const bench = new Bench([instance]).start();
    bench.step(signal(1));
    bench.planner.isDeferred = true;
    bench.step(signal(1));
    bench.step(answer(1));
    expect(bench.risk.checked.length).toBe(3);
    bench.planner.isDeferred = false;
    expect(bench.step(answer(1)).commands).toMatchObject([{ price: 4_200 }]);
    expect(bench.risk.checked.length).toBe(4);
  });

  it('are separate for each instance and market', () => {
    const quotesIn = (market: number) => [{ ...bids(4_000), market: unchecked.market(market) }];
    const instances = [
      createInstance({ onSignal: () => [...quotesIn(0), ...quotesIn(1)] }, { markets: [0, 1] }),
      createInstance({ onSignal: () => quotesIn(0) }, { number: 1 }),
    ];
    const bench = new Bench(instances, [setup(0), setup(1)]).start();
    bench.step(signal(1));
    bench.planner.isDeferred = true;
    bench.step(signal(1));
    bench.planner.isDeferred = false;
    const out = bench.step({ type: 'orderAccepted', ...about(2, 3_000, 1) });
    expect(out.commands).toMatchObject([{ bot: 0, market: 1 }]);
    expect(bench.step({ type: 'orderAccepted', ...about(3) }).commands).toMatchObject([{ bot: 1, market: 0 }]);
    expect(bench.step({ type: 'orderAccepted', ...about(1) }).commands).toMatchObject([{ bot: 0, market: 0 }]);
  });

  it('are dropped once risk refuses them', () => {
    const bench = quotingBench();
    bench.step(signal(4_000));
    bench.planner.isDeferred = true;
    bench.step(signal(4_100));
    bench.risk.mode = 'KILLED';
    bench.step(answer(1));
    bench.risk.mode = 'ACTIVE';
    bench.planner.isDeferred = false;
    expect(bench.step(answer(1)).commands).toEqual([]);
    expect(bench.step({ type: 'cancelRejected', ...about(1), reason: 'CONFLICT' }).commands).toEqual([]);
  });
});

describe('after a refused cancel', () => {
  const refused = (order: number) => ({ type: 'cancelRejected', ...about(order), reason: 'CONFLICT' }) as const;
  const signal = { type: 'signalReceived', time: epochMs(2_000), name: 's', value: 4_000 } as const;
  const quoting = () => new Bench([createInstance({ onSignal: ({ value }) => [bids(value)] })]).start();

  it('the current quote set is planned again once, also when none was deferred', () => {
    const bench = quoting();
    bench.step(signal);
    bench.step({ type: 'orderAccepted', ...about(1) });
    expect(bench.risk.checked.length).toBe(1);
    expect(bench.step(refused(1)).commands).toMatchObject([{ type: 'place', order: 2, price: 4_000 }]);
    expect(bench.step(refused(1)).commands).toEqual([]);
    bench.step(signal);
    expect(commandTexts(bench.step(refused(1)).commands)).toEqual(['place 4']);
  });

  it('the quote set is planned again after each answer until execution stops deferring it', () => {
    const bench = quoting();
    bench.step(signal);
    bench.planner.isDeferred = true;
    bench.step(refused(1));
    bench.step({ type: 'orderRejected', ...about(1), reason: 'CONFLICT' });
    bench.planner.isDeferred = false;
    expect(commandTexts(bench.step(refused(1)).commands)).toEqual(['place 2']);
    expect(bench.step(refused(1)).commands).toEqual([]);
  });
});
