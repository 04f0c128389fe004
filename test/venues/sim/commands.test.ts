import { describe, expect, it } from 'vitest';
import { column, counted, epochMs, microShares, microUsd, type PriceBps, SHARE } from '../../../src/domain/index.ts';
import { takerFees } from '../../../src/venues/sim/index.ts';
import { Harness, type HarnessOptions } from './harness.ts';

const M = counted.market(0);

function harness(options: HarnessOptions = {}): Harness {
  const played = new Harness(options);
  played.message('bid 5800 100', 'ask 6200 100');
  return played;
}

function shares(amount: number) {
  return microShares(Math.round(amount * SHARE));
}

describe('a new order is refused', () => {
  it.each([
    ['unknown market', 'NOT_FOUND', 'bid 10 @ 5800', { market: counted.market(7) }],
    ['off the grid', 'INVALID_TICK', 'bid 10 @ 5805', {}],
    ['off the lots', 'INVALID_LOT', 'bid 10.001 @ 5800', {}],
    ['for nothing', 'INVALID_LOT', 'bid 0 @ 5800', {}],
    ['expiring in the past', 'EXPIRED_PARAMS', 'bid 10 @ 5800', { timeInForce: 'GTD', expiration: epochMs(1_020) }],
    ['expiring without a date', 'INVALID_ORDER', 'bid 10 @ 5800', { timeInForce: 'GTD' }],
    ['with a date it has no use for', 'INVALID_ORDER', 'bid 10 @ 5800', { expiration: epochMs(9_000) }],
    ['post-only that cannot rest', 'INVALID_ORDER', 'bid 10 @ 5800', { timeInForce: 'FAK', postOnly: true }],
    ['below a share', 'BELOW_MIN', 'bid 0.99 @ 5800', {}],
    ['below ten cents', 'BELOW_MIN', 'ask 50 @ 9990', {}],
    ['above the largest bet', 'ABOVE_MAX', 'bid 101 @ 5000', {}],
    ['above the cash', 'INSUFFICIENT_BALANCE', 'bid 99 @ 5000', {}],
    ['above the shares held', 'INSUFFICIENT_SHARES', 'sell yes 1 @ 6200', {}],
    ['post-only that would take', 'POST_ONLY_WOULD_CROSS', 'bid 10 @ 6200', {}],
    ['post-only that would take as a seller', 'POST_ONLY_WOULD_CROSS', 'ask 10 @ 5800', {}],
    ['fill-or-kill that cannot be filled', 'FOK_NOT_FILLABLE', 'bid 10 @ 6190', { timeInForce: 'FOK' }],
  ] as const)('%s: %s', (_what, reason, text, options) => {
    const played = harness({ capital: 45, limits: { maxBet: microUsd(50_000_000) } });
    played.place(text, options);
    expect(played.news()).toEqual([`#1 rejected ${reason}`]);
  });

  it('for the first reason in the order of the venue', () => {
    const played = harness({ capital: 1 });
    played.message('halt');
    const bad = { timeInForce: 'FOK', postOnly: true } as const;
    played.place('bid 10.001 @ 5805', bad);
    played.message('open');
    played.place('bid 10.001 @ 5805', bad);
    played.place('bid 10.001 @ 5805', { timeInForce: 'FOK' });
    played.place('bid 10.001 @ 5800', { timeInForce: 'FOK' });
    played.place('bid 10 @ 5800', { timeInForce: 'FOK' });
    played.place('bid 1 @ 5800', { timeInForce: 'FOK' });
    expect(played.news()).toEqual([
      '#1 rejected MARKET_HALTED',
      '#2 rejected INVALID_ORDER',
      '#3 rejected INVALID_TICK',
      '#4 rejected INVALID_LOT',
      '#5 rejected INSUFFICIENT_BALANCE',
      '#6 rejected FOK_NOT_FILLABLE',
    ]);
  });

  it('when its number was used before, whatever became of it', () => {
    const played = harness();
    const order = played.order('bid 10 @ 5800');
    played.command(order);
    played.command(order);
    played.command({ type: 'cancel', order: order.order, market: M });
    played.command(order);
    expect(played.news()).toEqual(['#1 accepted', '#1 rejected CONFLICT', '#1 closed USER', '#1 rejected CONFLICT']);
  });

  it('when it would cross an order of its own account', () => {
    const played = harness();
    played.place('ask 10 @ 6000');
    played.place('bid 10 @ 6000');
    expect(played.news()).toEqual(['#1 accepted', '#2 rejected POST_ONLY_WOULD_CROSS']);
  });

  it('beyond the largest exposure, pairs not counted; selling never is', () => {
    const played = harness({ limits: { maxExposure: microUsd(96_000_000) } });
    played.place('bid 100 @ 5800');
    played.place('ask 100 @ 6200');
    played.place('bid 1 @ 5800');
    expect(played.news()).toEqual(['#1 accepted', '#2 accepted', '#3 rejected EXPOSURE_LIMIT']);
    played.message('sell 100 @ 5790', 'buy 100 @ 6210');
    played.place('sell yes 100 @ 6200');
    // 96 paid less 100 pairs: nothing exposed, so 96 may be bought again.
    played.place('bid 165 @ 5810');
    played.place('bid 1 @ 5810');
    expect(played.news().slice(-3)).toEqual(['#4 accepted', '#5 accepted', '#6 rejected EXPOSURE_LIMIT']);
  });

  it('when it was sent before the last cancelAll, or held back while the market stopped', () => {
    const played = harness();
    played.command(played.order('bid 10 @ 5800'), { stale: true, interrupted: false });
    played.command(played.order('bid 10 @ 5800'), { stale: false, interrupted: true });
    expect(played.news()).toEqual(['#1 rejected STALE_EPOCH', '#2 rejected MARKET_HALTED']);
  });
});

describe('reserves (docs/spec/venue.md#reserves)', () => {
  it('are the cost of the limit for a BUY and the shares for a SELL', () => {
    const played = harness({ capital: 96 });
    played.place('bid 100 @ 5800');
    played.place('ask 100 @ 6200');
    played.place('bid 1 @ 5800');
    expect(played.news()).toEqual(['#1 accepted', '#2 accepted', '#3 rejected INSUFFICIENT_BALANCE']);
    played.message('sell 60 @ 5790');
    played.place('sell yes 50 @ 6300');
    played.place('sell yes 10.01 @ 6300');
    played.place('sell yes 10 @ 6300');
    expect(played.news().slice(-3)).toEqual(['#4 accepted', '#5 rejected INSUFFICIENT_SHARES', '#6 accepted']);
  });

  it('are released when an order is cancelled, reduced or fills better than its limit', () => {
    const played = harness({ capital: 62 });
    const order = played.place('bid 100 @ 5800');
    played.command({ type: 'reduce', order, market: M, by: shares(50) });
    played.command({ type: 'cancel', order, market: M });
    played.place('bid 100 @ 6200', { timeInForce: 'FAK' });
    expect(played.news()).toEqual([
      '#1 accepted',
      '#1 reduced to 50',
      '#1 closed USER',
      '#2 accepted',
      '#2 filled 100 @ 6200',
    ]);
    expect(played.engine.ledger.cash).toBe(0);
  });

  it('include the fee of an order that may take', () => {
    const fees = takerFees(200);
    const costs = 62_000_000 + 471_200;
    const poor = harness({ fees, capital: (costs - 1) / 1e6 });
    poor.place('bid 100 @ 6200', { timeInForce: 'FAK' });
    const rich = harness({ fees, capital: costs / 1e6 });
    rich.place('bid 100 @ 6200', { timeInForce: 'FAK' });
    expect(poor.news()).toEqual(['#1 rejected INSUFFICIENT_BALANCE']);
    expect(rich.news()[1]).toBe('#1 filled 100 @ 6200');
    expect(rich.engine.ledger.cash).toBe(0);
  });

  it('of an order that only rests include no fee', () => {
    const played = harness({ fees: takerFees(200), capital: 58 });
    played.place('bid 100 @ 5800');
    expect(played.news()).toEqual(['#1 accepted']);
  });
});

describe('cancel and reduce', () => {
  it('distinguish finished orders from unknown ones', () => {
    const played = harness();
    const order = played.place('bid 10 @ 5800');
    for (let twice = 0; twice < 2; twice += 1) played.command({ type: 'cancel', order, market: M });
    played.command({ type: 'cancel', order: counted.order(99), market: M });
    played.command({ type: 'reduce', order, market: M, by: shares(1) });
    expect(played.news()).toEqual([
      '#1 accepted',
      '#1 closed USER',
      '#1 cancelrejected ALREADY_FINAL',
      '#99 cancelrejected NOT_FOUND',
      '#1 cancelrejected ALREADY_FINAL',
    ]);
  });

  it('keep the queue position of a reduced order and of all others', () => {
    const played = harness();
    const first = played.place('bid 50 @ 5800');
    const second = played.place('bid 50 @ 5800');
    played.message('sell 40 @ 5800');
    played.command({ type: 'reduce', order: first, market: M, by: shares(45) });
    expect([played.front(first), played.front(second)]).toEqual([60, 60]);
    played.message('sell 70 @ 5800');
    expect(played.fills()).toEqual(['#1 5 @ 5800 queue', '#2 5 @ 5800 queue']);
  });

  it('close an order that is reduced by its whole rest', () => {
    const played = harness();
    const order = played.place('bid 50 @ 5800');
    played.command({ type: 'reduce', order, market: M, by: column.shares(5_000) });
    played.command({ type: 'reduce', order, market: M, by: shares(50) });
    expect(played.news()).toEqual(['#1 accepted', '#1 cancelrejected INVALID_LOT', '#1 closed USER']);
  });
});

describe('cancelAll', () => {
  it('closes everything in all markets in order of arrival', () => {
    const played = harness({ markets: 2 });
    played.place('ask 10 @ 6200');
    played.place('bid 10 @ 5700', { market: counted.market(1) });
    played.place('bid 10 @ 5800');
    played.command({ type: 'cancelAll' });
    expect(played.news().slice(3)).toEqual(['#1 closed USER', '#2 closed USER', '#3 closed USER']);
    expect(played.engine.epoch).toBe(1);
  });
});

describe('replace', () => {
  const cancelling = (order: number, remaining: number) => ({
    order: counted.order(order),
    remaining: shares(remaining),
  });

  it('moves quotes in one step and reports it as one', () => {
    const played = harness({ capital: 96 });
    played.place('bid 100 @ 5800');
    played.place('ask 100 @ 6200');
    played.command({
      type: 'replace',
      market: M,
      cancels: [cancelling(1, 100), cancelling(2, 100)],
      places: [played.order('bid 100 @ 5790'), played.order('ask 100 @ 6190')],
    });
    expect(played.news().slice(2)).toEqual(['#1,#2 replaced by #3,#4']);
  });

  it.each([
    [
      'an order that has filled in part',
      49,
      'bid 10 @ 5790',
      ['#1 cancelrejected CONFLICT', '#2 cancelrejected CONFLICT', '#3 rejected CONFLICT'],
    ],
    [
      'a place that would cross',
      50,
      'bid 10 @ 6200',
      ['#1 cancelrejected CONFLICT', '#2 cancelrejected CONFLICT', '#3 rejected POST_ONLY_WOULD_CROSS'],
    ],
    [
      'a place that cannot be paid',
      50,
      'bid 100 @ 6190',
      ['#1 cancelrejected CONFLICT', '#2 cancelrejected CONFLICT', '#3 rejected INSUFFICIENT_BALANCE'],
    ],
  ])('does nothing at all because of %s', (_why, believed, text, news) => {
    const played = harness({ capital: 58 });
    played.place('bid 50 @ 5800');
    played.place('bid 50 @ 5800');
    const fronts = [played.front(1), played.front(2)];
    played.news();
    played.command({
      type: 'replace',
      market: M,
      cancels: [cancelling(1, believed), cancelling(2, 50)],
      places: [played.order(text)],
    });
    expect(played.news()).toEqual(news);
    expect([played.front(1), played.front(2)]).toEqual(fronts);
    played.message('sell 110 @ 5800');
    expect(played.fills()).toEqual(['#1 10 @ 5800 queue']);
    played.place('bid 1 @ 5800');
    expect(played.news().at(-1)).toBe('#4 rejected INSUFFICIENT_BALANCE');
  });

  it('is refused for an order that is not open any more, or named twice', () => {
    const played = harness();
    played.place('bid 10 @ 5800');
    played.place('bid 10 @ 5800');
    played.command({ type: 'cancel', order: counted.order(1), market: M });
    played.news();
    const places = [played.order('bid 10 @ 5790')];
    played.command({ type: 'replace', market: M, cancels: [cancelling(1, 10), cancelling(2, 10)], places });
    played.command({ type: 'replace', market: M, cancels: [cancelling(2, 10), cancelling(2, 10)], places });
    played.command({ type: 'replace', market: M, cancels: [cancelling(9, 10)], places });
    expect(played.news()).toEqual([
      '#1 cancelrejected ALREADY_FINAL',
      '#2 cancelrejected CONFLICT',
      '#3 rejected CONFLICT',
      '#2 cancelrejected CONFLICT',
      '#2 cancelrejected CONFLICT',
      '#3 rejected CONFLICT',
      '#9 cancelrejected NOT_FOUND',
      '#3 rejected CONFLICT',
    ]);
  });

  it('checks each new order with the earlier ones at rest', () => {
    const played = harness({ capital: 58 });
    const places = [played.order('bid 50 @ 5800'), played.order('bid 50 @ 5800'), played.order('bid 1 @ 1000')];
    played.command({ type: 'replace', market: M, cancels: [], places });
    const crossing = [played.order('bid 5 @ 6000'), played.order('ask 5 @ 6000')];
    played.command({ type: 'replace', market: M, cancels: [], places: crossing });
    expect(played.news()).toEqual([
      '#1 rejected CONFLICT',
      '#2 rejected CONFLICT',
      '#3 rejected INSUFFICIENT_BALANCE',
      '#4 rejected CONFLICT',
      '#5 rejected POST_ONLY_WOULD_CROSS',
    ]);
  });

  it('cancels only open orders of its own market', () => {
    const played = harness({ markets: 2 });
    for (const options of [{ timeInForce: 'FAK' }, { market: counted.market(1) }] as const) {
      played.command({ type: 'replace', market: M, cancels: [], places: [played.order('bid 10 @ 5800', options)] });
    }
    expect(played.news()).toEqual(['#1 rejected INVALID_ORDER', '#2 rejected CONFLICT']);
  });

  it('lets a taking order meet neither the cancelled orders nor the later new ones', () => {
    const played = harness();
    played.place('ask 10 @ 6190');
    played.news();
    const places = [played.order('bid 120 @ 6200', { postOnly: false }), played.order('ask 10 @ 6210')];
    played.command({ type: 'replace', market: M, cancels: [cancelling(1, 10)], places });
    expect(played.news()).toEqual(['#1 replaced by #2,#3', '#2 filled 100 @ 6200']);
  });
});

describe('an order good till a date', () => {
  it('ends at that time, and no sooner', () => {
    const played = harness();
    played.place('bid 10 @ 5800', { timeInForce: 'GTD', expiration: epochMs(2_000) });
    played.place('bid 10 @ 5800', { timeInForce: 'GTD', expiration: epochMs(1_500) });
    expect(played.engine.nextDeadline).toBe(1_500);
    played.engine.reachDeadline(1_500);
    expect(played.engine.nextDeadline).toBe(2_000);
    played.command({ type: 'cancel', order: counted.order(1), market: M });
    played.engine.reachDeadline(2_000);
    expect(played.engine.nextDeadline).toBe(Number.POSITIVE_INFINITY);
    expect(played.news()).toEqual(['#1 accepted', '#2 accepted', '#2 closed EXPIRED', '#1 closed USER']);
  });
});

describe('prices on a list grid', () => {
  it('are those of the side: a bid between the recorded prices would jump every queue (docs/spec/models.md#price-grid)', () => {
    const prices = (...list: number[]): PriceBps[] => list.map(column.price);
    const played = new Harness({ grid: { type: 'list', bids: prices(5_800, 5_882), asks: prices(5_883, 5_952) } });
    for (const text of ['bid 10 @ 5882', 'bid 10 @ 5883', 'ask 10 @ 5883', 'ask 10 @ 5882']) played.place(text);
    expect(played.news()).toEqual([
      '#1 accepted',
      '#2 rejected INVALID_TICK',
      '#3 accepted',
      '#4 rejected INVALID_TICK',
    ]);
  });
});
