import { describe, expect, it } from 'vitest';
import { microUsd, SHARE, unchecked } from '../../src/domain/index.ts';
import { ASK, BID, CASH, ReplayedMarket } from './replayed-market.ts';

describe('orders of several accounts in a replayed book', () => {
  it('match by price and time behind earlier recorded shares', () => {
    const market = new ReplayedMarket(2);
    market.level(ASK, 6_000, 10);
    market.place(1, 'ask', 5, 6_000);
    market.level(ASK, 6_000, 30);
    market.level(ASK, 6_010, 100);
    expect(market.place(2, 'bid', 45, 6_010)).toEqual([
      '0<2 10 @ 6000',
      '1<2 5 @ 6000',
      '1 FILLED 0',
      '0<2 20 @ 6000',
      '0<2 10 @ 6010',
      '2 FILLED 0',
    ]);
    expect([market.book.sharesAt(6_000), market.book.sharesAt(6_010)]).toEqual([0, 90 * SHARE]);
    expect(market.sum).toBe(2 * CASH);
  });

  it('match each other at prices without recorded shares', () => {
    const market = new ReplayedMarket(2);
    market.place(1, 'ask', 5, 6_000);
    expect(market.place(2, 'bid', 5, 6_100, { postOnly: true })).toEqual(['POST_ONLY_WOULD_CROSS']);
    expect(market.place(2, 'bid', 8, 6_100)).toEqual(['1<2 5 @ 6000', '1 FILLED 0']);
    expect([market.book.bestBid, market.book.bestAsk]).toEqual([6_100, 10_000]);
    expect(market.sum).toBe(2 * CASH);
  });

  it('share a print in order of arrival, for all owners', () => {
    const market = new ReplayedMarket(3);
    market.level(ASK, 6_000, 10);
    for (const account of [1, 2, 3]) market.place(account, 'ask', 5, 6_000);
    expect(market.print(BID, 17, 6_000)).toEqual(['1<0 5 @ 6000', '1 FILLED 0', '2<0 2 @ 6000']);
    const { view } = market.exchange;
    const orders = [1, 2, 3].flatMap((account) => view.openOrders(account)).map(({ order }) => order);
    expect(orders.map((order) => view.queueAhead(order))).toEqual([0, 3 * SHARE]);
    expect([...view.queuesAhead(orders).values()]).toEqual([0, 3 * SHARE]);
    expect(market.sum).toBe(3 * CASH);
  });

  it.each([
    ['CANCEL_TAKER', ['3 SELF_TRADE 12']],
    ['CANCEL_MAKER', ['1 SELF_TRADE 5', '0<3 10 @ 6000', '2<3 2 @ 6000']],
    ['CANCEL_BOTH', ['1 SELF_TRADE 5', '3 SELF_TRADE 12']],
  ] as const)('do not match orders of their own account: %s', (selfTrade, expected) => {
    const market = new ReplayedMarket(2);
    market.level(ASK, 6_000, 10);
    market.place(1, 'ask', 5, 6_000);
    market.place(2, 'ask', 5, 6_000);
    expect(market.place(1, 'bid', 12, 6_000, { selfTrade }).filter((line) => line !== '3 FILLED 0')).toEqual(expected);
    expect(market.sum).toBe(2 * CASH);
  });

  it('let a FOK count recorded and other shares that it may take under its self-trade mode', () => {
    const market = new ReplayedMarket(2);
    market.level(ASK, 6_000, 10);
    market.place(1, 'ask', 5, 6_000);
    market.place(2, 'ask', 5, 6_000);
    const fok = { timeInForce: 'FOK' } as const;
    expect(market.place(2, 'bid', 16, 6_000, fok)).toEqual(['FOK_NOT_FILLABLE']);
    expect(market.place(2, 'bid', 16, 6_000, { ...fok, selfTrade: 'CANCEL_MAKER' })).toEqual(['FOK_NOT_FILLABLE']);
    expect(market.place(2, 'bid', 15, 6_000, fok).at(-1)).toBe('3 FILLED 0');
  });

  it('let a FOK with order groups also count the recorded shares', () => {
    const market = new ReplayedMarket(2);
    market.group(1, 100);
    market.level(ASK, 6_000, 10);
    market.level(ASK, 6_010, 10);
    market.place(1, 'ask', 5, 6_000);
    const fok = { timeInForce: 'FOK' } as const;
    expect(market.place(2, 'bid', 26, 6_010, fok)).toEqual(['FOK_NOT_FILLABLE']);
    expect(market.place(2, 'bid', 25, 6_010, fok).at(-1)).toBe('2 FILLED 0');
  });

  it('are closed before a print continues when the print triggers their group', () => {
    const market = new ReplayedMarket(2);
    market.group(1, 4);
    const group = unchecked.group(1);
    market.place(1, 'ask', 5, 6_000, { group });
    market.place(1, 'ask', 5, 6_000, { group });
    market.place(2, 'ask', 5, 6_000);
    expect(market.print(BID, 8, 6_000)).toEqual([
      '1<0 5 @ 6000',
      '1 FILLED 0',
      '2 ORDER_GROUP_LIMIT 5',
      '3<0 3 @ 6000',
    ]);
    expect(market.sum).toBe(2 * CASH);
  });
});

describe('the recorded market as a counterparty', () => {
  it('is one account that pays no fees and has no orders', () => {
    const market = new ReplayedMarket(1);
    market.level(ASK, 6_000, 10);
    market.place(1, 'bid', 10, 6_000);
    const { view } = market.exchange;
    expect(view.account(2)?.available).toBe(-4_000_000);
    expect(view.holding(2, 0)?.no.shares).toBe(10 * SHARE);
    expect(view.fees).toBe(48_000);
    expect([view.openOrderCount, view.openOrders(2).length]).toEqual([0, 0]);
  });

  it('does not change in a step without an effect', () => {
    const market = new ReplayedMarket(1);
    market.level(ASK, 6_000, 10);
    market.place(1, 'ask', 5, 6_000);
    const before = market.exchange.stateHash();
    expect(market.print(BID, 10, 6_000)).toEqual([]);
    market.step(() => market.flow.cross());
    expect(market.exchange.stateHash()).toBe(before);
  });

  it('ends a market at once, pays or refunds, and closes its orders', () => {
    const market = new ReplayedMarket(1);
    market.level(ASK, 6_000, 10);
    market.place(1, 'bid', 10, 6_000);
    market.place(1, 'bid', 10, 5_000);
    market.step(() => market.exchange.tape.settle(0, 10_000));
    expect(market.reported.splice(0)).toEqual(['2 MARKET_NOT_OPEN 10']);
    expect(market.exchange.view.market(0)?.status).toBe('RESOLVED_YES');
    expect(market.exchange.view.holding(1, 0)?.owed).toBe(10_000_000);
    expect(market.place(1, 'bid', 10, 5_000)).toEqual(['MARKET_NOT_OPEN']);
    expect(market.sum).toBe(CASH);
  });

  it('charges a commission', () => {
    const market = new ReplayedMarket(1);
    market.step(() => market.exchange.tape.charge(1, microUsd(7)));
    expect([1, 2].map((account) => market.exchange.view.account(account)?.available)).toEqual([CASH - 7, 7]);
  });
});

describe('a halt during delayed orders', () => {
  it('refuses only these orders when their delay ends', () => {
    const market = new ReplayedMarket(1);
    market.place(1, 'bid', 10, 5_000);
    market.step(() => market.exchange.tape.setState(0, { status: 'OPEN', halted: true }));
    expect(market.reported.splice(0)).toEqual(['1 MARKET_HALTED 10']);
    expect(market.place(1, 'bid', 10, 5_000)).toEqual(['MARKET_HALTED']);
    market.step(() => market.exchange.tape.setState(0, { status: 'OPEN', halted: false }));
    const received: (readonly string[])[] = [];
    market.exchange.tape.withMarketHalted(0, () => received.push(market.place(1, 'bid', 10, 5_000)));
    expect(received).toEqual([['MARKET_HALTED']]);
    expect(market.place(1, 'bid', 10, 5_000)).toEqual([]);
  });
});
