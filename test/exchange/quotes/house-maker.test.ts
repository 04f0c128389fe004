import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LOT, unchecked } from '../../../src/domain/index.ts';
import { ORDER_KIND } from '../../../src/exchange/matching/codes.ts';
import { type HouseOrder, houseCommand, housePrices } from '../../../src/exchange/quotes/house-maker.ts';
import { QUOTE_POLICIES, retailQuote } from '../../../src/exchange/quotes/retail-quote.ts';
import { runs } from '../../runs.ts';
import { NAMES } from './any-top-of-book.ts';
import { anyOrders, RealBook } from './real-book.ts';

const requests = {
  time: unchecked.time(1_700_000_000_000),
  account: unchecked.account(1),
  credential: unchecked.credential(0),
};
const config = {
  policy: QUOTE_POLICIES.additive,
  spreadBps: 2000,
  shares: unchecked.shares(100 * LOT),
  refillBelow: unchecked.shares(50 * LOT),
};

/** A book with orders of the house maker and of others. */
class MakerBook {
  readonly real: RealBook;
  ownOrders: HouseOrder[] = [];

  constructor(tickBps = 10) {
    this.real = new RealBook(tickBps);
  }

  view(lastTrade = 0) {
    return { market: unchecked.market(3), book: this.real.book, lastTrade, ownOrders: this.ownOrders };
  }

  addOwn(side: 'bid' | 'ask', price: number, lots: number): void {
    const isBid = side === 'bid';
    const kind = isBid ? ORDER_KIND.buyYes : ORDER_KIND.buyNo;
    const order = this.real.rest({ kind, price: isBid ? price : 10_000 - price, lots });
    this.ownOrders.push({ order: unchecked.order(order), isBid, price, remaining: lots * LOT });
  }

  addOther(side: 'bid' | 'ask', price: number, lots = 1): void {
    this.real.rest({ kind: side === 'bid' ? ORDER_KIND.buyYes : ORDER_KIND.sellYes, price, lots });
  }
}

/** Returns the actions of a command as text, with prices in YES terms. */
function commandText(command: ReturnType<typeof houseCommand>): string {
  if (command === undefined) return 'nothing';
  const placed = command.place.map(({ outcome, price, shares }) =>
    outcome === 'YES' ? `bid ${price} x ${shares / LOT}` : `ask ${10_000 - price} x ${shares / LOT}`,
  );
  const cancelled = command.cancel === 'all' ? ['cancel all'] : command.cancel.map((order) => `cancel ${order}`);
  return [...cancelled, ...placed].join(', ');
}

describe('the house maker', () => {
  it('places both retail quotes in an empty book as post-only purchases', () => {
    const command = houseCommand(requests, new MakerBook().view(), config);
    expect(commandText(command)).toBe('bid 4000 x 100, ask 6000 x 100');
    expect(command).toMatchObject({ type: 'replace', ...requests, market: 3, cancel: [], mustReplace: false });
    const terms = {
      market: 3,
      side: 'BUY',
      price: 4000,
      shares: 100 * LOT,
      timeInForce: 'GTC',
      postOnly: true,
      expiration: 0,
      timestampMs: requests.time,
      epoch: 0,
      maxFeeBps: 1000,
      replaces: 0,
      selfTrade: 'CANCEL_TAKER',
      group: 0,
      restriction: undefined,
      hash: undefined,
      clientOrderId: undefined,
    };
    expect(command?.place).toStrictEqual([
      { ...terms, outcome: 'YES' },
      { ...terms, outcome: 'NO' },
    ]);
  });

  it('follows the last trade', () => {
    expect(commandText(houseCommand(requests, new MakerBook().view(6000), config))).toBe(
      'bid 5000 x 100, ask 7000 x 100',
    );
  });

  it('does nothing while its orders are correct', () => {
    const maker = new MakerBook();
    maker.addOwn('bid', 4000, 100);
    maker.addOwn('ask', 6000, 50);
    expect(houseCommand(requests, maker.view(), config)).toBeUndefined();
  });

  it('renews an order whose remaining size is too small, without touching the other order', () => {
    const maker = new MakerBook();
    maker.addOwn('bid', 4000, 100);
    maker.addOwn('ask', 6000, 49);
    expect(commandText(houseCommand(requests, maker.view(), config))).toBe('cancel 2, ask 6000 x 100');
  });

  it('renews an order that is larger than it should be', () => {
    const maker = new MakerBook();
    maker.addOwn('bid', 4000, 101);
    maker.addOwn('ask', 6000, 100);
    expect(commandText(houseCommand(requests, maker.view(), config))).toBe('cancel 1, bid 4000 x 100');
  });

  it('keeps one of two orders at the right price', () => {
    const maker = new MakerBook();
    maker.addOwn('bid', 4000, 100);
    maker.addOwn('bid', 4000, 100);
    maker.addOwn('ask', 6000, 100);
    expect(commandText(houseCommand(requests, maker.view(), config))).toBe('cancel 2');
  });

  it('uses a single bid of others as its reference, whatever its own orders are', () => {
    const maker = new MakerBook();
    maker.addOther('bid', 5500);
    expect(commandText(houseCommand(requests, maker.view(), config))).toBe('bid 4500 x 100, ask 6500 x 100');
    maker.addOwn('bid', 4500, 100);
    maker.addOwn('ask', 6500, 100);
    expect(houseCommand(requests, maker.view(), config)).toBeUndefined();
  });

  it('considers orders of others behind its own best order and at its own price', () => {
    const maker = new MakerBook();
    maker.addOwn('bid', 4600, 70);
    maker.addOwn('bid', 4500, 30);
    maker.addOther('bid', 4000);
    maker.addOwn('ask', 5000, 100);
    maker.addOther('ask', 5000);
    expect(housePrices(maker.view(), config)).toEqual({ bid: 3500, ask: 5500 });
  });

  it('omits a quote that would cross other orders at the edge', () => {
    const high = new MakerBook();
    high.addOther('bid', 9990);
    expect(housePrices(high.view(), config)).toEqual({ bid: 8990, ask: undefined });
    const low = new MakerBook();
    low.addOther('ask', 10);
    expect(housePrices(low.view(), config)).toEqual({ bid: undefined, ask: 1010 });
  });

  it('without a spread quotes nothing at a price on the grid, and the two nearest prices around a price off the grid', () => {
    const maker = new MakerBook();
    maker.addOwn('bid', 4000, 100);
    expect(commandText(houseCommand(requests, maker.view(), { ...config, spreadBps: 0 }))).toBe('cancel 1');
    expect(housePrices(maker.view(), { ...config, spreadBps: 0 })).toStrictEqual({ bid: undefined, ask: undefined });
    expect(housePrices(new MakerBook().view(5005), { ...config, spreadBps: 0 })).toEqual({ bid: 5000, ask: 5010 });
  });

  it('makes the quotes executable and never crosses, for any orders of others', () => {
    fc.assert(
      fc.property(
        anyOrders,
        fc.constantFrom(...NAMES),
        fc.integer({ min: 0, max: 20_000 }),
        fc.integer({ min: 0, max: 9_999 }),
        ({ tickBps, orders }, policyName, spreadBps, lastTrade) => {
          const maker = new MakerBook(tickBps);
          for (const order of orders) maker.real.rest(order);
          const { book } = maker.real;
          const policy = QUOTE_POLICIES[policyName];
          const { bestBid, bestAsk } = book;
          const quote = retailQuote({ tickBps, bestBid, bestAsk, lastTrade }, policy, spreadBps);
          const { bid, ask } = housePrices(maker.view(lastTrade), { policy, spreadBps });
          if (ask !== undefined) expect(ask).toBe(quote.yes);
          if (bid !== undefined) expect(bid).toBe(10_000 - quote.no);
          // An omitted quote would cross the book or has no spread.
          if (ask === undefined) expect(quote.yes <= bestBid || quote.spreadBps === 0).toBe(true);
          if (bid === undefined) expect(10_000 - quote.no >= bestAsk || quote.spreadBps === 0).toBe(true);
          maker.real.fills.length = 0;
          if (bid !== undefined) maker.addOwn('bid', bid, 100);
          if (ask !== undefined) maker.addOwn('ask', ask, 100);
          expect(maker.real.fills).toEqual([]);
          // The maker changes nothing when its orders are already in the book.
          expect(houseCommand(requests, maker.view(lastTrade), { ...config, policy, spreadBps })).toBeUndefined();
        },
      ),
      { numRuns: runs(1_000) },
    );
  });
});
