import { describe, expect, it } from 'vitest';
import { epochMs, unchecked } from '../../src/domain/index.ts';
import { TradingCore } from '../../src/runtime/index.ts';
import type { MarketTrade, StrategyHandlers } from '../../src/strategy/index.ts';
import { about, account, filled, setup, shares, usd } from '../state/world.ts';
import {
  Bench,
  bids,
  commandTexts,
  createInstance,
  FakePlanner,
  FakeRisk,
  MARKET,
  orderHandlers,
  outbox,
  refusal,
} from './fakes.ts';

/** Handlers that log their calls. */
function loggingHandlers(log: string[], name = ''): StrategyHandlers {
  const logCall = (text: string): undefined => {
    log.push(`${name}${text}`);
  };
  return {
    onStart: () => logCall('start'),
    onBook: ({ info, book }) => logCall(`book ${info.market} ${book.bestBid()}/${book.bestAsk()}`),
    onTrade: ({ taker, price, shares: size }) => logCall(`trade ${taker} ${price} ${size / 1_000_000}`),
    onFill: ({ order }) => logCall(`fill ${order}`),
    ...orderHandlers(({ type }) => logCall(type)),
    onMarket: ({ info, state }) => logCall(`market ${info.market} ${state.status} ${state.acceptingOrders}`),
    onConfig: ({ info, limits }) => logCall(`config ${info.market} ${limits.feeRateBps}`),
    onPrices: ({ info, prices }) => logCall(`prices ${info.market} ${prices?.yes}`),
    onTimer: ({ timer }) => logCall(`timer ${timer}`),
    onSignal: ({ name: signal, value }) => logCall(`signal ${signal} ${value}`),
    onStop: () => logCall('stop'),
  };
}

function takeEntries(log: string[]): readonly string[] {
  return log.splice(0);
}

describe('messages', () => {
  it('call handlers once on their final state: market, trades in order, book', () => {
    const log: string[] = [];
    const bench = new Bench([createInstance(loggingHandlers(log))]).start();
    bench.feed('1001 | trade buy 5200 1 | trade unknown 5100 2 | bid 5000 10 | delay 5 | ask 5200 5');
    expect(takeEntries(log)).toEqual([
      'start',
      'market 0 OPEN true',
      'trade BUY 5200 1',
      'trade unknown 5100 2',
      'book 0 5000/5200',
    ]);
    bench.feed('1002 | bid 5000 0\n1003 | trade sell 5000 1\n1004 | clear\n1005 | status HALTED');
    expect(takeEntries(log)).toEqual([
      'book 0 undefined/5200',
      'trade SELL 5000 1',
      'book 0 undefined/undefined',
      'market 0 OPEN false',
    ]);
  });

  it('call the instances of the market in the order of their numbers', () => {
    const log: string[] = [];
    const instances = [
      createInstance(loggingHandlers(log, 'a '), { markets: [1] }),
      createInstance(loggingHandlers(log, 'b '), { number: 1, markets: [0, 1] }),
    ];
    const bench = new Bench(instances, [setup(0), setup(1)]).start();
    takeEntries(log);
    bench.feed('1001 | @1 bid 5000 1 | @0 trade buy 5000 1 | @0 ask 5100 1 | @1 trade sell 10 1');
    expect(takeEntries(log)).toEqual([
      'b trade BUY 5000 1',
      'a trade SELL 10 1',
      'b trade SELL 10 1',
      'a book 1 5000/undefined',
      'b book 1 5000/undefined',
      'b book 0 undefined/5100',
    ]);
  });

  it('cause no step when no intent was returned', () => {
    const bench = new Bench([createInstance({ onBook: () => [] })]).start();
    const out = bench.feed('1001 | bid 5000 1\n1002 | trade buy 5000 1');
    expect([out.steps, out.commands, bench.core.rows]).toEqual([[], [], 2]);
  });

  it('cause a step with their row when an intent was returned', () => {
    const bench = new Bench([createInstance({ onBook: () => [bids(4_000, 3_990)] })]).start();
    const out = bench.feed('1001 | bid 5000 1 | ask 5200 1\n1002 | trade buy 5200 1\n1003 | bid 5000 2');
    expect(out.steps.map(({ seq, time, row, event, refused }) => [seq, time, row, event, refused])).toEqual([
      [2, 1_001, 2, undefined, []],
      [3, 1_003, 4, undefined, []],
    ]);
    expect(out.steps.map(({ commands }) => commandTexts(commands))).toEqual([
      ['place 1', 'place 2'],
      ['place 3', 'place 4'],
    ]);
    expect(commandTexts(out.commands)).toEqual(['place 1', 'place 2', 'place 3', 'place 4']);
    expect(bench.core.nextSeq).toBe(4);
  });

  it('pass trades with their exchange time to strategies, and no cursor', () => {
    const trades: MarketTrade[] = [];
    const bench = new Bench([createInstance({ onTrade: (trade) => void trades.push(trade) })]).start();
    bench.feed('1001 | trade buy 5200 1\n1002 | trade sell 5100 2');
    expect(trades).toEqual([
      { market: MARKET, time: 1_001, taker: 'BUY', price: 5_200, shares: shares(1) },
      { market: MARKET, time: 1_002, taker: 'SELL', price: 5_100, shares: shares(2) },
    ]);
  });

  it('apply commands to the state before the next instance is called', () => {
    const seen: number[] = [];
    const first = createInstance({ onBook: () => [bids(4_000)] });
    const second = createInstance({ onBook: ({ orders }) => void seen.push(orders.length) }, { number: 1 });
    new Bench([first, second]).start().feed('1001 | bid 5000 1');
    expect(seen).toEqual([1]);
  });
});

describe('before the start and after the end', () => {
  it('all events are applied and no handler is called', () => {
    const log: string[] = [];
    const bench = new Bench([createInstance(loggingHandlers(log))]);
    bench.feed('900 | bid 5000 1 | ask 5200 1 | trade buy 5200 1');
    const early = bench.step(filled({ order: 7 }));
    expect([takeEntries(log), bench.risk.equityChecks]).toEqual([[], []]);
    expect([early.steps.length, bench.state.market(MARKET).mark]).toEqual([1, 10_200]);
    bench.start();
    expect(takeEntries(log)).toEqual(['start']);
    const out = bench.step({ type: 'stopped', time: epochMs(2_000) });
    expect([takeEntries(log), commandTexts(out.commands)]).toEqual([['stop'], ['cancelAll']]);
    bench.feed('2001 | bid 5010 1 | trade buy 5200 1');
    bench.step({ type: 'signalReceived', time: epochMs(2_002), name: 's', value: 1 });
    bench.step({ type: 'started', time: epochMs(2_003) });
    expect([takeEntries(log), bench.state.market(MARKET).mark]).toEqual([[], 10_210]);
  });

  it('the intents of `onStop` are not executed', () => {
    const bench = new Bench([createInstance({ onStop: () => [bids(4_000)] })]).start();
    expect(commandTexts(bench.step({ type: 'stopped', time: epochMs(2_000) }).commands)).toEqual(['cancelAll']);
    expect(bench.risk.checked).toEqual([]);
  });

  it('an instance whose number differs from its index is refused', () => {
    expect(() => new Bench([createInstance({}, { number: 1 })])).toThrow('instance 1 ("bot-1") is at index 0');
  });

  it('steps continue the numbers of the previous run', () => {
    const core = new TradingCore({
      state: account(),
      instances: [],
      risk: new FakeRisk(),
      planner: new FakePlanner(),
      firstSeq: unchecked.seq(41),
    });
    const out = outbox();
    core.step({ type: 'started', time: epochMs(1) }, out);
    expect([out.steps[0]?.seq, core.nextSeq]).toEqual([41, 42]);
  });
});

describe('events', () => {
  it('about an order call only its instance, and none for an unknown order', () => {
    const log: string[] = [];
    const intent = () => [bids(4_000)];
    const instances = [
      createInstance({ ...loggingHandlers(log, 'a '), onStart: intent }),
      createInstance({ ...loggingHandlers(log, 'b '), onStart: intent }, { number: 1 }),
    ];
    const bench = new Bench(instances).start();
    bench.step({ type: 'orderAccepted', ...about(2) });
    bench.step(filled({ order: 1, price: 4_000, size: 4 }));
    bench.step(filled({ order: 1, price: 4_000, size: 6, left: 0 }));
    bench.step(filled({ order: 99 }));
    const conversion = { ...about(1), conversion: 'split', bot: unchecked.instance(1), reason: 'VENUE_MODE' } as const;
    bench.step({ type: 'conversionRejected', ...conversion });
    expect(takeEntries(log)).toEqual([
      'b orderAccepted',
      'a fill 1',
      'a fill 1',
      'a orderClosed',
      'b conversionRejected',
    ]);
  });

  it('about a replace call its instance once per order, closed ones first, on the final state', () => {
    const received: string[] = [];
    const handlers: StrategyHandlers = {
      onStart: () => [bids(4_000, 4_100)],
      ...orderHandlers((event, view) => {
        const reason = 'reason' in event ? ` ${event.reason}` : '';
        const number = 'order' in event ? ` ${event.order}` : '';
        received.push(`${event.type}${number}${reason}, open ${view.market(unchecked.market(0)).orders.length}`);
        return undefined;
      }),
    };
    const bench = new Bench([
      createInstance(handlers),
      createInstance(loggingHandlers(received), { number: 1 }),
    ]).start();
    const { time, venueTime, market } = about(1);
    const [closed, accepted] = [[unchecked.order(1)], [unchecked.order(2)]];
    bench.step({ type: 'ordersReplaced', time, venueTime, market, closed, accepted });
    expect(received).toEqual(['start', 'orderClosed 1 REPLACED, open 1', 'orderAccepted 2, open 1']);
  });

  it('about limits call the instances of that market, with the new limits in the view', () => {
    const log: string[] = [];
    const instances = [
      createInstance(loggingHandlers(log, 'a ')),
      createInstance(loggingHandlers(log, 'b '), { number: 1, markets: [1] }),
    ];
    const bench = new Bench(instances, [setup(0), setup(1)]).start();
    takeEntries(log);
    const { limits } = setup(0, { feeRateBps: 70 });
    bench.step({ type: 'limitsChanged', ...about(1), limits });
    expect(takeEntries(log)).toEqual(['a config 0 70']);
    bench.step({ type: 'pricesUpdated', ...about(1), yes: unchecked.price(6_100), no: unchecked.price(4_000) });
    expect(takeEntries(log)).toEqual(['a prices 0 6100']);
  });

  it('of timers call one instance, and signals call all', () => {
    const log: string[] = [];
    const bench = new Bench([
      createInstance(loggingHandlers(log, 'a ')),
      createInstance(loggingHandlers(log, 'b '), { number: 1 }),
    ]).start();
    takeEntries(log);
    bench.step({ type: 'timerFired', time: epochMs(2), bot: unchecked.instance(1), timer: 'tick' });
    bench.step({ type: 'timerFired', time: epochMs(2), bot: unchecked.instance(7), timer: 'tick' });
    bench.step({ type: 'signalReceived', time: epochMs(3), name: 'rate', value: 4 });
    expect(takeEntries(log)).toEqual(['b timer tick', 'a signal rate 4', 'b signal rate 4']);
  });

  it('are always stored', () => {
    const bench = new Bench([]).start();
    const event = { type: 'signalReceived', time: epochMs(1_500), name: 's', value: 1 } as const;
    expect(bench.step(event).steps).toEqual([{ seq: 2, time: 1_500, row: 0, event, refused: [], commands: [] }]);
  });

  it('carry the intents that risk refused and execution dropped', () => {
    const bench = new Bench([createInstance({ onSignal: () => [bids(4_000)] })]).start();
    bench.planner.dropped = [refusal('BELOW_MIN')];
    const signal = { type: 'signalReceived', time: epochMs(1_500), name: 's', value: 1 } as const;
    expect(bench.step(signal).steps[0]?.refused).toEqual([refusal('BELOW_MIN')]);
    bench.risk.mode = 'KILLED';
    expect(bench.step(signal).steps[0]?.refused).toEqual([refusal('KILLED')]);
  });

  it('execute split and merge intents', () => {
    const intent = { type: 'split', market: MARKET, shares: shares(3) } as const;
    const bench = new Bench([createInstance({ onStart: () => [intent] })]);
    const out = bench.step({ type: 'started', time: epochMs(1) });
    expect(out.commands).toEqual([{ ...intent, bot: 0 }]);
    expect(bench.state.available).toBe(usd(997));
  });
});

describe('idle pairs', () => {
  const merge = { type: 'merge', bot: unchecked.instance(0), market: MARKET, shares: shares(5) } as const;

  it('are merged for their instance after a fill or a close, one conversion at a time', () => {
    const bench = new Bench([createInstance({ onStart: () => [bids(4_000, 3_990)] })]).start();
    bench.step({ type: 'orderAccepted', ...about(1) });
    expect(bench.planner.swept).toEqual([]);
    bench.planner.sweeps = [merge];
    expect(bench.step(filled({ order: 1, size: 5 })).commands).toEqual([merge]);
    bench.step(filled({ order: 1, size: 1 }));
    expect(bench.planner.swept).toEqual([[0, 0]]);
    const received = { ...about(1), conversion: 'merge', bot: unchecked.instance(0) } as const;
    expect(bench.step({ type: 'conversionRejected', ...received, reason: 'VENUE_MODE' }).commands).toEqual([]);
    bench.planner.sweeps = [];
    bench.step({ type: 'orderClosed', ...about(1), reason: 'USER' });
    expect(bench.planner.swept.length).toBe(2);
  });

  it('are not merged while everything is refused', () => {
    const bench = new Bench([createInstance({ onStart: () => [bids(4_000)] })]).start();
    bench.planner.sweeps = [merge];
    bench.risk.mode = 'KILLED';
    expect(bench.step(filled({ order: 1 })).commands).toEqual([]);
  });
});
