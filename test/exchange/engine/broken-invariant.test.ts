/** An engine that is broken on purpose, by a book that does other than it says: it stops, with the command that did it. */
import { describe, expect, it } from 'vitest';
import { column, counted } from '../../../src/domain/index.ts';
import { type BookOptions, ExchangeStopped, MatchingBook } from '../../../src/exchange/index.ts';
import { SILENT } from '../../../src/exchange/sink.ts';
import { Harness, SHARE } from './harness.ts';

/** Lets an order take twice what it was tested for. */
class GreedyBook extends MatchingBook {
  override enter(...[order, kind, force, price, shares, holding, selfTrade]: Parameters<MatchingBook['enter']>): void {
    const isSecond = order % 2 === 0;
    super.enter(order, kind, force, price, isSecond ? 2 * shares : shares, holding, selfTrade);
  }
}

/** Forgets to tell of the orders that go when the market closes. */
class SilentBook extends MatchingBook {
  override closeAll(): void {}
}

function staged(books: (of: BookOptions) => MatchingBook): Harness {
  const harness = new Harness({ books });
  harness.account(100);
  harness.account(10);
  harness.market();
  harness.buy(1, 'NO', 5000, 40);
  return harness;
}

/** What a command ended in. */
function stopOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing stopped');
}

describe('a broken invariant', () => {
  it('of an overspent account stops the exchange at the order that broke it', () => {
    const harness = staged((of) => new GreedyBook(of));
    const stopped = stopOf(() => harness.place(2, { price: 5000, size: 15, timeInForce: 'FAK' }));
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
    const harness = staged((of) => new GreedyBook(of));
    const requests = {
      time: column.time(harness.time),
      account: counted.account(2),
      credential: counted.credential(0),
    };
    const order = { type: 'place', ...requests, ...harness.terms({ size: 15, timeInForce: 'FAK' }) } as const;
    const stopped = stopOf(() => harness.exchange.place(order, SILENT));
    expect(stopped).toMatchObject({ code: 'EXCHANGE_STOPPED', command: { type: 'place', account: 2 } });
    expect(stopOf(() => harness.exchange.place(order, SILENT))).toBe(stopped);
    expect(stopOf(() => harness.exchange.cancel({ type: 'cancel', ...requests, orders: [] }, SILENT))).toBe(stopped);
  });

  it('of a market that ends with open orders stops the exchange at the command that ended it', () => {
    const harness = staged((of) => new SilentBook(of));
    const stopped = stopOf(() => harness.send('voidMarket', { market: 0 }));
    expect(stopped).toMatchObject({
      command: { type: 'voidMarket', market: 0 },
      message: expect.stringContaining('Invariant: market 0 ends with open orders'),
    });
  });

  it('is final: every later command gets the same error and changes nothing', () => {
    const harness = staged((of) => new SilentBook(of));
    const stopped = stopOf(() => harness.send('voidMarket', { market: 0 }));
    for (const type of ['tick', 'cancelAllOrders', 'voidMarket'] as const) {
      expect(stopOf(() => harness.send(type, { market: 0 }))).toBe(stopped);
    }
  });

  it('is reported even when the command cannot be printed', () => {
    const harness = staged((of) => new MatchingBook(of));
    const unspeakable = Object.defineProperty({ type: 'tick' }, 'time', {
      get() {
        throw new Error('no time');
      },
    });
    const stopped = stopOf(() => harness.apply(unspeakable as Parameters<Harness['apply']>[0]));
    expect(stopped).toMatchObject({
      code: 'EXCHANGE_STOPPED',
      message: 'the exchange stopped at a command "tick" of ?: no time',
    });
    expect(stopOf(() => harness.send('tick'))).toBe(stopped);
  });
});
