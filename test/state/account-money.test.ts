import { describe, expect, it } from 'vitest';
import { epochMs, unchecked } from '../../src/domain/index.ts';
import { AccountState } from '../../src/state/index.ts';
import { about, account, applyMessages, BOT, filled, place, shares, usd } from './world.ts';

const MARKET = unchecked.market(0);

describe('the money of an account', () => {
  it('values a net long position at the bid, a net short one at the ask, and pairs at one dollar', () => {
    const state = account();
    applyMessages(state, '1000 | bid 5000 10 | ask 5200 5');
    state.apply(filled({ order: 1, price: 5_100, size: 100 }));
    expect([state.cash, state.exitEquity]).toEqual([usd(949), usd(999)]);
    state.apply(filled({ order: 2, outcome: 'NO', price: 4_700, size: 160 }));
    // 100 pairs, 60 NO at 10000 - 5200.
    expect([state.cash, state.exitEquity]).toEqual([usd(873.8), usd(873.8 + 100 + 60 * 0.48)]);
    applyMessages(state, '1001 | ask 5200 0');
    expect(state.exitEquity).toBe(usd(873.8 + 100));
    applyMessages(state, '1002 | bid 5000 0 | ask 9990 1');
    expect(state.exitEquity).toBe(usd(873.8 + 100 + 60 * 0.001));
  });

  it('values a final market at its payout, and a claim changes no value', () => {
    const state = account();
    applyMessages(state, '1000 | bid 5000 10 | ask 5200 5');
    state.apply(filled({ order: 1, price: 5_100, size: 100 }));
    applyMessages(state, '1001 | status PENDING_RESOLUTION | clear');
    expect(state.exitEquity).toBe(usd(999));
    applyMessages(state, '1002 | resolution 10000');
    expect([state.exitEquity, state.isClaimable(MARKET)]).toEqual([usd(1_049), true]);
    state.applyCommand({ type: 'claim', bot: BOT, market: MARKET, shares: unchecked.shares(0) }, epochMs(1_003));
    expect([state.isClaiming(MARKET), state.isClaimable(MARKET)]).toEqual([true, false]);
    const { time, venueTime } = about(1);
    const claim = { type: 'converted', conversion: 'claim', bot: BOT, market: MARKET, shares: shares(0) } as const;
    state.apply({ ...claim, time, venueTime, paid: usd(98), fee: usd(2) });
    expect([state.cash, state.exitEquity, state.market(MARKET).position.fees]).toEqual([
      usd(1_047),
      usd(1_047),
      usd(2),
    ]);
    expect([state.isClaiming(MARKET), state.isClaimable(MARKET), state.unexplainedEvents]).toEqual([false, false, 0]);
    state.apply({ ...claim, time, venueTime, paid: usd(98), fee: usd(2) });
    expect([state.cash, state.unexplainedEvents]).toEqual([usd(1_047), 1]);
  });

  it('books a refund of a cancelled market once, with the venue’s amount', () => {
    const state = account();
    state.apply(filled({ order: 1, price: 5_100, size: 100 }));
    applyMessages(state, '1002 | resolution CANCELLED');
    expect(state.isClaimable(MARKET)).toBe(true);
    const { time, venueTime } = about(1);
    const claim = { type: 'converted', conversion: 'claim', bot: BOT, market: MARKET, shares: shares(0) } as const;
    for (let again = 0; again < 2; again += 1) state.apply({ ...claim, time, venueTime, paid: usd(50), fee: usd(0) });
    expect([state.cash, state.exitEquity, state.unexplainedEvents]).toEqual([usd(999), usd(999), 1]);
  });

  it('books a merge and a sale that preceded a market’s cancellation and are reported after it', () => {
    const state = account();
    state.apply(filled({ order: 1, price: 5_000, size: 10 }));
    state.apply(filled({ order: 2, outcome: 'NO', price: 5_000, size: 4 }));
    applyMessages(state, '1002 | resolution CANCELLED');
    const { time, venueTime } = about(1);
    const merge = { type: 'converted', conversion: 'merge', bot: BOT, market: MARKET, shares: shares(4) } as const;
    state.apply({ ...merge, time, venueTime, paid: usd(4), fee: usd(0) });
    state.apply(filled({ order: 3, side: 'SELL', price: 5_000, size: 5 }));
    expect([state.cash, state.exitEquity, state.unexplainedEvents]).toEqual([usd(999.5), usd(1_000), 0]);
    state.apply({ ...merge, time, venueTime, paid: usd(4), fee: usd(0) });
    state.apply(filled({ order: 4, side: 'SELL', price: 5_000, size: 2 }));
    expect([state.cash, state.unexplainedEvents]).toEqual([usd(999.5), 2]);
  });

  it('excludes the pairs of unanswered merges from the shares that can be sold', () => {
    const state = account();
    const view = state.market(MARKET);
    const { time: splitTime, venueTime: splitVenueTime } = about(1);
    const event = {
      type: 'converted',
      conversion: 'split',
      bot: BOT,
      market: MARKET,
      time: splitTime,
      venueTime: splitVenueTime,
    } as const;
    state.apply({ ...event, shares: shares(10), paid: usd(-10), fee: usd(0) });
    state.applyCommand({ type: 'merge', bot: BOT, market: MARKET, shares: shares(4) }, epochMs(1_000));
    state.applyCommand({ type: 'merge', bot: BOT, market: MARKET, shares: shares(2) }, epochMs(1_000));
    expect([view.sellable('YES'), view.sellable('NO')]).toEqual([shares(4), shares(4)]);
    const { time, venueTime } = about(1);
    const answer = { conversion: 'merge', bot: BOT, market: MARKET, time, venueTime } as const;
    state.apply({ ...answer, type: 'converted', shares: shares(4), paid: usd(4), fee: usd(0) });
    expect(view.sellable('YES')).toBe(shares(4));
    state.apply({ ...answer, type: 'conversionRejected', reason: 'INSUFFICIENT_SHARES' });
    expect(view.sellable('YES')).toBe(shares(6));
  });

  it('ignores events of a cancelled market after its refund was claimed', () => {
    const state = account();
    state.apply(filled({ order: 1, price: 5_000, size: 10 }));
    applyMessages(state, '1002 | resolution CANCELLED');
    const { time, venueTime } = about(1);
    const claim = { type: 'converted', conversion: 'claim', bot: BOT, market: MARKET, shares: shares(0) } as const;
    state.apply({ ...claim, time, venueTime, paid: usd(5), fee: usd(0) });
    state.apply(filled({ order: 2, price: 5_000, size: 1 }));
    state.apply({ ...claim, conversion: 'split', time, venueTime, shares: shares(1), paid: usd(-1), fee: usd(0) });
    expect([state.cash, state.unexplainedEvents]).toEqual([usd(1_000), 2]);
  });

  it('values pairs of a cancelled market at their refund', () => {
    const state = account();
    state.apply(filled({ order: 1, price: 5_100, size: 10 }));
    state.apply(filled({ order: 2, outcome: 'NO', price: 4_700, size: 10 }));
    expect(state.exitEquity).toBe(usd(1_000.2));
    applyMessages(state, '1002 | resolution CANCELLED');
    expect(state.exitEquity).toBe(usd(1_000));
  });

  it('returns the instance of an answered split', () => {
    const state = account();
    const split = (bot: number, count: number) =>
      state.applyCommand(
        { type: 'split', bot: unchecked.instance(bot), market: MARKET, shares: shares(count) },
        epochMs(1),
      );
    split(0, 30);
    split(1, 10);
    const { time, venueTime } = about(1);
    const refused = { type: 'conversionRejected', conversion: 'split', market: MARKET, reason: 'VENUE_MODE' } as const;
    state.apply({ ...refused, time, venueTime, bot: unchecked.instance(1) });
    expect(state.available).toBe(usd(970));
    state.apply({ ...refused, time, venueTime, bot: unchecked.instance(2) });
    expect(state.available).toBe(usd(970));
  });

  it('reserves cash for a split in flight, and has pairs afterwards', () => {
    const state = account();
    const split = { type: 'split', bot: BOT, market: MARKET, shares: shares(30) } as const;
    state.applyCommand(split, epochMs(1));
    expect([state.available, state.isConverting(MARKET), state.isConverting(unchecked.market(1))]).toEqual([
      usd(970),
      true,
      false,
    ]);
    const { time, venueTime } = about(1);
    const received = { time, venueTime, conversion: 'split', bot: BOT, market: MARKET } as const;
    state.apply({ type: 'conversionRejected', ...received, reason: 'VENUE_MODE' });
    expect([state.available, state.isConverting(MARKET)]).toEqual([usd(1_000), false]);
    state.applyCommand(split, epochMs(1));
    state.apply({ type: 'converted', ...received, shares: shares(30), paid: usd(-30), fee: usd(0) });
    const { position } = state.market(MARKET);
    expect([state.available, state.cash, state.exitEquity]).toEqual([usd(970), usd(970), usd(1_000)]);
    expect([position.yes, position.no, position.net]).toEqual([shares(30), shares(30), 0]);
    const merge = {
      time,
      venueTime,
      type: 'converted',
      conversion: 'merge',
      bot: BOT,
      market: MARKET,
      fee: usd(0),
    } as const;
    state.apply({ ...merge, shares: shares(20), paid: usd(20) });
    expect([state.cash, position.yes, state.unexplainedEvents]).toEqual([usd(990), shares(10), 0]);
    state.apply({ ...merge, shares: shares(20), paid: usd(20) });
    expect([state.cash, position.yes, state.unexplainedEvents]).toEqual([usd(990), shares(10), 1]);
  });

  it('ignores and counts a sale of shares that are not held', () => {
    const state = account();
    state.apply(filled({ order: 1, side: 'SELL', size: 5 }));
    state.apply(filled({ order: 1, outcome: 'NO', side: 'SELL', size: 5 }));
    expect([state.cash, state.unexplainedEvents]).toEqual([usd(1_000), 2]);
  });

  it('ignores and counts amounts that would make a sum inexact', () => {
    const state = account();
    const billion = 1_000_000_000;
    for (let count = 0; count < 12; count += 1) {
      state.apply(filled({ order: 0, size: billion }));
      state.apply(filled({ order: 0, side: 'SELL', size: billion }));
      state.apply({ type: 'cashAdjusted', time: state.now, venueTime: state.now, amount: usd(billion) });
    }
    expect(state.unexplainedEvents).toBeGreaterThan(30);
    expect(Number.isSafeInteger(state.exitEquity)).toBe(true);
  });

  it('counts events about markets that are not in the run', () => {
    const state = account();
    state.apply(filled({ order: 1, market: 5 }));
    state.apply({
      type: 'converted',
      conversion: 'split',
      bot: BOT,
      market: unchecked.market(5),
      shares: shares(1),
      paid: usd(-1),
      fee: usd(0),
      time: epochMs(1),
      venueTime: epochMs(1),
    });
    expect([state.cash, state.unexplainedEvents]).toEqual([usd(1_000), 2]);
  });

  it('books and counts fills of unknown orders', () => {
    const state = account();
    state.apply(filled({ order: 77, size: 10 }));
    expect([state.externalFills, state.market(MARKET).position.yes, state.findInstance(unchecked.order(77))]).toEqual([
      1,
      shares(10),
      undefined,
    ]);
    state.applyCommand(place({ order: 1 }), epochMs(1));
    state.apply(filled({ order: 1 }));
    expect(state.externalFills).toBe(1);
  });

  it('has the time of the last event', () => {
    const state = new AccountState({ cash: usd(1), markets: [] });
    state.apply({ type: 'timerFired', time: epochMs(123_456), bot: BOT, timer: 'x' });
    expect(state.now).toBe(123_456);
  });

  it('does not count deposits and withdrawals as gain or loss', () => {
    const state = account();
    const { time, venueTime } = about(1);
    state.apply({ type: 'cashAdjusted', time, venueTime, amount: usd(-400) });
    expect([state.cash, state.available, state.exitEquity, state.contributed]).toEqual([
      usd(600),
      usd(600),
      usd(600),
      usd(-400),
    ]);
  });

  it('counts maker rewards as a gain of their market, and ignores those of an unknown market', () => {
    const state = account();
    const { time, venueTime } = about(1);
    const paid = {
      type: 'makerPaid',
      time,
      venueTime,
      cause: 'rebate',
      day: epochMs(0),
      amount: usd(1.234567),
    } as const;
    state.apply({ ...paid, market: MARKET });
    expect([state.cash, state.exitEquity, state.contributed]).toEqual([usd(1_001.234567), usd(1_001.234567), 0]);
    expect(state.market(MARKET).position).toMatchObject({ realized: usd(1.234567), netCash: 0 });
    expect(state.ledger.pnlSplit().rewardsMicros).toBe(usd(1.234567));
    state.apply({ ...paid, market: unchecked.market(4) });
    expect([state.cash, state.unexplainedEvents]).toEqual([usd(1_001.234567), 1]);
  });

  it('adopts the venue’s holdings at its costs, and continues from there', () => {
    const state = account();
    applyMessages(state, '1000 | bid 5000 10 | ask 5200 5');
    state.apply(filled({ order: 1, price: 5_100, size: 100 }));
    const { time, venueTime, market } = about(1);
    const held = { yes: shares(60), no: shares(40), yesCost: usd(30), noCost: usd(20) };
    state.apply({ type: 'holdingAdjusted', time, venueTime, market, ...held });
    expect(state.market(MARKET).position).toMatchObject({ ...held, realized: 0, netCash: usd(-50) });
    // 40 pairs and 20 YES at the bid, after 100 YES at the bid: $0 more.
    expect([state.cash, state.exitEquity, state.contributed]).toEqual([usd(949), usd(999), usd(0)]);
    state.apply({ type: 'holdingAdjusted', time, venueTime, market, ...held, yes: shares(100) });
    expect([state.exitEquity, state.contributed]).toEqual([usd(1_019), usd(20)]);
    state.apply(filled({ order: 2, side: 'SELL', price: 5_000, size: 100 }));
    expect(state.market(MARKET).position).toMatchObject({ yes: 0, yesCost: 0, realized: usd(20) });
  });

  it('does not count the first value of holdings that precede the first book as a gain, even after a restart', () => {
    const held = { yes: shares(60), no: shares(0), yesCost: usd(30), noCost: usd(0) };
    const first = account();
    const { time, venueTime, market } = about(1);
    first.apply({ type: 'holdingAdjusted', time, venueTime, market, ...held });
    expect([first.exitEquity, first.contributed]).toEqual([usd(1_000), 0]);
    for (const state of [first, AccountState.restore(structuredClone(first.snapshot()))]) {
      applyMessages(state, '1000 | bid 5000 10 | ask 5200 5');
      expect([state.exitEquity, state.contributed]).toEqual([usd(1_030), usd(30)]);
      applyMessages(state, '1001 | bid 5100 10');
      expect([state.exitEquity, state.contributed]).toEqual([usd(1_030.6), usd(30)]);
    }
  });

  it('books fills of unknown orders as external', () => {
    const state = account();
    state.apply({ ...filled({ order: 1, price: 5_100, size: 100 }), order: unchecked.order(0) });
    expect([state.externalFills, state.unexplainedEvents, state.market(MARKET).position.yes]).toEqual([
      1,
      0,
      shares(100),
    ]);
  });

  it('ignores holdings of an unknown market, or of one whose refund was paid', () => {
    const state = account();
    const { time, venueTime } = about(1);
    const held = { yes: shares(60), no: shares(40), yesCost: usd(30), noCost: usd(20) };
    state.apply({ type: 'holdingAdjusted', time, venueTime, market: unchecked.market(4), ...held });
    applyMessages(state, '1002 | resolution CANCELLED');
    const claim = { type: 'converted', conversion: 'claim', bot: BOT, market: MARKET, shares: shares(0) } as const;
    state.apply({ ...claim, time, venueTime, paid: usd(0), fee: usd(0) });
    state.apply({ type: 'holdingAdjusted', time, venueTime, market: MARKET, ...held });
    expect([state.unexplainedEvents, state.exitEquity, state.contributed]).toEqual([2, usd(1_000), 0]);
  });
});
