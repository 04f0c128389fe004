import { describe, expect, it } from 'vitest';
import { epochMs, parseShares, priceBps, type Quote, unchecked } from '../../../src/domain/index.ts';
import type { MarketView } from '../../../src/state/index.ts';
import type { Intents, StrategyHandlers, TimerDelay } from '../../../src/strategy/index.ts';
import eventRegime from '../../../strategies/event-regime/strategy.ts';
import { contextOf } from '../../strategy/context.ts';
import { accountView, type MarketSpec, marketView } from '../../strategy/market-view.ts';

const quote = (side: Quote['side'], price: number): Quote => ({
  side,
  price: priceBps(price),
  shares: parseShares('size', 100),
});

/** Quotes 100 bps around the mid after each book message. */
const INNER: StrategyHandlers = {
  onBook: ({ book, info }) => {
    const mid = book.mid() ?? 0;
    return [{ type: 'quote', market: info.slug, quotes: [quote('bid', mid - 100), quote('ask', mid + 100)] }];
  },
};

/** Wraps handlers in event-regime. Times in seconds, prices in bps. */
function startWrapped(params: Record<string, unknown> = {}, inner = INNER, spec: MarketSpec = {}) {
  const logged: string[] = [];
  const timers: { readonly name: string; readonly delay: TimerDelay }[] = [];
  const context = {
    ...contextOf(),
    log: { info: (text: string) => void logged.push(text), warn: () => {}, error: () => {} },
    timers: { set: (name: string, delay: TimerDelay) => void timers.push({ name, delay }), clear: () => {} },
  };
  const handlers = eventRegime.wrap(inner, eventRegime.params.parse(params), context);
  let market: MarketView = marketView(spec);
  const marketAround = (mid: number) => marketView({ ...spec, bids: [[mid - 50, 100]], asks: [[mid + 50, 100]] });
  return {
    handlers,
    logged,
    timers,
    start: (seconds: number) => quoteTexts(handlers.onStart?.(accountView(market, seconds))),
    book(seconds: number, mid: number) {
      market = marketAround(mid);
      return quoteTexts(handlers.onBook?.(market, accountView(market, seconds)));
    },
    trade(seconds: number, price: number, shares = 10) {
      const [time, size] = [epochMs(seconds * 1_000), parseShares('size', shares)];
      const trade = { market: unchecked.market(0), time, taker: 'BUY', price: priceBps(price), shares: size } as const;
      return quoteTexts(handlers.onTrade?.(trade, accountView(market, seconds)));
    },
    timer(seconds: number, timer = 'event-regime') {
      const event = { type: 'timerFired', time: epochMs(seconds * 1_000), bot: unchecked.instance(0), timer } as const;
      return quoteTexts(handlers.onTimer?.(event, accountView(market, seconds)));
    },
  };
}

function quoteTexts(intents: Intents): readonly string[] | undefined {
  return intents?.flatMap((intent) => {
    if (intent.type !== 'quote') return intent.type;
    return intent.quotes.length === 0 ? 'withdraw' : intent.quotes.map(({ side, price }) => `${side} ${price}`);
  });
}

const CALM = ['bid 5900', 'ask 6100'];

describe('event-regime after a jump of the mid', () => {
  it('withdraws, then quotes twice as wide, then as the wrapped strategy', () => {
    const regime = startWrapped();
    expect(regime.book(1, 6_000)).toEqual(CALM);
    expect(regime.book(2, 6_040)).toEqual(['bid 5940', 'ask 6140']);
    expect(regime.book(2.9, 6_050)).toEqual(['withdraw']);
    expect(regime.logged).toEqual(['quotes are pulled: the mid moved 50 bps within 1 s']);
    expect(regime.timers).toEqual([{ name: 'event-regime', delay: { afterMs: 10_000 } }]);
    expect(regime.book(5, 6_050)).toEqual(['withdraw']);
    expect(regime.timer(12.9)).toEqual(['bid 5850', 'ask 6250']);
    expect(regime.timers[1]).toEqual({ name: 'event-regime', delay: { afterMs: 30_000 } });
    expect(regime.book(27.9, 6_050)).toEqual(['bid 5900', 'ask 6200']);
    expect(regime.timer(42.9)).toEqual(['bid 5950', 'ask 6150']);
    expect(regime.timers).toHaveLength(2);
  });

  it('quotes nothing for the full period after the last jump', () => {
    const regime = startWrapped();
    regime.book(1, 6_000);
    expect(regime.book(2, 6_100)).toEqual(['withdraw']);
    expect(regime.book(9, 6_200)).toEqual(['withdraw']);
    expect(regime.logged).toHaveLength(1);
    expect(regime.timer(12)).toEqual(['withdraw']);
    expect(regime.timers.at(-1)?.delay).toEqual({ afterMs: 7_000 });
    expect(regime.timer(19)).toEqual(['bid 6000', 'ask 6400']);
  });

  it('detects a jump in the first message after a start', () => {
    const regime = startWrapped();
    regime.start(1);
    expect(regime.book(2, 6_060)).toEqual(['withdraw']);
  });

  it('widens with the ratio of fast to slow volatility', () => {
    const regime = startWrapped({ jump_ticks: 0, jump_sigmas: 0, vol_fast: 5, vol_slow: 100_000 });
    for (let step = 0; step < 40; step++) regime.book(step * 5, 6_000 + (step % 2) * 20);
    expect(regime.book(200, 6_100)).toEqual(['bid 6000', 'ask 6200']);
    // bps²/s: 39 times 80, then 1280. Fast: (80 + 1280) / 2 = 680. Slow: about the mean, 110. √(680 / 110) = 2.486.
    expect(regime.book(205, 6_100)).toEqual(['bid 5850', 'ask 6350']);
  });
});

describe('event-regime after a sweep', () => {
  it('withdraws although the wrapped strategy does not react to trades', () => {
    const regime = startWrapped();
    regime.book(1, 6_000);
    expect(regime.trade(2, 6_010)).toBeUndefined();
    expect(regime.trade(2, 6_020)).toBeUndefined();
    expect(regime.trade(2, 6_030)).toEqual(['withdraw']);
    expect(regime.trade(2, 6_040)).toBeUndefined();
    expect(regime.logged).toEqual(['quotes are pulled: one message has trades at 3 prices']);
  });

  it('withdraws nothing before the first quotes', () => {
    const regime = startWrapped();
    for (const price of [6_010, 6_020, 6_030]) expect(regime.trade(2, price)).toBeUndefined();
    expect(regime.book(3, 6_000)).toEqual(['withdraw']);
  });
});

describe('event-regime before resolution', () => {
  const long = { yes: 40, scheduledResolution: epochMs(10_000_000) };

  it('reduces the position and then withdraws, also without events', () => {
    const regime = startWrapped({}, INNER, long);
    regime.start(1);
    expect(regime.timers).toEqual([{ name: 'event-regime', delay: { afterMs: 9_399_000 } }]);
    regime.book(2, 6_000);
    expect(regime.timer(9_400)).toEqual(['ask 6100']);
    expect(regime.timers.at(-1)?.delay).toEqual({ afterMs: 540_000 });
    expect(regime.timer(9_940)).toEqual(['withdraw']);
    expect(regime.book(9_950, 6_000)).toEqual(['withdraw']);
  });

  it('uses the time of its parameters if the venue schedules none', () => {
    const regime = startWrapped({ resolution_time: '1970-01-01T00:10:00Z' });
    expect(regime.book(1, 6_000)).toEqual(['withdraw']);
    expect(regime.timer(550)).toEqual(['withdraw']);
    const scheduled = startWrapped({ resolution_time: '1970-01-01T00:10:00Z' }, INNER, long);
    expect(scheduled.book(1, 6_000)).toEqual(CALM);
  });

  it('quotes nothing again in a market that accepts no orders', () => {
    const regime = startWrapped({}, INNER, { ...long, state: { acceptingOrders: false } });
    regime.book(2, 6_000);
    expect(regime.timer(9_400)).toEqual([]);
  });
});

describe('the handlers of event-regime', () => {
  it('pass other intents, timers and signals between the runtime and the wrapped strategy', () => {
    const calls: string[] = [];
    const inner: StrategyHandlers = {
      onBook: ({ info }) => [{ type: 'split', market: info, shares: parseShares('size', 1) }],
      onTimer: ({ timer }) => void calls.push(timer),
      onSignal: ({ name }) => void calls.push(name),
      onStop: () => void calls.push('stop'),
    };
    const { handlers, book, timer } = startWrapped({}, inner);
    expect(book(1, 6_000)).toEqual(['split']);
    expect(book(1.5, 6_500)).toEqual(['split']);
    expect(timer(2, 'refresh')).toBeUndefined();
    const view = accountView(marketView());
    handlers.onSignal?.({ type: 'signalReceived', name: 'fair', value: 1, time: epochMs(1) }, view);
    handlers.onStop?.(view);
    expect(calls).toEqual(['refresh', 'fair', 'stop']);
  });

  it('handle no signal unless the wrapped strategy does', () => {
    expect(startWrapped().handlers.onSignal).toBeUndefined();
  });

  it('adjust the quotes that each handler of the wrapped strategy returns', () => {
    const names = [
      'onStart',
      'onBook',
      'onTrade',
      'onFill',
      'onFillReversed',
      'onOrderAccepted',
      'onOrderRejected',
      'onOrderReduced',
      'onOrderClosed',
      'onCancelRejected',
      'onConverted',
      'onConversionRejected',
      'onMarket',
      'onConfig',
      'onTimer',
      'onSignal',
    ] as const;
    const market = marketView({ scheduledResolution: epochMs(30_000) });
    const view = accountView(market, 1);
    const intents = [{ type: 'quote', market: 'rain-tomorrow', quotes: [quote('bid', 5_700)] }] as const;
    for (const name of names) {
      const inner: StrategyHandlers = { [name]: () => intents };
      const handlers = eventRegime.wrap(inner, eventRegime.params.parse({}), contextOf());
      // `onStart` receives only the view; the others receive an event or a market first.
      const handler = handlers[name]?.bind(handlers);
      const called: unknown = Reflect.apply(
        handler ?? (() => undefined),
        handlers,
        name === 'onStart' ? [view] : [{ ...market, ...TRADE }, view],
      );
      expect([name, called]).toEqual([name, [{ ...intents[0], quotes: [] }]]);
    }
  });

  it('return a value that is not a list unchanged', () => {
    const promise = Promise.resolve([]);
    const inner: StrategyHandlers = {};
    Reflect.set(inner, 'onBook', () => promise);
    const { handlers } = startWrapped({}, inner);
    const market = marketView();
    expect(handlers.onBook?.(market, accountView(market))).toBe(promise);
  });
});

const TRADE = { market: unchecked.market(0), time: 1, taker: 'BUY', price: 6_000, shares: 1 };
