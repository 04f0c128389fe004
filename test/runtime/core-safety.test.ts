import { describe, expect, it } from 'vitest';
import { counted, epochMs, type Intent, StrategyFault } from '../../src/domain/index.ts';
import { createRiskGate, riskLimits, riskSchema } from '../../src/risk/index.ts';
import { createCore } from '../../src/runtime/index.ts';
import type { Intents, StrategyHandlers } from '../../src/strategy/index.ts';
import { eachMessage, messages } from '../state/messages.ts';
import { about, account, filled, setup, shares, usd } from '../state/world.ts';
import { Bench, bids, botOf, commandTexts, FakePlanner, FakeRisk, MARKET, outbox, refusal } from './fakes.ts';

describe('loss limits', () => {
  it('are checked only when equity may have changed and when a UTC day begins', () => {
    const bench = new Bench([]).start();
    bench.feed('1001 | bid 5000 1 | ask 5200 1\n1002 | bid 4990 1');
    expect(bench.risk.looks).toEqual([usd(1_000)]);
    bench.step(filled({ order: 1, price: 5_100, size: 100 }));
    bench.feed('1003 | bid 5010 1\n1004 | ask 5190 1\n1005 | bid 5010 0');
    expect(bench.risk.looks).toEqual([usd(1_000), usd(999), usd(999.1), usd(999)]);
    bench.feed('86399999 | ask 5180 1');
    expect(bench.risk.looks.length).toBe(4);
    bench.feed('86400000 | ask 5170 1\n86400001 | ask 5160 1');
    expect(bench.risk.looks.length).toBe(5);
    bench.step({ type: 'signalReceived', time: epochMs(3 * 86_400_000), name: 's', value: 0 });
    expect(bench.risk.looks.length).toBe(6);
  });

  it('cancel all orders on a breach before any handler is called, and refuse later intents', () => {
    const seen: string[] = [];
    let wanted = 4_100;
    const bot = botOf({
      onStart: () => [bids(4_000)],
      onBook({ orders }) {
        seen.push(...orders.map(({ phase }) => phase));
        return [bids(wanted)];
      },
    });
    const bench = new Bench([bot]).start();
    bench.step(filled({ order: 1, price: 4_000, size: 4 }));
    bench.risk.breach = refusal('DRAWDOWN');
    const out = bench.feed('1001 | bid 1000 1');
    expect(seen).toEqual(['leaving']);
    expect(commandTexts(out.commands)).toEqual(['cancelAll']);
    expect(out.steps[0]?.refused).toEqual([refusal('DRAWDOWN'), refusal('KILLED')]);
    wanted = 4_110;
    expect(bench.feed('1002 | bid 1010 1').steps[0]?.refused).toEqual([refusal('KILLED')]);
    // The same intent is refused again without a report.
    const again = bench.feed('1003 | bid 1020 1');
    expect([again.commands, again.steps.flatMap(({ refused }) => refused)]).toEqual([[], []]);
  });
});

describe('the operator', () => {
  const sendCommand = (bench: Bench, command: 'kill' | 'reduce' | 'resume') =>
    bench.step({ type: 'operatorCommanded', time: epochMs(2_000), command });

  it('kills: cancels all orders and drops deferred quotes', () => {
    const bench = new Bench([botOf({ onStart: () => [bids(4_000)], onSignal: () => [bids(4_100)] })]).start();
    bench.planner.deferred = true;
    bench.step({ type: 'signalReceived', time: epochMs(1_500), name: 's', value: 1 });
    bench.planner.deferred = false;
    expect([commandTexts(sendCommand(bench, 'kill').commands), bench.risk.mode]).toEqual([['cancelAll'], 'KILLED']);
    sendCommand(bench, 'resume');
    expect(bench.step({ type: 'orderClosed', ...about(1), reason: 'USER' }).commands).toEqual([]);
  });

  it('reduces: cancels open orders and then allows only intents that reduce the position', () => {
    const bench = new Bench([botOf({ onStart: () => [bids(4_000)] })]).start();
    expect([commandTexts(sendCommand(bench, 'reduce').commands), bench.risk.mode]).toEqual([['cancelAll'], 'REDUCING']);
  });

  it('resumes with loss limits that start at this time', () => {
    const state = account();
    const risk = createRiskGate(riskLimits(riskSchema.parse({ daily_loss_usd: 5 })));
    const core = createCore({ state, bots: [], risk, planner: new FakePlanner() });
    const out = outbox();
    const rows = (text: string) => eachMessage(messages(text), (row) => core.market(row, out));
    core.step({ type: 'started', time: epochMs(1_000) }, out);
    rows('1001 | bid 5000 1 | ask 5200 1');
    core.step(filled({ order: 1, price: 5_000, size: 100 }), out);
    core.step({ type: 'operatorCommanded', time: epochMs(1_100), command: 'kill' }, out);
    core.step({ type: 'operatorCommanded', time: epochMs(1_200), command: 'resume' }, out);
    rows('1300 | bid 5000 0 | bid 4400 1');
    expect(risk.mode).toBe('KILLED');
  });

  it('calls `onBook` in markets with a book on resume and when the venue is reachable again', () => {
    const requests: string[] = [];
    const onBook = (): undefined => void requests.push('book');
    const bench = new Bench([botOf({ onBook })]).start();
    sendCommand(bench, 'resume');
    expect(requests).toEqual([]);
    bench.feed('1001 | bid 5000 1 | ask 5200 1');
    sendCommand(bench, 'reduce');
    expect(requests).toHaveLength(1);
    sendCommand(bench, 'resume');
    expect(requests).toHaveLength(2);
    const venue = (link: 'UP' | 'DOWN') => {
      const time = epochMs(3_000);
      bench.step({ type: 'venueChanged', time, venueTime: time, mode: 'NORMAL', link });
      return requests.length;
    };
    expect(['DOWN', 'DOWN', 'UP', 'UP'].map((link) => venue(link === 'UP' ? 'UP' : 'DOWN'))).toEqual([2, 2, 3, 3]);
  });

  it('resumes without a command', () => {
    const bench = new Bench([]).start();
    bench.risk.mode = 'KILLED';
    expect([sendCommand(bench, 'resume').commands, bench.risk.mode]).toEqual([[], 'ACTIVE']);
  });
});

describe('claims', () => {
  const claim = { type: 'claim', bot: counted.bot(0), market: MARKET, shares: 0 };
  const paid = { ...about(1), conversion: 'claim', bot: counted.bot(0), shares: shares(0), fee: usd(0) } as const;

  it('are sent once for a final market with holdings, in any mode', () => {
    const bench = new Bench([botOf({ onBook: () => [] })]).start();
    bench.step(filled({ order: 1, size: 10 }));
    bench.risk.mode = 'KILLED';
    expect(bench.feed('1001 | resolution 10000').commands).toEqual([claim]);
    expect(bench.feed('1002 | bid 10 1').commands).toEqual([]);
    expect(bench.step({ type: 'converted', ...paid, paid: usd(10) }).commands).toEqual([]);
    expect(bench.state.cash).toBe(usd(1_005));
  });

  it('are sent for a fill that arrives after the market is final', () => {
    const bench = new Bench([]).start();
    expect(bench.feed('1001 | resolution 0').commands).toEqual([]);
    expect(bench.step(filled({ order: 1, size: 10 })).commands).toEqual([claim]);
  });

  it('are sent at the start for markets that were final before', () => {
    const bench = new Bench([]);
    bench.feed('900 | resolution 10000');
    bench.step(filled({ order: 1, size: 10 }));
    expect(bench.step({ type: 'started', time: epochMs(1_000) }).commands).toEqual([claim]);
  });

  it('are not repeated at once after a refusal', () => {
    const bench = new Bench([]).start();
    bench.step(filled({ order: 1, size: 10 }));
    bench.feed('1001 | resolution 10000');
    expect(bench.step({ type: 'conversionRejected', ...paid, reason: 'CONFLICT' }).commands).toEqual([]);
    expect(bench.feed('1002 | delay 5').commands).toEqual([claim]);
  });

  it('are not repeated when the payout differs from the expected amount', () => {
    for (const amount of [0, 7, 12]) {
      const bench = new Bench([]).start();
      bench.step(filled({ order: 1, price: 4_000, size: 10 }));
      bench.feed('1001 | bid 5000 1 | ask 5200 1');
      expect(bench.feed('1002 | resolution 10000').commands).toEqual([claim]);
      expect(bench.step({ type: 'converted', ...paid, paid: usd(amount) }).commands).toEqual([]);
      const { cash, exitEquity, contributed, unexplained } = bench.state;
      expect([cash, exitEquity - contributed, unexplained]).toEqual([usd(996 + amount), usd(1_006), 1]);
      expect(bench.feed('1003 | delay 5').commands).toEqual([]);
    }
  });

  it('are sent for the first bot on the market', () => {
    const bots = [botOf({}, { markets: [0] }), botOf({}, { number: 1, markets: [1] })];
    const bench = new Bench(bots, [setup(0), setup(1)]).start();
    bench.step(filled({ order: 1, size: 10, market: 1 }));
    expect(bench.feed('1001 | @1 resolution 10000').commands).toMatchObject([{ bot: 1, market: 1 }]);
  });

  it('of strategies are dropped while a claim is unanswered', () => {
    const intent: Intent = { type: 'claim', market: MARKET };
    const bench = new Bench([botOf({ onBook: () => [intent] })]).start();
    bench.step(filled({ order: 1, size: 10 }));
    bench.feed('1001 | resolution 10000');
    bench.feed('1002 | bid 10 1');
    expect(bench.risk.checked).toEqual([]);
  });

  it('can be left to the strategies', () => {
    const bench = new Bench([], [setup()], false).start();
    bench.step(filled({ order: 1, size: 10 }));
    expect(bench.feed('1001 | resolution 10000').commands).toEqual([]);
  });
});

/** Starts a bot with a faulty handler and sends an event of each kind. */
function provoke(handlers: StrategyHandlers) {
  const bench = new Bench([botOf({ onStart: () => [bids(4_000)], ...handlers }, { name: 'wobbly' })]);
  const outs = [
    bench.step({ type: 'started', time: epochMs(1_000) }),
    bench.feed('1001 | bid 10 1 | delay 5 | trade buy 10 1'),
    bench.step(filled({ order: 1, size: 1 })),
    bench.step({ type: 'orderAccepted', ...about(1) }),
    bench.step({ type: 'timerFired', time: epochMs(2_000), bot: counted.bot(0), timer: 't' }),
    bench.step({ type: 'signalReceived', time: epochMs(2_000), name: 's', value: 1 }),
    bench.step({ type: 'stopped', time: epochMs(2_000) }),
  ];
  const out = outs.find(({ fault }) => fault !== undefined);
  if (!(out?.fault instanceof StrategyFault)) throw new Error('no strategy fault came');
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
    expect(fault.message).toContain(`strategy "wobbly" failed in ${handler} at 1970-01-01T00:00:0`);
    expect(fault.message).toContain(`${place}: TypeError: x is not a function`);
    expect(fault.failure).toMatchObject({ strategy: 'wobbly', handler });
    expect(fault.cause).toBeInstanceOf(TypeError);
    expect(later.flatMap(({ commands }) => commands)).toEqual([]);
    expect(later.map(({ fault: again }) => again).filter((again) => again !== undefined)).toEqual([]);
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
    const odd = { ...bids(), quotes: [{ side: 'bid', price: Number.NaN, shares: 1.5 }] };
    const bench = new Bench([botOf({ onBook: untyped([odd]) })]).start();
    bench.planner.deferred = true;
    expect(bench.feed('1001 | bid 10 1').fault).toBeUndefined();
    expect(bench.risk.checked).toEqual([odd]);
  });

  it('may return a thousand quotes and a thousand intents', () => {
    const many = { ...bids(), quotes: bids(...Array(1_000).fill(4_000)).quotes };
    const bench = new Bench([botOf({ onBook: untyped([many, ...Array(999).fill(bids())]) })]).start();
    expect(bench.feed('1001 | bid 10 1').fault).toBeUndefined();
  });

  it('stops all strategies of the account', () => {
    const called: string[] = [];
    const other = botOf({ onBook: () => void called.push('book') }, { number: 1 });
    const bench = new Bench([botOf({ onBook: bang }), other]).start();
    bench.feed('1001 | bid 10 1\n1002 | bid 20 1');
    expect(called).toEqual([]);
    const signalled = botOf({ onSignal: () => void called.push('signal') }, { number: 1 });
    const second = new Bench([botOf({ onSignal: bang }), signalled]).start();
    second.step({ type: 'signalReceived', time: epochMs(2_000), name: 's', value: 1 });
    expect(called).toEqual([]);
  });

  it('sends no deferred quotes', () => {
    const bench = new Bench([
      botOf({ onStart: () => [bids(4_000)], onSignal: () => [bids(4_100)], onOrderAccepted: bang }),
    ]).start();
    bench.planner.deferred = true;
    bench.step({ type: 'signalReceived', time: epochMs(2_000), name: 's', value: 1 });
    bench.planner.deferred = false;
    expect(commandTexts(bench.step({ type: 'orderAccepted', ...about(1) }).commands)).toEqual(['cancelAll']);
  });

  it('sends no claim', () => {
    const bench = new Bench([botOf({ onMarket: bang })]).start();
    bench.step(filled({ order: 1, size: 10 }));
    expect(commandTexts(bench.feed('1001 | resolution 10000').commands)).toEqual(['cancelAll']);
  });

  it('is reported with the market of the message', () => {
    const bench = new Bench([botOf({ onBook: bang }, { markets: [1] })], [setup(0), setup(1)]).start();
    expect(bench.feed('1001 | @1 bid 10 1').fault?.message).toContain('market row 1 of "market-1": TypeError');
    const trading = new Bench([botOf({ onTrade: bang }, { markets: [1] })], [setup(0), setup(1)]).start();
    expect(trading.feed('1001 | @1 trade buy 10 1').fault).toMatchObject({ failure: { market: 'market-1' } });
  });

  it('is reported when it throws a value that is not an Error', () => {
    const { fault } = provoke({
      onBook() {
        throw 'just a word';
      },
    });
    expect(fault.message).toContain('just a word');
  });
});

describe('a broken invariant of the core', () => {
  it('is not blamed on the strategy', () => {
    class BrokenPlanner extends FakePlanner {
      override plan(): never {
        throw new RangeError('Invariant: broken');
      }
    }
    const bots = [botOf({ onSignal: () => [bids(4_000)] })];
    const core = createCore({ state: account(), bots, risk: new FakeRisk(), planner: new BrokenPlanner() });
    core.step({ type: 'started', time: epochMs(1) }, outbox());
    const signal = { type: 'signalReceived', time: epochMs(2), name: 's', value: 0 } as const;
    expect(() => core.step(signal, outbox())).toThrow(RangeError);
  });
});
