import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { column, counted, LOT } from '../../../src/domain/index.ts';
import { ORDER_KIND } from '../../../src/exchange/matching/codes.ts';
import { type HouseOrder, houseCommand, housePrices } from '../../../src/exchange/quotes/house-maker.ts';
import { QUOTE_POLICIES } from '../../../src/exchange/quotes/quote-policy.ts';
import { retailQuote } from '../../../src/exchange/quotes/retail-quote.ts';
import { runs } from '../../runs.ts';
import { NAMES } from './any-touch.ts';
import { anyOrders, RealBook } from './real-book.ts';

const requests = {
  time: column.time(1_700_000_000_000),
  account: counted.account(1),
  credential: counted.credential(0),
};
const config = {
  policy: QUOTE_POLICIES.additive,
  spreadBps: 2000,
  shares: column.shares(100 * LOT),
  refillBelow: column.shares(50 * LOT),
};

/** A book with the house in it. */
class House {
  readonly real: RealBook;
  own: HouseOrder[] = [];

  constructor(tickBps = 10) {
    this.real = new RealBook(tickBps);
  }

  view(lastTrade = 0) {
    return { market: counted.market(3), book: this.real.book, lastTrade, own: this.own };
  }

  show(isBid: boolean, price: number, lots: number): void {
    const kind = isBid ? ORDER_KIND.buyYes : ORDER_KIND.buyNo;
    const order = this.real.rest({ kind, price: isBid ? price : 10_000 - price, lots });
    this.own.push({ order: counted.order(order), isBid, price, remaining: lots * LOT });
  }

  others(isBid: boolean, price: number, lots = 1): void {
    this.real.rest({ kind: isBid ? ORDER_KIND.buyYes : ORDER_KIND.sellYes, price, lots });
  }
}

/** What a command does, in YES terms, one word an order. */
function commandText(command: ReturnType<typeof houseCommand>): string {
  if (command === undefined) return 'nothing';
  const placed = command.place.map(({ outcome, price, shares }) =>
    outcome === 'YES' ? `bid ${price} x ${shares / LOT}` : `ask ${10_000 - price} x ${shares / LOT}`,
  );
  const cancelled = command.cancel === 'all' ? ['cancel all'] : command.cancel.map((order) => `cancel ${order}`);
  return [...cancelled, ...placed].join(', ');
}

describe('the house maker', () => {
  it('places both retail quotes in an empty book as purchases that cannot take', () => {
    const command = houseCommand(requests, new House().view(), config);
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
    expect(commandText(houseCommand(requests, new House().view(6000), config))).toBe('bid 5000 x 100, ask 7000 x 100');
  });

  it('does nothing while its orders are correct', () => {
    const house = new House();
    house.show(true, 4000, 100);
    house.show(false, 6000, 50);
    expect(houseCommand(requests, house.view(), config)).toBeUndefined();
  });

  it('renews an order whose remaining size is too small; the other keeps its queue position', () => {
    const house = new House();
    house.show(true, 4000, 100);
    house.show(false, 6000, 49);
    expect(commandText(houseCommand(requests, house.view(), config))).toBe('cancel 2, ask 6000 x 100');
  });

  it('renews an order that is larger than it should be', () => {
    const house = new House();
    house.show(true, 4000, 101);
    house.show(false, 6000, 100);
    expect(commandText(houseCommand(requests, house.view(), config))).toBe('cancel 1, bid 4000 x 100');
  });

  it('keeps one of two orders at the right price', () => {
    const house = new House();
    house.show(true, 4000, 100);
    house.show(true, 4000, 100);
    house.show(false, 6000, 100);
    expect(commandText(houseCommand(requests, house.view(), config))).toBe('cancel 2');
  });

  it('does not follow its own orders: beside a single bid of others the reference is that bid', () => {
    const house = new House();
    house.others(true, 5500);
    expect(commandText(houseCommand(requests, house.view(), config))).toBe('bid 4500 x 100, ask 6500 x 100');
    house.show(true, 4500, 100);
    house.show(false, 6500, 100);
    expect(houseCommand(requests, house.view(), config)).toBeUndefined();
  });

  it('sees orders of others behind its own best order and at its own price', () => {
    const house = new House();
    house.show(true, 4600, 70);
    house.show(true, 4500, 30);
    house.others(true, 4000);
    house.show(false, 5000, 100);
    house.others(false, 5000);
    expect(housePrices(house.view(), config)).toEqual({ bid: 3500, ask: 5500 });
  });

  it('omits a quote that would cross other orders at the edge', () => {
    const high = new House();
    high.others(true, 9990);
    expect(housePrices(high.view(), config)).toEqual({ bid: 8990, ask: undefined });
    const low = new House();
    low.others(false, 10);
    expect(housePrices(low.view(), config)).toEqual({ bid: undefined, ask: 1010 });
  });

  it('without a spread places nothing on a grid price, and both neighbours of a price off the grid', () => {
    const house = new House();
    house.show(true, 4000, 100);
    expect(commandText(houseCommand(requests, house.view(), { ...config, spreadBps: 0 }))).toBe('cancel 1');
    expect(housePrices(house.view(), { ...config, spreadBps: 0 })).toStrictEqual({ bid: undefined, ask: undefined });
    expect(housePrices(new House().view(5005), { ...config, spreadBps: 0 })).toEqual({ bid: 5000, ask: 5010 });
  });

  it('makes the quotes executable and never crosses, for any orders of others', () => {
    fc.assert(
      fc.property(
        anyOrders,
        fc.constantFrom(...NAMES),
        fc.integer({ min: 0, max: 20_000 }),
        fc.integer({ min: 0, max: 9_999 }),
        ({ tickBps, orders }, policyName, spreadBps, lastTrade) => {
          const house = new House(tickBps);
          for (const order of orders) house.real.rest(order);
          const { book } = house.real;
          const policy = QUOTE_POLICIES[policyName];
          const { bestBid, bestAsk } = book;
          const quote = retailQuote({ tickBps, bestBid, bestAsk, lastTrade }, policy, spreadBps);
          const { bid, ask } = housePrices(house.view(lastTrade), { policy, spreadBps });
          if (ask !== undefined) expect(ask).toBe(quote.yes);
          if (bid !== undefined) expect(bid).toBe(10_000 - quote.no);
          // What is left out has no room.
          if (ask === undefined) expect(quote.yes <= bestBid || quote.spreadBps === 0).toBe(true);
          if (bid === undefined) expect(10_000 - quote.no >= bestAsk || quote.spreadBps === 0).toBe(true);
          house.real.fills.length = 0;
          if (bid !== undefined) house.show(true, bid, 100);
          if (ask !== undefined) house.show(false, ask, 100);
          expect(house.real.fills).toEqual([]);
          // With its orders in the book it wants the same: nothing more is to be done.
          expect(houseCommand(requests, house.view(lastTrade), { ...config, policy, spreadBps })).toBeUndefined();
        },
      ),
      { numRuns: runs(1_000) },
    );
  });
});
