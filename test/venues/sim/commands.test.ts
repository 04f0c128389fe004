import { describe, expect, it } from 'vitest';
import { epochMs, microShares, microUsd, type PriceBps, SHARE, unchecked } from '../../../src/domain/index.ts';
import { takerFees } from '../../../src/venues/sim/fees.ts';
import { Harness, harnessWithBook } from './harness.ts';

const MARKET = unchecked.market(0);

function shares(amount: number) {
  return microShares(Math.round(amount * SHARE));
}

describe('a new order is refused', () => {
  it.each([
    ['its market is unknown', 'NOT_FOUND', 'bid 10 @ 5800', { market: unchecked.market(7) }],
    ['its price is off the grid', 'INVALID_TICK', 'bid 10 @ 5805', {}],
    ['its size is not whole lots', 'INVALID_LOT', 'bid 10.001 @ 5800', {}],
    ['its size is zero', 'INVALID_LOT', 'bid 0 @ 5800', {}],
    ['it expires in the past', 'EXPIRED_PARAMS', 'bid 10 @ 5800', { timeInForce: 'GTD', expiration: epochMs(1_020) }],
    ['it is GTD without an expiration', 'INVALID_ORDER', 'bid 10 @ 5800', { timeInForce: 'GTD' }],
    ['it has an expiration but is not GTD', 'INVALID_ORDER', 'bid 10 @ 5800', { expiration: epochMs(9_000) }],
    ['it is post-only and FAK', 'INVALID_ORDER', 'bid 10 @ 5800', { timeInForce: 'FAK', postOnly: true }],
    ['its size is below one share', 'BELOW_MIN', 'bid 0.99 @ 5800', {}],
    ['its cost is below ten cents', 'BELOW_MIN', 'ask 50 @ 9990', {}],
    ['its cost is above the maximum bet', 'ABOVE_MAX', 'bid 101 @ 5000', {}],
    ['its cost is above the cash', 'INSUFFICIENT_BALANCE', 'bid 99 @ 5000', {}],
    ['it sells more shares than are held', 'INSUFFICIENT_SHARES', 'sell yes 1 @ 6200', {}],
    ['it is a post-only bid that would cross', 'POST_ONLY_WOULD_CROSS', 'bid 10 @ 6200', {}],
    ['it is a post-only ask that would cross', 'POST_ONLY_WOULD_CROSS', 'ask 10 @ 5800', {}],
    ['it is FOK and cannot be filled completely', 'FOK_NOT_FILLABLE', 'bid 10 @ 6190', { timeInForce: 'FOK' }],
  ] as const)('when %s: %s', (_case, reason, text, options) => {
    const sim = harnessWithBook({ capital: 45, limits: { maxBet: microUsd(50_000_000) } });
    sim.place(text, options);
    expect(sim.events()).toEqual([`#1 rejected ${reason}`]);
  });

  it('for the first failed check, in the order of the venue', () => {
    const sim = harnessWithBook({ capital: 1 });
    sim.message('halt');
    const invalid = { timeInForce: 'FOK', postOnly: true } as const;
    sim.place('bid 10.001 @ 5805', invalid);
    sim.message('open');
    sim.place('bid 10.001 @ 5805', invalid);
    sim.place('bid 10.001 @ 5805', { timeInForce: 'FOK' });
    sim.place('bid 10.001 @ 5800', { timeInForce: 'FOK' });
    sim.place('bid 10 @ 5800', { timeInForce: 'FOK' });
    sim.place('bid 1 @ 5800', { timeInForce: 'FOK' });
    expect(sim.events()).toEqual([
      '#1 rejected MARKET_HALTED',
      '#2 rejected INVALID_ORDER',
      '#3 rejected INVALID_TICK',
      '#4 rejected INVALID_LOT',
      '#5 rejected INSUFFICIENT_BALANCE',
      '#6 rejected FOK_NOT_FILLABLE',
    ]);
  });

  it('when its order number was used before, even by a finished order', () => {
    const sim = harnessWithBook();
    const order = sim.order('bid 10 @ 5800');
    sim.command(order);
    sim.command(order);
    sim.command({ type: 'cancel', order: order.order, market: MARKET });
    sim.command(order);
    expect(sim.events()).toEqual(['#1 accepted', '#1 rejected CONFLICT', '#1 closed USER', '#1 rejected CONFLICT']);
  });

  it('when it would cross an order of its own account', () => {
    const sim = harnessWithBook();
    sim.place('ask 10 @ 6000');
    sim.place('bid 10 @ 6000');
    expect(sim.events()).toEqual(['#1 accepted', '#2 rejected POST_ONLY_WOULD_CROSS']);
  });

  it('when a purchase exceeds the maximum exposure, which excludes pairs', () => {
    const sim = harnessWithBook({ limits: { maxExposure: microUsd(96_000_000) } });
    sim.place('bid 100 @ 5800');
    sim.place('ask 100 @ 6200');
    sim.place('bid 1 @ 5800');
    expect(sim.events()).toEqual(['#1 accepted', '#2 accepted', '#3 rejected EXPOSURE_LIMIT']);
    sim.message('sell 100 @ 5790', 'buy 100 @ 6210');
    sim.place('sell yes 100 @ 6200');
    // The account paid $96 and holds pairs worth $100, so its exposure is 0 and it may buy for $96 again.
    sim.place('bid 165 @ 5810');
    sim.place('bid 1 @ 5810');
    expect(sim.events().slice(-3)).toEqual(['#4 accepted', '#5 accepted', '#6 rejected EXPOSURE_LIMIT']);
  });

  it('when it was sent before the last cancelAll, or was delayed while trading stopped', () => {
    const sim = harnessWithBook();
    sim.command(sim.order('bid 10 @ 5800'), { stale: true, interrupted: false });
    sim.command(sim.order('bid 10 @ 5800'), { stale: false, interrupted: true });
    expect(sim.events()).toEqual(['#1 rejected STALE_EPOCH', '#2 rejected MARKET_HALTED']);
  });
});

describe('reserves (docs/spec/venue.md#reserves)', () => {
  it('are the cost at the limit price for a BUY and the shares for a SELL', () => {
    const sim = harnessWithBook({ capital: 96 });
    sim.place('bid 100 @ 5800');
    sim.place('ask 100 @ 6200');
    sim.place('bid 1 @ 5800');
    expect(sim.events()).toEqual(['#1 accepted', '#2 accepted', '#3 rejected INSUFFICIENT_BALANCE']);
    sim.message('sell 60 @ 5790');
    sim.place('sell yes 50 @ 6300');
    sim.place('sell yes 10.01 @ 6300');
    sim.place('sell yes 10 @ 6300');
    expect(sim.events().slice(-3)).toEqual(['#4 accepted', '#5 rejected INSUFFICIENT_SHARES', '#6 accepted']);
  });

  it('are released when an order is cancelled, reduced or fills better than its limit', () => {
    const sim = harnessWithBook({ capital: 62 });
    const order = sim.place('bid 100 @ 5800');
    sim.command({ type: 'reduce', order, market: MARKET, by: shares(50) });
    sim.command({ type: 'cancel', order, market: MARKET });
    sim.place('bid 100 @ 6200', { timeInForce: 'FAK' });
    expect(sim.events()).toEqual([
      '#1 accepted',
      '#1 reduced to 50',
      '#1 closed USER',
      '#2 accepted',
      '#2 filled 100 @ 6200',
    ]);
    expect(sim.engine.ledger.cash).toBe(0);
  });

  it('include the fee of an order that may take liquidity', () => {
    const fees = takerFees(200);
    const costs = 62_000_000 + 471_200;
    const poor = harnessWithBook({ fees, capital: (costs - 1) / 1e6 });
    poor.place('bid 100 @ 6200', { timeInForce: 'FAK' });
    const rich = harnessWithBook({ fees, capital: costs / 1e6 });
    rich.place('bid 100 @ 6200', { timeInForce: 'FAK' });
    expect(poor.events()).toEqual(['#1 rejected INSUFFICIENT_BALANCE']);
    expect(rich.events()[1]).toBe('#1 filled 100 @ 6200');
    expect(rich.engine.ledger.cash).toBe(0);
  });

  it('include no fee for a post-only order', () => {
    const sim = harnessWithBook({ fees: takerFees(200), capital: 58 });
    sim.place('bid 100 @ 5800');
    expect(sim.events()).toEqual(['#1 accepted']);
  });
});

describe('cancel and reduce', () => {
  it('distinguish finished orders from unknown ones', () => {
    const sim = harnessWithBook();
    const order = sim.place('bid 10 @ 5800');
    for (let twice = 0; twice < 2; twice += 1) sim.command({ type: 'cancel', order, market: MARKET });
    sim.command({ type: 'cancel', order: unchecked.order(99), market: MARKET });
    sim.command({ type: 'reduce', order, market: MARKET, by: shares(1) });
    expect(sim.events()).toEqual([
      '#1 accepted',
      '#1 closed USER',
      '#1 cancelrejected ALREADY_FINAL',
      '#99 cancelrejected NOT_FOUND',
      '#1 cancelrejected ALREADY_FINAL',
    ]);
  });

  it('keep the queue position of a reduced order and of all others', () => {
    const sim = harnessWithBook();
    const first = sim.place('bid 50 @ 5800');
    const second = sim.place('bid 50 @ 5800');
    sim.message('sell 40 @ 5800');
    sim.command({ type: 'reduce', order: first, market: MARKET, by: shares(45) });
    expect([sim.front(first), sim.front(second)]).toEqual([60, 60]);
    sim.message('sell 70 @ 5800');
    expect(sim.fills()).toEqual(['#1 5 @ 5800 queue', '#2 5 @ 5800 queue']);
  });

  it('close an order that is reduced by all of its remaining shares', () => {
    const sim = harnessWithBook();
    const order = sim.place('bid 50 @ 5800');
    sim.command({ type: 'reduce', order, market: MARKET, by: unchecked.shares(5_000) });
    sim.command({ type: 'reduce', order, market: MARKET, by: shares(50) });
    expect(sim.events()).toEqual(['#1 accepted', '#1 cancelrejected INVALID_LOT', '#1 closed USER']);
  });
});

describe('cancelAll', () => {
  it('closes every order in all markets, in order of arrival', () => {
    const sim = harnessWithBook({ markets: 2 });
    sim.place('ask 10 @ 6200');
    sim.place('bid 10 @ 5700', { market: unchecked.market(1) });
    sim.place('bid 10 @ 5800');
    sim.command({ type: 'cancelAll' });
    expect(sim.events().slice(3)).toEqual(['#1 closed USER', '#2 closed USER', '#3 closed USER']);
    expect(sim.engine.epoch).toBe(1);
  });
});

describe('an order good till a date', () => {
  it('expires at that time and no sooner', () => {
    const sim = harnessWithBook();
    sim.place('bid 10 @ 5800', { timeInForce: 'GTD', expiration: epochMs(2_000) });
    sim.place('bid 10 @ 5800', { timeInForce: 'GTD', expiration: epochMs(1_500) });
    expect(sim.engine.nextDeadline).toBe(1_500);
    sim.engine.processDeadline(1_500);
    expect(sim.engine.nextDeadline).toBe(2_000);
    sim.command({ type: 'cancel', order: unchecked.order(1), market: MARKET });
    sim.engine.processDeadline(2_000);
    expect(sim.engine.nextDeadline).toBe(Number.POSITIVE_INFINITY);
    expect(sim.events()).toEqual(['#1 accepted', '#2 accepted', '#2 closed EXPIRED', '#1 closed USER']);
  });
});

describe('prices on a list grid', () => {
  it('differ by side, because a bid between recorded prices would jump every queue (docs/spec/models.md#price-grid)', () => {
    const prices = (...list: number[]): PriceBps[] => list.map(unchecked.price);
    const sim = new Harness({ grid: { type: 'list', bids: prices(5_800, 5_882), asks: prices(5_883, 5_952) } });
    for (const text of ['bid 10 @ 5882', 'bid 10 @ 5883', 'ask 10 @ 5883', 'ask 10 @ 5882']) sim.place(text);
    expect(sim.events()).toEqual([
      '#1 accepted',
      '#2 rejected INVALID_TICK',
      '#3 accepted',
      '#4 rejected INVALID_TICK',
    ]);
  });
});
