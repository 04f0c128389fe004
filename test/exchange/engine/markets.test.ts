import { describe, expect, it } from 'vitest';
import { SHARE, Stage, story } from './stage.ts';

/** A market that waits for its contract, with a first order in it. */
function waiting(overrides: Parameters<Stage['terms']>[0] = {}) {
  const stage = new Stage();
  const creator = stage.account(100);
  const other = stage.account(100);
  const market = stage.deploying({ initialOrder: stage.terms({ price: 4000, ...overrides }) });
  return { stage, creator, other, market };
}

describe('the initial order of a market', () => {
  it('has its number and reserve from creation and enters the book first when the market opens', () => {
    const { stage, creator, other, market } = waiting();
    expect(stage.view.account(creator)).toMatchObject({ available: 96_000_000, reserved: 4_000_000 });
    expect(stage.view.market(market)).toMatchObject({ status: 'PENDING_BLOCKCHAIN', initialOrder: 1 });
    expect(stage.view.openOrder(1)).toMatchObject({ remaining: 10 * SHARE, isShown: false });
    expect([stage.view.book(market)?.bestBid, stage.view.book(market)?.orderCountAt(4000)]).toEqual([0, 0]);
    expect(stage.view.quotes(market)).toMatchObject({ reference: 5000 });
    expect(story(stage.place(other, { market }))).toEqual(['refused 0 MARKET_NOT_OPEN marketId']);
    stage.confirm(market);
    expect(stage.view.book(market)?.bestBid).toBe(4000);
    expect(stage.view.market(market)?.bookSeq).toBe(stage.view.seq);
    stage.buy(other, 'YES', 4000, 5, { market });
    expect(stage.view.queueAhead(1)).toBe(0);
    expect(stage.view.queueAhead(2)).toBe(10 * SHARE);
  });

  it('is not visible in the book before the market opens', () => {
    const { stage, market } = waiting();
    const book = stage.view.book(market);
    const requests = [book?.bestBid, book?.bestAsk, book?.priceAbove(0), book?.priceBelow(10_000)];
    expect([...requests, book?.sharesAt(4000), book?.orderCountAt(4000)]).toEqual([0, 10_000, 10_000, 0, 0, 0]);
    expect([book?.tickBps, stage.view.book(9)]).toEqual([10, undefined]);
  });

  it('can be cancelled, reduced and expire before the market opens', () => {
    const cancelled = waiting();
    expect(story(cancelled.stage.send('cancel', { account: 1, orders: [1] }))).toEqual(['closed 1 USER 10']);
    const { bookSeq } = cancelled.stage.view.market(0) ?? {};
    cancelled.stage.confirm(0);
    expect(cancelled.stage.view.book(0)?.bestBid).toBe(0);
    // Nothing is in the book that was not before.
    expect(cancelled.stage.view.market(0)?.bookSeq).toBe(bookSeq);
    expect(cancelled.stage.view.seq).toBeGreaterThan(bookSeq ?? Number.POSITIVE_INFINITY);
    const reduced = waiting();
    expect(story(reduced.stage.send('reduce', { account: 1, order: 1, by: 4 * SHARE }))).toEqual(['reduced 1 to 6']);
    const expiring = waiting({ timeInForce: 'GTD', expiration: 1_700_000_001_000 });
    expiring.stage.time += 1000;
    expect(story(expiring.stage.send('tick'))).toEqual(['closed 1 EXPIRED 10']);
    expect(expiring.stage.view.account(1)).toMatchObject({ available: 100_000_000, reserved: 0 });
  });

  it('is closed with a market that never opens', () => {
    const { stage, creator, market } = waiting();
    stage.send('chainFailed', { market, step: 'DEPLOY', attempt: 1, permanent: true });
    expect(stage.view.market(market)?.status).toBe('CANCELLED');
    expect(stage.view.account(creator)).toMatchObject({ available: 100_000_000, reserved: 0 });
  });

  it.each([
    [{ side: 'SELL' }, 'INVALID_ORDER side'],
    [{ timeInForce: 'FAK' }, 'INVALID_ORDER timeInForce'],
    [{ price: 4001 }, 'INVALID_TICK priceBps'],
    [{ size: 300 }, 'INSUFFICIENT_BALANCE shares'],
    [{ size: 2501 }, 'ABOVE_MAX shares'],
    [{ replaces: 1 }, 'CONFLICT replaces'],
  ] as const)('is refused together with its market for %o: %s', (overrides, expected) => {
    const stage = new Stage();
    stage.account(100);
    const before = stage.hash();
    const members = { initialOrder: stage.terms({ price: 4000, ...overrides }) };
    expect(stage.deploying(members)).toBe(-1);
    expect(stage.hash()).toBe(before);
    const other = new Stage();
    other.account(100);
    const question = { id: '00000000-0000-4000-8000-000000000009', question: 'q', rules: 'r', categorySlug: 'c' };
    const rest = { topicSlugs: [], resolutionDate: other.time + 1000, ...members };
    expect(story(other.send('createMarket', { ...question, ...rest }))).toEqual([`refused 0 ${expected}`]);
  });

  it.each([0, 1000])('reserves the fee of its market, including the highest possible: %d bps', (feeRateBps) => {
    const made = (maxFeeBps: number) => {
      const stage = new Stage();
      stage.account(100);
      stage.deploying({ feeRateBps, initialOrder: stage.terms({ price: 4000, maxFeeBps }) });
      return stage.view.markets.length;
    };
    expect([made(feeRateBps), made(feeRateBps - 1)]).toEqual([1, 0]);
  });

  it.each([-1, 1001, 0.5])('is not checked when the market itself is invalid, with a fee of %d', (feeRateBps) => {
    const stage = new Stage();
    stage.account(100);
    const before = stage.hash();
    expect(stage.deploying({ feeRateBps, initialOrder: stage.terms({ price: 4000 }) })).toBe(-1);
    expect(stage.hash()).toBe(before);
  });

  it('is refused together with its market when its signed order was received before', () => {
    const stage = new Stage();
    stage.account(100);
    stage.market();
    stage.buy(1, 'YES', 4000, 5, { hash: '0xsigned' });
    const before = stage.hash();
    const id = '00000000-0000-4000-8000-000000000009';
    const made = {
      id,
      question: 'q',
      rules: 'r',
      categorySlug: 'c',
      topicSlugs: [],
      resolutionDate: stage.time + 1000,
    };
    const create = (hash: string) =>
      story(stage.send('createMarket', { ...made, initialOrder: stage.terms({ price: 4000, hash }) }));
    expect(create('0xsigned')).toEqual(['refused 0 CONFLICT initialOrder']);
    expect(stage.hash()).toBe(before);
    expect(create('0xother')).toContain('accepted 2');
  });

  it('needs no market in its terms: events carry the number that the market gets', () => {
    const stage = new Stage();
    stage.account(100);
    const members = { initialOrder: stage.terms({ price: 4000, market: 77 }) };
    stage.deploying(members);
    expect(stage.view.openOrder(1)?.market).toBe(0);
  });
});

describe('a market command', () => {
  it('is refused for unknown accounts and markets', () => {
    const stage = new Stage();
    stage.account();
    const made = {
      id: '00000000-0000-4000-8000-000000000009',
      question: 'q',
      rules: 'r',
      categorySlug: 'c',
      topicSlugs: [],
    };
    const created = { ...made, resolutionDate: stage.time + 1000, account: 9 };
    expect(story(stage.send('createMarket', created))).toEqual(['refused 0 NOT_FOUND account']);
    expect(story(stage.send('dispute', { account: 9, market: 0, reason: 'r' }))).toEqual([
      'refused 0 NOT_FOUND account',
    ]);
    for (const type of ['halt', 'voidMarket', 'closeEarly', 'retryResolution'] as const) {
      expect(story(stage.send(type, { market: 3 }))).toEqual(['refused 0 NOT_FOUND marketId']);
    }
  });

  it('changeTick cancels the book and starts a new one', () => {
    const stage = new Stage();
    const account = stage.account();
    stage.market();
    stage.buy(account, 'YES', 4010, 1);
    expect(story(stage.send('changeTick', { market: 0, tickBps: 100 }))).toContain('closed 1 TICK_CHANGED 1');
    expect(story(stage.place(account, { price: 4010 }))).toEqual(['refused 0 INVALID_TICK priceBps']);
    expect(story(stage.place(account, { price: 4100 }))).toEqual(['accepted 2']);
    expect(stage.view.openOrder(2)?.price).toBe(4100);
    expect(stage.view.market(0)?.bookEpoch).toBe(2);
  });

  it('changeTick starts a new book also when the book is empty', () => {
    const stage = new Stage();
    stage.account();
    stage.market();
    const before = stage.view.market(0)?.bookSeq;
    stage.send('changeTick', { market: 0, tickBps: 100 });
    expect(stage.view.market(0)?.bookSeq).toBe(stage.view.seq);
    expect(stage.view.seq).toBeGreaterThan(before ?? 0);
  });

  it('changeMinOrder applies to new BUY orders of its market only; resting orders stay', () => {
    const stage = new Stage();
    const account = stage.account();
    const [one, other] = [stage.market(), stage.market({ minOrderShares: 3_000_000 })];
    expect([one, other].map((market) => stage.view.market(market)?.minOrderShares)).toEqual([1_000_000, 3_000_000]);
    const rests = stage.buy(account, 'YES', 4000, 2);
    expect(stage.place(account, { market: other, price: 4000, size: 2 })).toEqual([
      {
        type: 'refused',
        entry: 0,
        refusal: { reason: 'BELOW_MIN', field: 'shares', limit: 3_000_000, value: 2_000_000, unit: 'MICRO_SHARES' },
      },
    ]);
    const change = { market: one, minOrderShares: 5_000_000 };
    const book = stage.view.market(one)?.bookSeq;
    expect(story(stage.send('changeMinOrder', change))).toEqual(['marketChanged']);
    expect(stage.view.market(one)?.bookSeq).toBe(book);
    expect(stage.view.openOrder(rests)?.remaining).toBe(2_000_000);
    expect(story(stage.place(account, { price: 4000, size: 4.99 }))).toEqual(['refused 0 BELOW_MIN shares']);
    expect(story(stage.place(account, { price: 4000, size: 5 }))).toEqual(['accepted 2']);
    stage.send('split', { account, market: one, shares: 1_000_000 });
    expect(story(stage.place(account, { side: 'SELL', price: 6000, size: 0.01 }))).toEqual(['accepted 3']);
  });

  it('changeMinOrder is refused when it changes nothing, is invalid, or the market is not open', () => {
    const stage = new Stage();
    stage.account();
    stage.market();
    const change = (minOrderShares: unknown, market = 0) =>
      story(stage.send('changeMinOrder', { market, minOrderShares: minOrderShares as never }));
    const before = stage.hash();
    expect(change(1_000_000)).toEqual(['refused 0 CONFLICT minOrderShares']);
    expect(change(-1)).toEqual(['refused 0 BELOW_MIN minOrderShares']);
    expect(change(1e15 + 1)).toEqual(['refused 0 ABOVE_MAX minOrderShares']);
    expect(change(Number.NaN)).toEqual(['refused 0 INVALID_ORDER minOrderShares']);
    expect(change(2, 7)).toEqual(['refused 0 NOT_FOUND marketId']);
    expect(stage.hash()).toBe(before);
    stage.send('closeEarly', { market: 0 });
    expect(change(2)).toEqual(['refused 0 MARKET_NOT_OPEN marketId']);
  });

  it('configure sets the smallest order of new markets', () => {
    const stage = new Stage();
    const account = stage.account();
    stage.market();
    stage.send('configure', { config: { minOrderShares: 9_000_000 } });
    const later = stage.market();
    expect(story(stage.place(account, { size: 1 }))).toEqual(['accepted 1']);
    expect(story(stage.place(account, { market: later, size: 8 }))).toEqual(['refused 0 BELOW_MIN shares']);
  });

  it('haltMarket cancels orders and refuses new ones until it resumes', () => {
    const stage = new Stage();
    const account = stage.account();
    stage.market();
    stage.buy(account, 'YES', 4000, 1);
    expect(story(stage.send('halt', { market: 0 }))).toContain('closed 1 MARKET_HALTED 1');
    expect(story(stage.place(account))).toEqual(['refused 0 MARKET_HALTED marketId']);
    stage.send('resume', { market: 0 });
    expect(story(stage.place(account))).toEqual(['accepted 2']);
  });

  it('leaves the last quotes of a closed market visible', () => {
    const stage = new Stage();
    const account = stage.account();
    stage.market();
    stage.buy(account, 'YES', 4000, 1);
    stage.buy(account, 'NO', 5000, 1);
    const quotes = stage.view.quotes(0);
    expect(quotes).toMatchObject({ reference: 4500, yes: 5500, no: 6500 });
    stage.send('closeEarly', { market: 0 });
    expect(stage.view.openOrderCount).toBe(0);
    expect(stage.view.quotes(0)).toMatchObject({ reference: 4500, yes: 5500, no: 6500 });
  });

  it.each([
    ['YES', { reference: 4500, yes: 10_000, no: 0, spreadBps: 0 }],
    ['NO', { reference: 4500, yes: 0, no: 10_000, spreadBps: 0 }],
  ] as const)('leaves the last quotes until the market is final, then the payout of %s', (vote, paid) => {
    const stage = new Stage();
    const account = stage.account();
    stage.market();
    stage.buy(account, 'YES', 4000, 1);
    stage.buy(account, 'NO', 5000, 1);
    const last = stage.view.quotes(0);
    stage.send('closeEarly', { market: 0 });
    for (const model of ['a', 'b']) {
      const said = { id: model, model, vote, confidenceBps: undefined, rationale: '', sources: [] };
      stage.send('castVote', { market: 0, round: 1, vote: said });
    }
    expect([stage.view.market(0)?.status, stage.view.quotes(0)]).toEqual(['RESOLVED', last]);
    stage.time += 7_200_000;
    stage.send('tick');
    stage.confirm(0);
    expect([stage.view.market(0)?.status, stage.view.quotes(0)]).toEqual([`RESOLVED_${vote}`, paid]);
  });

  it('leaves the last quotes of a void market for good', () => {
    const stage = new Stage();
    stage.account();
    stage.market();
    const last = stage.view.quotes(0);
    stage.send('voidMarket', { market: 0 });
    expect([stage.view.market(0)?.status, stage.view.quotes(0)]).toEqual(['CANCELLED', last]);
  });
});
