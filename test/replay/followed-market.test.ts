/** Life cycle and trades of markets that follow tapes. */
import { describe, expect, it } from 'vitest';
import { epochMs } from '../../src/domain/index.ts';
import { EventRecorder } from '../../src/exchange/journal/event-recorder.ts';
import { CANCELLED_PAYOUT, KIND, SIDE } from '../../src/tape/index.ts';
import { eventTexts, reasonOf, SHARE } from '../exchange/engine/harness.ts';
import { askLevel, bidLevel, buyPrint, FollowedMarket, resolution, sellPrint, status } from './followed-market.ts';
import { restoredHarness } from './restored-harness.ts';

describe('a market that follows a tape', () => {
  it('shows recorded levels together with orders, and fills takers against both', () => {
    const harness = FollowedMarket.open();
    expect(harness.book()).toEqual(['6000 100 1', '5990 50 1', '|', '6100 100 1', '6110 50 1']);
    harness.buy(1, 'YES', 6000, 20);
    const taken = harness.place(1, { price: 6100, size: 30, timeInForce: 'FAK' });
    expect(eventTexts(taken)).toEqual(['accepted 2', 'traded 0<2 30@6100 MINT', 'closed 2 FILLED 0']);
    expect(harness.book()).toEqual(['6000 120 2', '5990 50 1', '|', '6100 70 1', '6110 50 1']);
    expect(harness.record).toMatchObject({ lastTrade: 6100, volume: 30 * 610_000 });
    // 80 of the recorded 100 are left, of which 30 were taken by own orders.
    harness.play(askLevel(6100, 80));
    expect(harness.book()[3]).toBe('6100 50 1');
  });

  it('matches prints with orders by the queue rules, and counts the rest of a print as a trade of others', () => {
    const harness = FollowedMarket.open();
    harness.buy(1, 'NO', 3900, 20);
    expect(eventTexts(harness.play(buyPrint(6100, 110)))).toEqual(['traded 1<0 10@6100 MINT', 'printed', 'tapePlayed']);
    expect(harness.record).toMatchObject({ lastTrade: 6100, volume: 110 * 610_000 });
    expect(eventTexts(harness.play(sellPrint(5990, 7)))).toEqual(['printed', 'tapePlayed']);
    // A seller of YES is reported as a buyer of NO.
    expect(harness.record).toMatchObject({ lastTrade: 5990, volume: 110 * 610_000 + 7 * 401_000 });
    expect(harness.view.holdingsOf(2)).toMatchObject([{ yes: { shares: 10 * SHARE }, no: { shares: 0 } }]);
  });

  it('fills orders that a level crosses, and reports the rest of the level', () => {
    const harness = FollowedMarket.open();
    harness.buy(1, 'NO', 3900, 20);
    const events = harness.play(askLevel(6100, 0), bidLevel(6110, 15), bidLevel(6100, 1));
    expect(eventTexts(events)).toEqual(['traded 1<0 16@6100 MINT', 'tapePlayed']);
    expect(harness.book()).toEqual(['6000 100 1', '5990 50 1', '|', '6100 4 1', '6110 50 1']);
  });

  it('halts and resumes as recorded, by the table of transitions', () => {
    const harness = FollowedMarket.open();
    harness.buy(1, 'YES', 5900, 20);
    expect(eventTexts(harness.play(status('halted')))).toEqual([
      'closed 1 MARKET_HALTED 20',
      'marketChanged',
      'tapePlayed',
    ]);
    expect(reasonOf(harness.place(1, { price: 5900 }))).toBe('MARKET_HALTED');
    expect(harness.record).toMatchObject({ status: 'OPEN', halted: true });
    expect(eventTexts(harness.play(status('halted')))).toEqual(['tapePlayed']);
    expect(eventTexts(harness.play(status('open')))).toEqual(['marketChanged', 'tapePlayed']);
    expect(harness.record.halted).toBe(false);
    expect(eventTexts(harness.play(status('open')))).toEqual(['tapePlayed']);
  });

  it('reports a state that a simulated venue sets against the table of transitions', () => {
    const { exchange, time } = FollowedMarket.open();
    const recorder = new EventRecorder();
    exchange.tape.begin(epochMs(time), recorder);
    exchange.tape.setState(0, { status: 'PENDING_RESOLUTION', halted: false });
    exchange.tape.end();
    expect(recorder.drain()).toMatchObject([
      {
        event: {
          type: 'marketChanged',
          market: 0,
          previous: 'OPEN',
          status: 'PENDING_RESOLUTION',
          reason: 'as recorded',
        },
      },
    ]);
  });

  it.each([
    [10_000, 'RESOLVED', 'RESOLVED_YES'],
    [0, 'RESOLVED', 'RESOLVED_NO'],
    [5_000, 'RESOLVED', 'RESOLVED_UNCERTAIN'],
  ])(
    'is decided by the votes of a whole quorum and waits for disputes when the tape pays %i',
    (payout, decided, end) => {
      const harness = FollowedMarket.open();
      harness.place(1, { price: 6100, size: 10 });
      harness.play(resolution(payout));
      expect(harness.record).toMatchObject({ status: decided, round: 1 });
      expect(harness.record.votes.map(({ model, rationale }) => [model, rationale])).toEqual([
        ['tape-1', 'as recorded'],
        ['tape-2', 'as recorded'],
      ]);
      harness.time += 7_200_000;
      harness.send('tick');
      harness.confirm(0);
      expect(harness.record.status).toBe(end);
      harness.send('claim', { market: 0 });
      expect(harness.view.account(1)?.available).toBe(1_000_000_000 - 6_100_000 + payout * 1_000);
    },
  );

  it('refunds payments when it is void', () => {
    const harness = FollowedMarket.open();
    harness.place(1, { price: 6100, size: 10 });
    harness.play(status('pending'));
    expect(harness.record.status).toBe('PENDING_RESOLUTION');
    harness.play(resolution(CANCELLED_PAYOUT));
    expect(harness.record.status).toBe('CANCELLED');
    harness.send('claim', { market: 0 });
    expect(harness.view.account(1)?.available).toBe(1_000_000_000);
  });

  it('follows the tape while it is closed, and reopens in the state of the tape', () => {
    const harness = FollowedMarket.open();
    harness.play(status('pending'));
    expect(harness.book()).toEqual(['|']);
    expect(eventTexts(harness.play(bidLevel(6020, 5), buyPrint(6100, 5)))).toEqual(['tapePlayed']);
    harness.play(status('open'));
    expect(harness.record).toMatchObject({ status: 'OPEN', deadline: undefined });
    expect(harness.book()).toEqual(['6020 5 1', '6000 100 1', '5990 50 1', '|', '6100 100 1', '6110 50 1']);
  });

  it('has no resolution date of its own', () => {
    const harness = FollowedMarket.open();
    expect(harness.record.deadline).toBeUndefined();
    harness.time = harness.record.resolutionDate + 1;
    harness.send('tick');
    expect(harness.record.status).toBe('OPEN');
  });

  it('has the placement delay of its tape', () => {
    const harness = FollowedMarket.open();
    harness.play([KIND.placeDelay, 0, 0, 5000]);
    expect(harness.record.following).toMatchObject({ placeDelay: 5000, row: 1, recordedAt: 1001, account: 2 });
  });

  it('has no book in a gap of its tape, and own orders queue behind the next book', () => {
    const harness = FollowedMarket.open();
    harness.place(1, { price: 6000, size: 10 });
    harness.play([KIND.gap, 0, 0, 0]);
    expect(harness.book()).toEqual(['6000 10 1', '|']);
    expect(eventTexts(harness.play([...sellPrint(5990, 50), ...bidLevel(6020, 5)]))).toEqual(['printed', 'tapePlayed']);
    const restored = restoredHarness(harness);
    expect(restored.hash()).toBe(harness.hash());
    harness.play([KIND.clear, 0, 0, 0, ...bidLevel(6000, 30)]);
    expect(harness.book()).toEqual(['6000 40 2', '|']);
    harness.play(sellPrint(6000, 35));
    expect(harness.book()[0]).toBe('6000 35 2');
  });

  it('does not replay earlier rows', () => {
    const harness = FollowedMarket.open();
    harness.play(bidLevel(6000, 90));
    const restored = { market: 0, row: 1, recordedAt: 1001, rows: bidLevel(6000, 10) };
    expect(reasonOf(harness.send('playTape', restored))).toBe('CONFLICT');
    expect(reasonOf(harness.send('playTape', { ...restored, row: 2, recordedAt: 999 }))).toBe('INVALID_ORDER');
    expect(harness.book()[0]).toBe('6000 90 1');
  });

  it.each([
    ['a size between lots', bidLevel(6000, 0.005)],
    ['a price off the tick', bidLevel(6005, 1)],
    ['half a row', [KIND.level, SIDE.bid]],
    ['an unknown kind', [77, 0, 0, 0]],
    ['a level on no side', [KIND.level, 2, 6000, SHARE]],
    ['a print of size 0', buyPrint(6000, 0)],
    ['an unknown state', [KIND.status, 0, 99, 0]],
    ['a size ahead without a level', [KIND.ahead, SIDE.bid, 6000, SHARE]],
    ['a size ahead before another level', [KIND.ahead, SIDE.bid, 6000, SHARE, ...bidLevel(5990, 1)]],
  ])('refuses %s', (_, rows) => {
    const harness = FollowedMarket.open();
    const before = harness.hash();
    expect(eventTexts(harness.play(rows))).toEqual(['refused 0 INVALID_ORDER rows']);
    expect(harness.hash()).toBe(before);
  });

  it('advances orders by the cancels ahead of them under the queue model fifo', () => {
    const harness = FollowedMarket.open({ queue: { model: 'fifo' } });
    harness.buy(1, 'YES', 6000, 20);
    harness.play([KIND.ahead, SIDE.bid, 6000, 40 * SHARE], bidLevel(6000, 70));
    // 70 are ahead, so a print of 75 fills 5 of the order.
    expect(eventTexts(harness.play(sellPrint(6000, 75)))).toContain('traded 1<0 5@6000 MINT');
  });

  it('does not change while the venue is halted', () => {
    const harness = FollowedMarket.open();
    harness.send('setMode', { mode: 'HALTED' });
    expect(reasonOf(harness.play(bidLevel(6000, 90)))).toBe('VENUE_MODE');
    harness.send('setMode', { mode: 'CANCEL_ONLY' });
    expect(eventTexts(harness.play(bidLevel(6000, 80)))).toEqual(['tapePlayed']);
  });

  it('keeps its tick and its tape', () => {
    const harness = FollowedMarket.open();
    expect(reasonOf(harness.send('changeTick', { market: 0, tickBps: 20 }))).toBe('CONFLICT');
    expect(reasonOf(harness.follow([]))).toBe('CONFLICT');
  });

  it('ends when an operator voids it', () => {
    const harness = FollowedMarket.open();
    harness.send('voidMarket', { market: 0 });
    expect(eventTexts(harness.play(bidLevel(6000, 90)))).toEqual(['refused 0 ALREADY_FINAL marketId']);
  });
});
