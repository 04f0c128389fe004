import { describe, expect, it } from 'vitest';
import { eventTexts, Harness, SHARE } from './harness.ts';

/** A market that waits for its contract, with an initial order. */
function marketWithInitialOrder(overrides: Parameters<Harness['terms']>[0] = {}) {
  const harness = new Harness();
  const creator = harness.account(100);
  const other = harness.account(100);
  const market = harness.createMarket({ initialOrder: harness.terms({ price: 4000, ...overrides }) });
  return { harness, creator, other, market };
}

describe('the initial order of a market', () => {
  it('has its number and reserve from creation and enters the book first when the market opens', () => {
    const { harness, creator, other, market } = marketWithInitialOrder();
    expect(harness.view.account(creator)).toMatchObject({ available: 96_000_000, reserved: 4_000_000 });
    expect(harness.view.market(market)).toMatchObject({ status: 'PENDING_BLOCKCHAIN', initialOrder: 1 });
    expect(harness.view.openOrder(1)).toMatchObject({ remaining: 10 * SHARE, isShown: false });
    expect([harness.view.book(market)?.bestBid, harness.view.book(market)?.orderCountAt(4000)]).toEqual([0, 0]);
    expect(harness.view.quotes(market)).toMatchObject({ reference: 5000 });
    expect(eventTexts(harness.place(other, { market }))).toEqual(['refused 0 MARKET_NOT_OPEN marketId']);
    harness.confirm(market);
    expect(harness.view.book(market)?.bestBid).toBe(4000);
    expect(harness.view.market(market)?.bookSeq).toBe(harness.view.seq);
    harness.buy(other, 'YES', 4000, 5, { market });
    expect(harness.view.queueAhead(1)).toBe(0);
    expect(harness.view.queueAhead(2)).toBe(10 * SHARE);
  });

  it('is not visible in the book before the market opens', () => {
    const { harness, market } = marketWithInitialOrder();
    const book = harness.view.book(market);
    const prices = [book?.bestBid, book?.bestAsk, book?.priceAbove(0), book?.priceBelow(10_000)];
    expect([...prices, book?.sharesAt(4000), book?.orderCountAt(4000)]).toEqual([0, 10_000, 10_000, 0, 0, 0]);
    expect([book?.tickBps, harness.view.book(9)]).toEqual([10, undefined]);
  });

  it('can be cancelled, be reduced, and expire before the market opens', () => {
    const cancelled = marketWithInitialOrder();
    expect(eventTexts(cancelled.harness.send('cancel', { account: 1, orders: [1] }))).toEqual(['closed 1 USER 10']);
    const { bookSeq } = cancelled.harness.view.market(0) ?? {};
    cancelled.harness.confirm(0);
    expect(cancelled.harness.view.book(0)?.bestBid).toBe(0);
    // The cancelled order does not change the book.
    expect(cancelled.harness.view.market(0)?.bookSeq).toBe(bookSeq);
    expect(cancelled.harness.view.seq).toBeGreaterThan(bookSeq ?? Number.POSITIVE_INFINITY);
    const reduced = marketWithInitialOrder();
    expect(eventTexts(reduced.harness.send('reduce', { account: 1, order: 1, by: 4 * SHARE }))).toEqual([
      'reduced 1 to 6',
    ]);
    const expiring = marketWithInitialOrder({ timeInForce: 'GTD', expiration: 1_700_000_001_000 });
    expiring.harness.time += 1000;
    expect(eventTexts(expiring.harness.send('tick'))).toEqual(['closed 1 EXPIRED 10']);
    expect(expiring.harness.view.account(1)).toMatchObject({ available: 100_000_000, reserved: 0 });
  });

  it('is closed with a market that never opens', () => {
    const { harness, creator, market } = marketWithInitialOrder();
    harness.send('chainFailed', { market, step: 'DEPLOY', attempt: 1, permanent: true });
    expect(harness.view.market(market)?.status).toBe('CANCELLED');
    expect(harness.view.account(creator)).toMatchObject({ available: 100_000_000, reserved: 0 });
  });

  it.each([
    [{ side: 'SELL' }, 'INVALID_ORDER side'],
    [{ timeInForce: 'FAK' }, 'INVALID_ORDER timeInForce'],
    [{ price: 4001 }, 'INVALID_TICK priceBps'],
    [{ size: 300 }, 'INSUFFICIENT_BALANCE shares'],
    [{ size: 2501 }, 'ABOVE_MAX shares'],
    [{ replaces: 1 }, 'CONFLICT replaces'],
  ] as const)('is refused together with its market for %o: %s', (overrides, expected) => {
    const harness = new Harness();
    harness.account(100);
    const before = harness.hash();
    const members = { initialOrder: harness.terms({ price: 4000, ...overrides }) };
    expect(harness.createMarket(members)).toBe(-1);
    expect(harness.hash()).toBe(before);
    const other = new Harness();
    other.account(100);
    const question = { id: '00000000-0000-4000-8000-000000000009', question: 'q', rules: 'r', categorySlug: 'c' };
    const rest = { topicSlugs: [], resolutionDate: other.time + 1000, ...members };
    expect(eventTexts(other.send('createMarket', { ...question, ...rest }))).toEqual([`refused 0 ${expected}`]);
  });

  it.each([0, 1000])('reserves the fee of its market, including the highest possible: %d bps', (feeRateBps) => {
    const marketsCreated = (maxFeeBps: number) => {
      const harness = new Harness();
      harness.account(100);
      harness.createMarket({ feeRateBps, initialOrder: harness.terms({ price: 4000, maxFeeBps }) });
      return harness.view.markets.length;
    };
    expect([marketsCreated(feeRateBps), marketsCreated(feeRateBps - 1)]).toEqual([1, 0]);
  });

  it.each([-1, 1001, 0.5])('is not checked when the market itself is invalid, with a fee of %d', (feeRateBps) => {
    const harness = new Harness();
    harness.account(100);
    const before = harness.hash();
    expect(harness.createMarket({ feeRateBps, initialOrder: harness.terms({ price: 4000 }) })).toBe(-1);
    expect(harness.hash()).toBe(before);
  });

  it('is refused together with its market when its signed order was received before', () => {
    const harness = new Harness();
    harness.account(100);
    harness.market();
    harness.buy(1, 'YES', 4000, 5, { hash: '0xsigned' });
    const before = harness.hash();
    const id = '00000000-0000-4000-8000-000000000009';
    const made = {
      id,
      question: 'q',
      rules: 'r',
      categorySlug: 'c',
      topicSlugs: [],
      resolutionDate: harness.time + 1000,
    };
    const create = (hash: string) =>
      eventTexts(harness.send('createMarket', { ...made, initialOrder: harness.terms({ price: 4000, hash }) }));
    expect(create('0xsigned')).toEqual(['refused 0 CONFLICT initialOrder']);
    expect(harness.hash()).toBe(before);
    expect(create('0xother')).toContain('accepted 2');
  });

  it('ignores the market in its terms and gets the number of the new market', () => {
    const harness = new Harness();
    harness.account(100);
    const members = { initialOrder: harness.terms({ price: 4000, market: 77 }) };
    harness.createMarket(members);
    expect(harness.view.openOrder(1)?.market).toBe(0);
  });
});

describe('a market command', () => {
  it('is refused for unknown accounts and markets', () => {
    const harness = new Harness();
    harness.account();
    const made = {
      id: '00000000-0000-4000-8000-000000000009',
      question: 'q',
      rules: 'r',
      categorySlug: 'c',
      topicSlugs: [],
    };
    const created = { ...made, resolutionDate: harness.time + 1000, account: 9 };
    expect(eventTexts(harness.send('createMarket', created))).toEqual(['refused 0 NOT_FOUND account']);
    expect(eventTexts(harness.send('dispute', { account: 9, market: 0, reason: 'r' }))).toEqual([
      'refused 0 NOT_FOUND account',
    ]);
    for (const type of ['halt', 'voidMarket', 'closeEarly', 'retryResolution'] as const) {
      expect(eventTexts(harness.send(type, { market: 3 }))).toEqual(['refused 0 NOT_FOUND marketId']);
    }
  });

  it('changeTick cancels the book and starts a new one', () => {
    const harness = new Harness();
    const account = harness.account();
    harness.market();
    harness.buy(account, 'YES', 4010, 1);
    expect(eventTexts(harness.send('changeTick', { market: 0, tickBps: 100 }))).toContain('closed 1 TICK_CHANGED 1');
    expect(eventTexts(harness.place(account, { price: 4010 }))).toEqual(['refused 0 INVALID_TICK priceBps']);
    expect(eventTexts(harness.place(account, { price: 4100 }))).toEqual(['accepted 2']);
    expect(harness.view.openOrder(2)?.price).toBe(4100);
    expect(harness.view.market(0)?.bookEpoch).toBe(2);
  });

  it('changeTick starts a new book also when the book is empty', () => {
    const harness = new Harness();
    harness.account();
    harness.market();
    const before = harness.view.market(0)?.bookSeq;
    harness.send('changeTick', { market: 0, tickBps: 100 });
    expect(harness.view.market(0)?.bookSeq).toBe(harness.view.seq);
    expect(harness.view.seq).toBeGreaterThan(before ?? 0);
  });

  it('changeMinOrder applies to new BUY orders of its market only, and resting orders stay', () => {
    const harness = new Harness();
    const account = harness.account();
    const [first, second] = [harness.market(), harness.market({ minOrderShares: 3_000_000 })];
    expect([first, second].map((market) => harness.view.market(market)?.minOrderShares)).toEqual([
      1_000_000, 3_000_000,
    ]);
    const resting = harness.buy(account, 'YES', 4000, 2);
    expect(harness.place(account, { market: second, price: 4000, size: 2 })).toEqual([
      {
        type: 'refused',
        entry: 0,
        refusal: { reason: 'BELOW_MIN', field: 'shares', limit: 3_000_000, value: 2_000_000, unit: 'MICRO_SHARES' },
      },
    ]);
    const change = { market: first, minOrderShares: 5_000_000 };
    const book = harness.view.market(first)?.bookSeq;
    expect(eventTexts(harness.send('changeMinOrder', change))).toEqual(['marketChanged']);
    expect(harness.view.market(first)?.bookSeq).toBe(book);
    expect(harness.view.openOrder(resting)?.remaining).toBe(2_000_000);
    expect(eventTexts(harness.place(account, { price: 4000, size: 4.99 }))).toEqual(['refused 0 BELOW_MIN shares']);
    expect(eventTexts(harness.place(account, { price: 4000, size: 5 }))).toEqual(['accepted 2']);
    harness.send('split', { account, market: first, shares: 1_000_000 });
    expect(eventTexts(harness.place(account, { side: 'SELL', price: 6000, size: 0.01 }))).toEqual(['accepted 3']);
  });

  it('changeMinOrder is refused when it changes nothing, is invalid, or the market is not open', () => {
    const harness = new Harness();
    harness.account();
    harness.market();
    const change = (minOrderShares: unknown, market = 0) =>
      eventTexts(harness.send('changeMinOrder', { market, minOrderShares: minOrderShares as never }));
    const before = harness.hash();
    expect(change(1_000_000)).toEqual(['refused 0 CONFLICT minOrderShares']);
    expect(change(-1)).toEqual(['refused 0 BELOW_MIN minOrderShares']);
    expect(change(1e15 + 1)).toEqual(['refused 0 ABOVE_MAX minOrderShares']);
    expect(change(Number.NaN)).toEqual(['refused 0 INVALID_ORDER minOrderShares']);
    expect(change(2, 7)).toEqual(['refused 0 NOT_FOUND marketId']);
    expect(harness.hash()).toBe(before);
    harness.send('closeEarly', { market: 0 });
    expect(change(2)).toEqual(['refused 0 MARKET_NOT_OPEN marketId']);
  });

  it('configure sets the smallest order of new markets', () => {
    const harness = new Harness();
    const account = harness.account();
    harness.market();
    harness.send('configure', { config: { minOrderShares: 9_000_000 } });
    const later = harness.market();
    expect(eventTexts(harness.place(account, { size: 1 }))).toEqual(['accepted 1']);
    expect(eventTexts(harness.place(account, { market: later, size: 8 }))).toEqual(['refused 0 BELOW_MIN shares']);
  });

  it('haltMarket cancels orders and refuses new ones until it resumes', () => {
    const harness = new Harness();
    const account = harness.account();
    harness.market();
    harness.buy(account, 'YES', 4000, 1);
    expect(eventTexts(harness.send('halt', { market: 0 }))).toContain('closed 1 MARKET_HALTED 1');
    expect(eventTexts(harness.place(account))).toEqual(['refused 0 MARKET_HALTED marketId']);
    harness.send('resume', { market: 0 });
    expect(eventTexts(harness.place(account))).toEqual(['accepted 2']);
  });
});

describe('a market that has left trading', () => {
  it('keeps its last quotes', () => {
    const harness = new Harness();
    const account = harness.account();
    harness.market();
    harness.buy(account, 'YES', 4000, 1);
    harness.buy(account, 'NO', 5000, 1);
    const quotes = harness.view.quotes(0);
    expect(quotes).toMatchObject({ reference: 4500, yes: 5500, no: 6500 });
    harness.send('closeEarly', { market: 0 });
    expect(harness.view.openOrderCount).toBe(0);
    expect(harness.view.quotes(0)).toMatchObject({ reference: 4500, yes: 5500, no: 6500 });
  });

  it.each([
    ['YES', { reference: 4500, yes: 10_000, no: 0, spreadBps: 0 }],
    ['NO', { reference: 4500, yes: 0, no: 10_000, spreadBps: 0 }],
  ] as const)('keeps its last quotes until it is final, then shows the payout of %s', (vote, paid) => {
    const harness = new Harness();
    const account = harness.account();
    harness.market();
    harness.buy(account, 'YES', 4000, 1);
    harness.buy(account, 'NO', 5000, 1);
    const last = harness.view.quotes(0);
    harness.send('closeEarly', { market: 0 });
    for (const model of ['a', 'b']) {
      const ballot = { id: model, model, vote, confidenceBps: undefined, rationale: '', sources: [] };
      harness.send('castVote', { market: 0, round: 1, vote: ballot });
    }
    expect([harness.view.market(0)?.status, harness.view.quotes(0)]).toEqual(['RESOLVED', last]);
    harness.time += 7_200_000;
    harness.send('tick');
    harness.confirm(0);
    expect([harness.view.market(0)?.status, harness.view.quotes(0)]).toEqual([`RESOLVED_${vote}`, paid]);
  });

  it('keeps its last quotes when it is void', () => {
    const harness = new Harness();
    harness.account();
    harness.market();
    const last = harness.view.quotes(0);
    harness.send('voidMarket', { market: 0 });
    expect([harness.view.market(0)?.status, harness.view.quotes(0)]).toEqual(['CANCELLED', last]);
  });
});
