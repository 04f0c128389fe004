import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { column, counted, epochMs, marketId, microShares, microUsd, SHARE } from '../../src/domain/index.ts';
import { type BookOptions, Exchange, type ExchangeSink, type OrderTerms } from '../../src/exchange/index.ts';
import { riskAverseQueue } from '../../src/replay/index.ts';
import { RecordedFlow } from '../../src/replay/recorded-flow.ts';
import { Replay, type ReplayModels } from '../../src/replay/replay.ts';
import { ReplayBook } from '../../src/replay/replay-book.ts';

const M = counted.market(0);
const [BID, ASK] = [0, 1];
const CASH = 1_000_000_000;

type OrderOptions = Partial<Pick<OrderTerms, 'timeInForce' | 'postOnly' | 'selfTrade' | 'group'>>;

/** One replayed market on an exchange with several accounts. */
class ReplayedMarket {
  readonly exchange: Exchange;
  readonly book: ReplayBook;
  readonly flow: RecordedFlow;
  reported: string[] = [];
  time = 1_000;
  readonly #accounts: number;
  readonly #sink: ExchangeSink = {
    accepted: () => {},
    traded: (_seq, _market, maker, taker, price, shares) =>
      this.reported.push(`${maker}<${taker} ${shares / SHARE} @ ${price}`),
    reduced: () => {},
    closed: (_seq, order, unfilled, reason) => this.reported.push(`${order} ${reason} ${unfilled / SHARE}`),
    happened: () => {},
    refused: (_entry, { reason }) => this.reported.push(reason),
    duplicate: () => {},
  };

  constructor(accounts: number, liquidity: ReplayModels['liquidity'] = 'consumed') {
    const replay = new Replay({ queue: riskAverseQueue(), liquidity, tradesOnly: undefined });
    const books: ReplayBook[] = [];
    const flows: RecordedFlow[] = [];
    const make = (of: BookOptions): ReplayBook => {
      const book = new ReplayBook(of, { type: 'tick', tickBps: 10 }, replay);
      books.push(book);
      flows.push(new RecordedFlow(book, replay, of.sink, of.tape));
      return book;
    };
    const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
    this.exchange = new Exchange({ sha256, books: make });
    this.#accounts = accounts;
    const time = epochMs(1);
    const names = Array.from({ length: accounts }, (_, at) => `maker ${at + 1}`);
    for (const address of [...names, 'outside']) {
      this.exchange.apply({ type: 'openAccount', time, address, unlimited: address === 'outside' }, this.#sink);
    }
    this.exchange.tape.outside = accounts + 1;
    for (let account = 1; account <= accounts; account += 1) {
      const amount = microUsd(CASH);
      this.exchange.apply({ type: 'transfer', time, account: counted.account(account), amount }, this.#sink);
    }
    const requests = { time, account: counted.account(1), credential: counted.credential(0) };
    this.exchange.apply(
      {
        type: 'createMarket',
        ...requests,
        id: marketId('00000000-0000-4000-8000-000000000000'),
        question: 'which?',
        rules: 'none',
        description: undefined,
        categorySlug: 'test',
        topicSlugs: [],
        resolutionDate: epochMs(1e12),
        tickBps: 10,
        feeRateBps: 200,
        minOrderShares: undefined,
        eventId: undefined,
        initialOrder: undefined,
        restriction: undefined,
      },
      this.#sink,
    );
    const step = { step: 'DEPLOY', attempt: 1, transactionHash: '' } as const;
    this.exchange.apply({ type: 'chainConfirmed', time, market: M, note: '', ...step }, this.#sink);
    const [book, flow] = [books[0], flows[0]];
    if (book === undefined || flow === undefined) throw new Error('no market was made');
    this.book = book;
    this.flow = flow;
  }

  group(account: number, maxFilled: number): void {
    const requests = { time: epochMs(this.time), account: counted.account(account), credential: counted.credential(0) };
    const window = column.duration(60_000);
    this.exchange.apply(
      { type: 'createGroup', ...requests, maxFilled: microShares(maxFilled * SHARE), window },
      this.#sink,
    );
  }

  level(side: number, price: number, shares: number): void {
    this.book.outside.set(side, price, shares * SHARE);
  }

  /** `bid` buys YES, `ask` buys NO; prices in YES terms. */
  place(account: number, side: 'bid' | 'ask', shares: number, price: number, options: OrderOptions = {}): string[] {
    this.time += 1;
    const time = epochMs(this.time);
    this.exchange.apply(
      {
        type: 'place',
        time,
        account: counted.account(account),
        credential: counted.credential(0),
        market: M,
        outcome: side === 'bid' ? 'YES' : 'NO',
        side: 'BUY',
        price: column.price(side === 'bid' ? price : 10_000 - price),
        shares: microShares(shares * SHARE),
        timeInForce: 'GTC',
        postOnly: false,
        expiration: 0,
        timestampMs: time,
        epoch: 0,
        maxFeeBps: 1_000,
        replaces: 0,
        selfTrade: 'CANCEL_TAKER',
        group: counted.group(0),
        restriction: undefined,
        hash: undefined,
        clientOrderId: undefined,
        ...options,
      },
      this.#sink,
    );
    return this.reported.splice(0);
  }

  /** A recorded print by a taker of `side`. */
  print(side: number, shares: number, price: number): string[] {
    this.step(() => this.flow.print(side, price, shares * SHARE));
    return this.reported.splice(0);
  }

  step(work: () => void): void {
    this.time += 1;
    this.exchange.tape.begin(epochMs(this.time), this.#sink);
    work();
    this.exchange.tape.end();
  }

  /** Sum over all accounts and unassigned money, which equals the deposits. */
  get sum(): number {
    const { view } = this.exchange;
    let sum = view.collateral(0) + view.fees;
    for (let account = 1; account <= this.#accounts + 1; account += 1) {
      const { available = 0, reserved = 0 } = view.account(account) ?? {};
      sum += available + reserved;
    }
    return sum;
  }
}

describe('orders of several accounts in a replayed book', () => {
  it('match by price and time behind earlier recorded shares', () => {
    const floor = new ReplayedMarket(2);
    floor.level(ASK, 6_000, 10);
    floor.place(1, 'ask', 5, 6_000);
    floor.level(ASK, 6_000, 30);
    floor.level(ASK, 6_010, 100);
    expect(floor.place(2, 'bid', 45, 6_010)).toEqual([
      '0<2 10 @ 6000',
      '1<2 5 @ 6000',
      '1 FILLED 0',
      '0<2 20 @ 6000',
      '0<2 10 @ 6010',
      '2 FILLED 0',
    ]);
    expect([floor.book.sharesAt(6_000), floor.book.sharesAt(6_010)]).toEqual([0, 90 * SHARE]);
    expect(floor.sum).toBe(2 * CASH);
  });

  it('match each other at prices without recorded shares', () => {
    const floor = new ReplayedMarket(2);
    floor.place(1, 'ask', 5, 6_000);
    expect(floor.place(2, 'bid', 5, 6_100, { postOnly: true })).toEqual(['POST_ONLY_WOULD_CROSS']);
    expect(floor.place(2, 'bid', 8, 6_100)).toEqual(['1<2 5 @ 6000', '1 FILLED 0']);
    expect([floor.book.bestBid, floor.book.bestAsk]).toEqual([6_100, 10_000]);
    expect(floor.sum).toBe(2 * CASH);
  });

  it('share a print in order of arrival, for all owners', () => {
    const floor = new ReplayedMarket(3);
    floor.level(ASK, 6_000, 10);
    for (const account of [1, 2, 3]) floor.place(account, 'ask', 5, 6_000);
    expect(floor.print(BID, 17, 6_000)).toEqual(['1<0 5 @ 6000', '1 FILLED 0', '2<0 2 @ 6000']);
    const { view } = floor.exchange;
    const orders = [1, 2, 3].flatMap((account) => view.openOrders(account)).map(({ order }) => order);
    expect(orders.map((order) => view.queueAhead(order))).toEqual([0, 3 * SHARE]);
    expect([...view.queuesAhead(orders).values()]).toEqual([0, 3 * SHARE]);
    expect(floor.sum).toBe(3 * CASH);
  });

  it.each([
    ['CANCEL_TAKER', ['3 SELF_TRADE 12']],
    ['CANCEL_MAKER', ['1 SELF_TRADE 5', '0<3 10 @ 6000', '2<3 2 @ 6000']],
    ['CANCEL_BOTH', ['1 SELF_TRADE 5', '3 SELF_TRADE 12']],
  ] as const)('do not match orders of their own account: %s', (selfTrade, expected) => {
    const floor = new ReplayedMarket(2);
    floor.level(ASK, 6_000, 10);
    floor.place(1, 'ask', 5, 6_000);
    floor.place(2, 'ask', 5, 6_000);
    expect(floor.place(1, 'bid', 12, 6_000, { selfTrade }).filter((line) => line !== '3 FILLED 0')).toEqual(expected);
    expect(floor.sum).toBe(2 * CASH);
  });

  it('let a FOK count recorded and other shares that it may take under its self-trade mode', () => {
    const floor = new ReplayedMarket(2);
    floor.level(ASK, 6_000, 10);
    floor.place(1, 'ask', 5, 6_000);
    floor.place(2, 'ask', 5, 6_000);
    const fok = { timeInForce: 'FOK' } as const;
    expect(floor.place(2, 'bid', 16, 6_000, fok)).toEqual(['FOK_NOT_FILLABLE']);
    expect(floor.place(2, 'bid', 16, 6_000, { ...fok, selfTrade: 'CANCEL_MAKER' })).toEqual(['FOK_NOT_FILLABLE']);
    expect(floor.place(2, 'bid', 15, 6_000, fok).at(-1)).toBe('3 FILLED 0');
  });

  it('let a FOK with order groups also count the recorded shares', () => {
    const floor = new ReplayedMarket(2);
    floor.group(1, 100);
    floor.level(ASK, 6_000, 10);
    floor.level(ASK, 6_010, 10);
    floor.place(1, 'ask', 5, 6_000);
    const fok = { timeInForce: 'FOK' } as const;
    expect(floor.place(2, 'bid', 26, 6_010, fok)).toEqual(['FOK_NOT_FILLABLE']);
    expect(floor.place(2, 'bid', 25, 6_010, fok).at(-1)).toBe('2 FILLED 0');
  });

  it('are closed before a print continues when the print triggers their group', () => {
    const floor = new ReplayedMarket(2);
    floor.group(1, 4);
    const group = counted.group(1);
    floor.place(1, 'ask', 5, 6_000, { group });
    floor.place(1, 'ask', 5, 6_000, { group });
    floor.place(2, 'ask', 5, 6_000);
    expect(floor.print(BID, 8, 6_000)).toEqual(['1<0 5 @ 6000', '1 FILLED 0', '2 ORDER_GROUP_LIMIT 5', '3<0 3 @ 6000']);
    expect(floor.sum).toBe(2 * CASH);
  });
});

describe('the recorded market as a counterparty', () => {
  it('is one account that pays no fees and has no orders', () => {
    const floor = new ReplayedMarket(1);
    floor.level(ASK, 6_000, 10);
    floor.place(1, 'bid', 10, 6_000);
    const { view } = floor.exchange;
    expect(view.account(2)?.available).toBe(-4_000_000);
    expect(view.holding(2, 0)?.no.shares).toBe(10 * SHARE);
    expect(view.fees).toBe(48_000);
    expect([view.openOrderCount, view.openOrders(2).length]).toEqual([0, 0]);
  });

  it('does not change in a step without an effect', () => {
    const floor = new ReplayedMarket(1);
    floor.level(ASK, 6_000, 10);
    floor.place(1, 'ask', 5, 6_000);
    const before = floor.exchange.stateHash();
    expect(floor.print(BID, 10, 6_000)).toEqual([]);
    floor.step(() => floor.flow.cross());
    expect(floor.exchange.stateHash()).toBe(before);
  });

  it('ends a market at once, pays or refunds, and closes its orders', () => {
    const floor = new ReplayedMarket(1);
    floor.level(ASK, 6_000, 10);
    floor.place(1, 'bid', 10, 6_000);
    floor.place(1, 'bid', 10, 5_000);
    floor.step(() => floor.exchange.tape.settle(0, 10_000));
    expect(floor.reported.splice(0)).toEqual(['2 MARKET_NOT_OPEN 10']);
    expect(floor.exchange.view.market(0)?.status).toBe('RESOLVED_YES');
    expect(floor.exchange.view.holding(1, 0)?.owed).toBe(10_000_000);
    expect(floor.place(1, 'bid', 10, 5_000)).toEqual(['MARKET_NOT_OPEN']);
    expect(floor.sum).toBe(CASH);
  });

  it('charges a commission', () => {
    const floor = new ReplayedMarket(1);
    floor.step(() => floor.exchange.tape.charge(1, microUsd(7)));
    expect([1, 2].map((account) => floor.exchange.view.account(account)?.available)).toEqual([CASH - 7, 7]);
  });
});

describe('a halt during delayed orders', () => {
  it('refuses only these orders when their delay ends', () => {
    const floor = new ReplayedMarket(1);
    floor.place(1, 'bid', 10, 5_000);
    floor.step(() => floor.exchange.tape.setState(0, 'OPEN', true));
    expect(floor.reported.splice(0)).toEqual(['1 MARKET_HALTED 10']);
    expect(floor.place(1, 'bid', 10, 5_000)).toEqual(['MARKET_HALTED']);
    floor.step(() => floor.exchange.tape.setState(0, 'OPEN', false));
    const received: (readonly string[])[] = [];
    floor.exchange.tape.withMarketHalted(0, () => received.push(floor.place(1, 'bid', 10, 5_000)));
    expect(received).toEqual([['MARKET_HALTED']]);
    expect(floor.place(1, 'bid', 10, 5_000)).toEqual([]);
  });
});
