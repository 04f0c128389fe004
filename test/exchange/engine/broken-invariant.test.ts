/** An exchange with a defective book stops and reports the command that broke an invariant. */

import { describe, expect, it } from 'vitest';
import { unchecked } from '../../../src/domain/index.ts';
import { ExchangeStopped } from '../../../src/exchange/engine/exchange.ts';
import { type BookOptions, type ExchangeSink, MatchingBook } from '../../../src/exchange/index.ts';
import { IGNORED_EVENTS } from '../../../src/exchange/sink.ts';
import { Harness, SHARE } from './harness.ts';

/** Fills every second order with twice the validated shares. */
class OverfillingBook extends MatchingBook {
  override enter(...[order, kind, force, price, shares, holding, selfTrade]: Parameters<MatchingBook['enter']>): void {
    const isSecond = order % 2 === 0;
    super.enter(order, kind, force, price, isSecond ? 2 * shares : shares, holding, selfTrade);
  }
}

/** Leaves orders open when the market closes. */
class NonClosingBook extends MatchingBook {
  override closeAll(): void {}
}

function exchangeWithBook(books: (options: BookOptions) => MatchingBook): Harness {
  const harness = new Harness({ books });
  harness.account(100);
  harness.account(10);
  harness.market();
  harness.buy(1, 'NO', 5000, 40);
  return harness;
}

/** Returns the error that `work` throws. */
function errorOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('a broken invariant', () => {
  it('stops the exchange permanently and reports the command when the sink throws', () => {
    const harness = new Harness();
    const thrower = new Proxy({} as ExchangeSink, {
      get: () => () => {
        throw new RangeError('Invariant: the sink is full');
      },
    });
    const command = {
      type: 'openAccount',
      time: unchecked.time(harness.time),
      address: '0xa',
      unlimited: false,
    } as const;
    const stopped = errorOf(() => harness.exchange.apply(command, thrower));
    expect(stopped).toBeInstanceOf(ExchangeStopped);
    expect(stopped).toMatchObject({
      code: 'EXCHANGE_STOPPED',
      command,
      message: expect.stringContaining('the sink is full'),
    });
    expect(() => harness.send('tick')).toThrow(ExchangeStopped);
  });

  it('of an overspent account stops the exchange at the order that broke it', () => {
    const harness = exchangeWithBook((options) => new OverfillingBook(options));
    const stopped = errorOf(() => harness.place(2, { price: 5000, size: 15, timeInForce: 'FAK' }));
    expect(stopped).toBeInstanceOf(ExchangeStopped);
    expect(stopped).toMatchObject({
      code: 'EXCHANGE_STOPPED',
      command: { type: 'place', account: 2, shares: 15 * SHARE },
      name: 'ExchangeStopped',
      message: expect.stringMatching(
        /^the exchange stopped at a command "place" of \d+: Invariant: account 2 would have -5000000 micro-USD/,
      ),
      cause: expect.any(RangeError),
    });
  });

  it('by an order on the fast path stops both entry points', () => {
    const harness = exchangeWithBook((options) => new OverfillingBook(options));
    const requests = {
      time: unchecked.time(harness.time),
      account: unchecked.account(2),
      credential: unchecked.credential(0),
    };
    const order = { type: 'place', ...requests, ...harness.terms({ size: 15, timeInForce: 'FAK' }) } as const;
    const stopped = errorOf(() => harness.exchange.place(order, IGNORED_EVENTS));
    expect(stopped).toMatchObject({ code: 'EXCHANGE_STOPPED', command: { type: 'place', account: 2 } });
    expect(errorOf(() => harness.exchange.place(order, IGNORED_EVENTS))).toBe(stopped);
    expect(errorOf(() => harness.exchange.cancel({ type: 'cancel', ...requests, orders: [] }, IGNORED_EVENTS))).toBe(
      stopped,
    );
  });

  it('of a market that ends with open orders stops the exchange at the command that ended it', () => {
    const harness = exchangeWithBook((options) => new NonClosingBook(options));
    const stopped = errorOf(() => harness.send('voidMarket', { market: 0 }));
    expect(stopped).toMatchObject({
      command: { type: 'voidMarket', market: 0 },
      message: expect.stringContaining('Invariant: market 0 ends with open orders'),
    });
  });

  it('is final, so every later command gets the same error', () => {
    const harness = exchangeWithBook((options) => new NonClosingBook(options));
    const stopped = errorOf(() => harness.send('voidMarket', { market: 0 }));
    for (const type of ['tick', 'cancelAllOrders', 'voidMarket'] as const) {
      expect(errorOf(() => harness.send(type, { market: 0 }))).toBe(stopped);
    }
  });

  it('is reported even when the command cannot be printed', () => {
    const harness = exchangeWithBook((options) => new MatchingBook(options));
    const unprintable = Object.defineProperty({ type: 'tick' }, 'time', {
      get() {
        throw new Error('no time');
      },
    });
    const stopped = errorOf(() => harness.apply(unprintable as Parameters<Harness['apply']>[0]));
    expect(stopped).toMatchObject({
      code: 'EXCHANGE_STOPPED',
      message: 'the exchange stopped at a command "tick" of ?: no time',
    });
    expect(errorOf(() => harness.send('tick'))).toBe(stopped);
  });
});
