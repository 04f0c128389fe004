import { describe, expect, it } from 'vitest';
import { epochMs, StrategyFault, unchecked } from '../../src/domain/index.ts';
import { TradingCore } from '../../src/runtime/index.ts';
import type { Intents, StrategyHandlers } from '../../src/strategy/index.ts';
import { about, account, filled, setup } from '../state/world.ts';
import { Bench, bids, commandTexts, createInstance, FakePlanner, FakeRisk, outbox } from './fakes.ts';
import { commandLines, LiveBench, quotesAround } from './live-bench.ts';

/** Starts an instance with a faulty handler and sends an event of each kind. */
function provoke(handlers: StrategyHandlers) {
  const bench = new Bench([createInstance({ onStart: () => [bids(4_000)], ...handlers }, { name: 'faulty' })]);
  const outs = [
    bench.step({ type: 'started', time: epochMs(1_000) }),
    bench.feed('1001 | bid 10 1 | delay 5 | trade buy 10 1'),
    bench.step(filled({ order: 1, size: 1 })),
    bench.step({ type: 'orderAccepted', ...about(1) }),
    bench.step({ type: 'timerFired', time: epochMs(2_000), bot: unchecked.instance(0), timer: 't' }),
    bench.step({ type: 'signalReceived', time: epochMs(2_000), name: 's', value: 1 }),
    bench.step({ type: 'stopped', time: epochMs(2_000) }),
  ];
  const out = outs.find(({ fault }) => fault !== undefined);
  if (!(out?.fault instanceof StrategyFault)) throw new Error('the strategy did not fail');
  return { bench, out, fault: out.fault, later: outs.slice(outs.indexOf(out) + 1) };
}

const bang = () => {
  throw new TypeError('x is not a function');
};

/** Returns a value without a type, as a strategy without types may. */
function untyped(answer: unknown): () => Intents {
  const anything: { readonly answer: unknown } = { answer };
  const typed: { readonly answer: Intents } = JSON.parse('{}');
  Object.assign(typed, anything);
  return () => typed.answer;
}

describe('a strategy that fails', () => {
  it.each([
    ['onStart', { onStart: bang }, 'started after market row 0'],
    ['onBook', { onBook: bang }, 'market row 3 of "market-0"'],
    ['onTrade', { onTrade: bang }, 'market row 3 of "market-0"'],
    ['onMarket', { onMarket: bang }, 'market row 3 of "market-0"'],
    ['onFill', { onFill: bang }, 'orderFilled after market row 3'],
    ['onOrderAccepted', { onOrderAccepted: bang }, 'orderAccepted after market row 3'],
    ['onTimer', { onTimer: bang }, 'timerFired after market row 3'],
    ['onSignal', { onSignal: bang }, 'signalReceived after market row 3'],
    ['onStop', { onStop: bang }, 'stopped after market row 3'],
  ] as const)('in %s ends the run and cancels all orders in the same step', (handler, handlers, place) => {
    const { bench, out, fault, later } = provoke(handlers);
    expect(commandTexts(out.steps.at(-1)?.commands ?? [])).toEqual(['cancelAll']);
    expect(commandTexts(out.commands)).toEqual(['cancelAll']);
    expect(bench.risk.mode).toBe('KILLED');
    expect(fault.message).toContain(`strategy "faulty" failed in ${handler} at 1970-01-01T00:00:0`);
    expect(fault.message).toContain(`${place}: TypeError: x is not a function`);
    expect(fault.failure).toMatchObject({ strategy: 'faulty', handler });
    expect(fault.cause).toBeInstanceOf(TypeError);
    expect(later.flatMap(({ commands }) => commands)).toEqual([]);
    expect(later.map(({ fault: second }) => second).filter((second) => second !== undefined)).toEqual([]);
  });

  it.each([
    [Promise.resolve([]), '`onBook` returned a promise (handlers are synchronous: no async); expected a list'],
    ['quote', '`onBook` returned "quote"; expected a list of intents or undefined'],
    [{ type: 'quote' }, '`onBook` returned an object; expected a list'],
    [[null], '`onBook` returned an invalid intent at index 0: expected an object, got null'],
    [[{ type: 'qoute' }], 'type must be quote, take, split, merge or claim, got "qoute"'],
    [[bids(4_000), { ...bids(), market: 3 }], 'at index 1: market 3 is not one that the strategy trades'],
    [[{ ...bids(), quotes: undefined }], 'quotes must be a list, got undefined'],
    [[{ ...bids(), quotes: [7] }], 'quote 0: expected an object, got 7'],
    [[{ ...bids(), quotes: [{ side: 'buy', price: 1, shares: 1 }] }], 'quote 0: side must be bid or ask, got "buy"'],
    [
      [{ ...bids(), quotes: [{ side: 'bid', price: '5000', shares: 1 }] }],
      'quote 0: price must be a number, got "5000"',
    ],
    [[{ ...bids(), quotes: [{ side: 'bid', price: 5_000 }] }], 'quote 0: shares must be a number, got undefined'],
    [[{ ...bids(), quotes: Array(1_001).fill(null) }], 'at index 0: 1001 quotes; at most 1000 are allowed'],
    [Array(1_001).fill(bids()), '`onBook` returned 1001 intents; at most 1000 are allowed'],
    [[{ type: 'take', market: 0, outcome: 'yes' }], 'outcome must be YES or NO, got "yes"'],
    [[{ type: 'take', market: 0, outcome: 'YES', side: 'bid' }], 'side must be BUY or SELL, got "bid"'],
    [[{ type: 'take', market: 0, outcome: 'YES', side: 'BUY', shares: 1 }], 'limit must be a number, got undefined'],
    [[{ type: 'take', market: 0, outcome: 'YES', side: 'BUY', limit: 1 }], 'shares must be a number, got undefined'],
    [[{ type: 'split', market: 0 }], 'shares must be a number, got undefined'],
    [[{ type: 'merge', market: 0, shares: [] }], 'shares must be a number, got a list'],
  ])('names the invalid value that a handler returned (%#)', (answer, message) => {
    const { bench, fault } = provoke({ onBook: untyped(answer) });
    expect(fault.message).toContain(message);
    expect(fault.failure.handler).toBe('onBook');
    // With an invalid intent in the list, none is executed.
    expect(bench.risk.checked.length).toBe(1);
  });

  it('may return numbers that risk refuses', () => {
    const invalid = { ...bids(), quotes: [{ side: 'bid', price: Number.NaN, shares: 1.5 }] };
    const bench = new Bench([createInstance({ onBook: untyped([invalid]) })]).start();
    bench.planner.isDeferred = true;
    expect(bench.feed('1001 | bid 10 1').fault).toBeUndefined();
    expect(bench.risk.checked).toEqual([invalid]);
  });

  it('may return a thousand quotes and a thousand intents', () => {
    const many = { ...bids(), quotes: bids(...Array(1_000).fill(4_000)).quotes };
    const bench = new Bench([createInstance({ onBook: untyped([many, ...Array(999).fill(bids())]) })]).start();
    expect(bench.feed('1001 | bid 10 1').fault).toBeUndefined();
  });

  it('stops all strategies of the account', () => {
    const called: string[] = [];
    const other = createInstance({ onBook: () => void called.push('book') }, { number: 1 });
    const bench = new Bench([createInstance({ onBook: bang }), other]).start();
    bench.feed('1001 | bid 10 1\n1002 | bid 20 1');
    expect(called).toEqual([]);
    const signalled = createInstance({ onSignal: () => void called.push('signal') }, { number: 1 });
    const second = new Bench([createInstance({ onSignal: bang }), signalled]).start();
    second.step({ type: 'signalReceived', time: epochMs(2_000), name: 's', value: 1 });
    expect(called).toEqual([]);
  });

  it('sends no deferred quotes', () => {
    const bench = new Bench([
      createInstance({ onStart: () => [bids(4_000)], onSignal: () => [bids(4_100)], onOrderAccepted: bang }),
    ]).start();
    bench.planner.isDeferred = true;
    bench.step({ type: 'signalReceived', time: epochMs(2_000), name: 's', value: 1 });
    bench.planner.isDeferred = false;
    expect(commandTexts(bench.step({ type: 'orderAccepted', ...about(1) }).commands)).toEqual(['cancelAll']);
  });

  it('sends no claim', () => {
    const bench = new Bench([createInstance({ onMarket: bang })]).start();
    bench.step(filled({ order: 1, size: 10 }));
    expect(commandTexts(bench.feed('1001 | resolution 10000').commands)).toEqual(['cancelAll']);
  });

  it('is reported with the market of the message', () => {
    const bench = new Bench([createInstance({ onBook: bang }, { markets: [1] })], [setup(0), setup(1)]).start();
    expect(bench.feed('1001 | @1 bid 10 1').fault?.message).toContain('market row 1 of "market-1": TypeError');
    const trading = new Bench([createInstance({ onTrade: bang }, { markets: [1] })], [setup(0), setup(1)]).start();
    expect(trading.feed('1001 | @1 trade buy 10 1').fault).toMatchObject({ failure: { market: 'market-1' } });
  });

  it('is reported when it throws a value that is not an Error', () => {
    const { fault } = provoke({
      onBook() {
        throw 'plain text';
      },
    });
    expect(fault.message).toContain('plain text');
  });
});

describe('a broken invariant of the core', () => {
  it('is not blamed on the strategy', () => {
    class BrokenPlanner extends FakePlanner {
      override plan(): never {
        throw new RangeError('Invariant: broken');
      }
    }
    const instances = [createInstance({ onSignal: () => [bids(4_000)] })];
    const core = new TradingCore({ state: account(), instances, risk: new FakeRisk(), planner: new BrokenPlanner() });
    core.step({ type: 'started', time: epochMs(1) }, outbox());
    const signal = { type: 'signalReceived', time: epochMs(2), name: 's', value: 0 } as const;
    expect(() => core.step(signal, outbox())).toThrow(RangeError);
  });
});

describe('a bot with isolated failures', () => {
  it('has its orders cancelled and no more calls, and the others continue', () => {
    const calls: string[] = [];
    const failing = createInstance({
      onBook: () => {
        calls.push('failing');
        throw new Error('no');
      },
      onSignal: ({ value }) => (value === 0 ? undefined : [quotesAround(0, value)]),
      onTimer: () => void calls.push('timer'),
    });
    const fine = createInstance({ onBook: () => void calls.push('fine') }, { number: 1, markets: [0, 1] });
    const bench = new LiveBench(2, { isolateFailures: true }, [failing, fine]);
    bench.submit(0, 5_000);
    const out = bench.feed('bid 4010 3');
    expect(commandLines(out.commands)).toEqual(['cancel 1', 'cancel 2']);
    expect([out.fault, out.instanceFaults?.length, out.instanceFaults?.[0]]).toEqual([
      undefined,
      1,
      expect.any(StrategyFault),
    ]);
    expect(String(out.instanceFaults?.[0])).toContain('strategy "bot-0" failed in onBook');
    bench.feed('bid 4020 3');
    bench.step({ type: 'timerFired', time: epochMs(9_000), bot: unchecked.instance(0), timer: 'x' });
    bench.answer();
    expect(calls).toEqual(['failing', 'fine', 'fine']);
    expect(bench.submit(0, 5_000)).toEqual([]);
    expect(bench.risk.mode).toBe('ACTIVE');
  });

  it('may fail by an invalid return value', () => {
    const wrong = createInstance({ onSignal: () => [{ ...bids(4_000), market: unchecked.market(1) }] });
    const bench = new LiveBench(2, { isolateFailures: true }, [wrong]);
    const out = bench.step({ type: 'signalReceived', time: epochMs(1_000), name: 'x', value: 1 });
    expect(String(out.instanceFaults?.[0])).toContain('market "market-1" is not one that');
  });

  it('ends the run without isolation', () => {
    const bench = new LiveBench(1, {}, [
      createInstance({
        onSignal: () => {
          throw new Error('no');
        },
      }),
    ]);
    const out = bench.step({ type: 'signalReceived', time: epochMs(1_000), name: 'x', value: 1 });
    expect([out.instanceFaults, out.fault, bench.risk.mode]).toEqual([undefined, expect.any(StrategyFault), 'KILLED']);
  });
});
