import { describe, expect, it } from 'vitest';
import { counted } from '../../../src/domain/index.ts';
import { powerQueue } from '../../../src/replay/index.ts';
import { Harness } from './harness.ts';

/** A book of 5800 x 6200 with little on it, and whatever else is needed. */
function harness(...levels: string[]): Harness {
  const played = new Harness();
  played.message('bid 5800 100', 'ask 6200 100', ...levels);
  return played;
}

describe('a print (docs/spec/models.md#prints)', () => {
  it('fills strictly better orders at their own price, then moves the queue at its price', () => {
    const played = harness('ask 6100 20');
    played.place('ask 50 @ 6050');
    const behind = played.place('ask 30 @ 6100');
    expect(played.front(behind)).toBe(20);

    played.message('buy 60 @ 6100');
    expect(played.fills()).toEqual(['#1 50 @ 6050 through inside']);
    expect(played.front(behind)).toBe(10);

    played.message('buy 25 @ 6100');
    expect(played.fills()).toEqual(['#2 15 @ 6100 queue']);
    expect(played.front(behind)).toBe(0);
  });

  it('mirrors for sellers and bids', () => {
    const played = harness('bid 5900 20');
    played.place('bid 50 @ 5950');
    played.place('bid 30 @ 5900');
    played.message('sell 60 @ 5900');
    played.message('sell 25 @ 5900');
    expect(played.fills()).toEqual(['#1 50 @ 5950 through inside', '#2 15 @ 5900 queue']);
  });

  it('never fills more than its size, best price first', () => {
    const played = harness();
    played.place('ask 40 @ 6060');
    played.place('ask 40 @ 6050');
    played.message('buy 50 @ 6100');
    expect(played.fills()).toEqual(['#2 40 @ 6050 through inside', '#1 10 @ 6060 through inside']);
  });

  it('does nothing to the other side, nor to orders beyond it', () => {
    const played = harness();
    played.place('bid 40 @ 5900');
    played.place('ask 40 @ 6150');
    played.message('buy 500 @ 6100');
    expect(played.fills()).toEqual([]);
  });

  it('never changes the recorded book and sweeps no other level', () => {
    const played = harness('ask 6100 20');
    played.message('buy 500 @ 6200');
    expect([played.visible('ask', 6_100), played.visible('ask', 6_200)]).toEqual([20, 100]);
  });

  it('fills orders at one price in order of arrival', () => {
    const played = harness('ask 6100 20');
    played.place('ask 10 @ 6100');
    played.place('ask 10 @ 6100');
    played.message('buy 24 @ 6100');
    expect(played.fills()).toEqual(['#1 4 @ 6100 queue']);
    played.message('buy 9 @ 6100');
    expect(played.fills()).toEqual(['#1 6 @ 6100 queue', '#2 3 @ 6100 queue']);
  });

  it('fills the earlier order first even when the model places the later one further ahead', () => {
    // R 100 set 50: a front of 40 goes to 28.6, one of 60 to 21.4 (n = 3).
    const played = new Harness({ queue: powerQueue(3) });
    played.message('bid 5800 100', 'ask 6100 40');
    const first = played.place('ask 10 @ 6100');
    played.message('ask 6100 60');
    const second = played.place('ask 10 @ 6100');
    played.message('ask 6100 100');
    played.message('ask 6100 50');
    expect(played.front(second)).toBeLessThan(played.front(first));
    played.message('buy 25 @ 6100');
    expect(played.fills()).toEqual([]);
    played.message('buy 6 @ 6100');
    expect(played.fills()).toEqual(['#1 2.42 @ 6100 queue']);
  });

  it('of an unknown side fills only orders that it passed strictly (docs/spec/models.md#unknown-sides-and-better-prices)', () => {
    const played = harness('ask 6100 20');
    played.place('ask 5 @ 6050');
    const at = played.place('ask 5 @ 6100');
    played.message('print 500 @ 6100');
    expect(played.fills()).toEqual(['#1 5 @ 6050 through inside']);
    expect(played.front(at)).toBe(20);
    played.message('print 500 @ 6110');
    expect(played.fills()).toEqual(['#2 5 @ 6100 through']);
  });

  it('explains the fall of its level, so that it is not counted twice', () => {
    const played = new Harness({ queue: powerQueue(2) });
    played.message('bid 5800 100', 'ask 6100 30');
    const order = played.place('ask 10 @ 6100');
    played.message('ask 6100 100');
    played.message('buy 12 @ 6100', 'ask 6100 80');
    expect(played.front(order)).toBeCloseTo(17.5038, 4);
    played.message('buy 12 @ 6100', 'ask 6100 68');
    expect(played.front(order)).toBeCloseTo(5.5038, 4);
    // Nothing explains these 8: back 62.4962, chance behind 0.992304.
    played.message('ask 6100 60');
    expect(played.front(order)).toBeCloseTo(5.4423, 4);
  });

  it('explains as much of the fall as it printed, even what better own orders received', () => {
    const played = new Harness({ queue: powerQueue(1) });
    played.message('bid 5800 100', 'ask 6100 60');
    played.place('ask 10 @ 6050');
    const order = played.place('ask 10 @ 6100');
    played.message('ask 6100 100');
    played.message('buy 12 @ 6100', 'ask 6100 88');
    expect(played.front(order)).toBe(58);
    // The better order swallows all of it; the level falls all the same.
    played.place('ask 10 @ 6060');
    played.message('buy 9 @ 6100', 'ask 6100 79');
    expect(played.front(order)).toBe(58);
  });
});

describe('a queue at one price', () => {
  it('is unchanged for the orders that stay when one leaves', () => {
    const played = harness('ask 6100 60');
    const [first, second] = [played.place('ask 10 @ 6100'), played.place('ask 10 @ 6100')];
    played.command({ type: 'cancel', order: first, market: counted.market(0) });
    played.message('ask 6100 30');
    expect(played.front(second)).toBe(30);
    const third = played.place('ask 10 @ 6100');
    played.command({ type: 'cancel', order: third, market: counted.market(0) });
    played.message('ask 6100 20');
    expect(played.front(second)).toBe(20);
  });
});

describe('prints since the last level update', () => {
  it('belong to the level, also for an order that came after them', () => {
    const played = new Harness({ queue: powerQueue(1) });
    played.message('bid 5900 100', 'ask 6200 100');
    played.place('ask 30 @ 5900', { timeInForce: 'FAK' });
    played.place('bid 10 @ 5900');
    played.message('sell 12 @ 5900');
    const late = played.place('bid 10 @ 5900');
    expect(played.front(late)).toBe(70);
    // R 100, T 12, front 70: d 8, back 18, so 70 - 70 / 88 * 8.
    played.message('bid 5900 80');
    expect(played.front(late)).toBeCloseTo(63.6364, 4);
  });
});

describe('a shrinking level', () => {
  it('never fills orders', () => {
    const played = new Harness({ queue: powerQueue(1) });
    played.message('bid 5800 100', 'ask 6100 20');
    const order = played.place('ask 10 @ 6100');
    played.message('ask 6100 0');
    expect(played.front(order)).toBe(0);
    expect(played.fills()).toEqual([]);
  });
});

describe('a crossing (docs/spec/models.md#crossing)', () => {
  it('fills up to the size that is there, and takes it', () => {
    const played = harness();
    played.place('ask 40 @ 6100');
    expect(played.message('bid 6100 25')).toEqual(['bid 6100 0']);
    expect(played.fills()).toEqual(['#1 25 @ 6100 cross inside']);
    expect(played.message('bid 6100 25')).toEqual(['bid 6100 0']);
    expect(played.fills()).toEqual([]);
    expect(played.message('bid 6100 60')).toEqual(['bid 6100 20']);
    expect(played.fills()).toEqual(['#1 15 @ 6100 cross inside']);
  });

  it('counts all levels beyond the price, each at its own price', () => {
    const played = harness();
    played.place('bid 40 @ 6000');
    expect(played.message('ask 5990 10', 'ask 5950 20', 'ask 6000 50')).toEqual([
      'ask 5990 0',
      'ask 5950 0',
      'ask 6000 40',
    ]);
    expect(played.fills()).toEqual(['#1 40 @ 6000 cross inside']);
  });

  it('fills the best price first', () => {
    const played = harness();
    played.place('ask 10 @ 6110');
    played.place('ask 10 @ 6100');
    played.message('bid 6110 15');
    expect(played.fills()).toEqual(['#2 10 @ 6100 cross inside', '#1 5 @ 6110 cross inside']);
  });

  it('is checked on the end state of a message, after its prints', () => {
    const played = harness();
    played.place('ask 40 @ 6100');
    played.message('buy 30 @ 6110', 'bid 6100 25', 'bid 6100 5');
    expect(played.fills()).toEqual(['#1 30 @ 6100 through inside', '#1 5 @ 6100 cross inside']);
  });

  it('of levels that come and go within one message does not happen', () => {
    const played = harness();
    played.place('ask 40 @ 6100');
    played.message('bid 6100 25', 'bid 6100 0');
    expect(played.fills()).toEqual([]);
  });
});

describe('the tag "inside" of a fill', () => {
  it('compares with the recorded best prices before the message', () => {
    const played = harness();
    played.place('bid 10 @ 5800');
    played.place('bid 10 @ 5850');
    played.message('sell 5 @ 5840', 'bid 5900 10');
    played.message('sell 10 @ 5700');
    expect(played.fills()).toEqual(['#2 5 @ 5850 through inside', '#2 5 @ 5850 through', '#1 5 @ 5800 through']);
  });

  it('still counts levels that we took', () => {
    const played = harness('ask 6050 10');
    played.place('bid 10 @ 6050', { timeInForce: 'FAK' });
    played.place('ask 10 @ 6060');
    played.place('ask 10 @ 6040');
    played.message('buy 15 @ 6090');
    expect(played.fills()).toEqual(['#1 10 @ 6050 taker', '#3 10 @ 6040 through inside', '#2 5 @ 6060 through']);
  });
});

describe('the recorded facts of a fill', () => {
  it('are the mark before its message, the queue and the age of the order', () => {
    const played = harness('ask 6100 20');
    const order = played.place('ask 30 @ 6100');
    played.message('buy 12 @ 6100', 'ask 6100 8');
    played.message('buy 28 @ 6100', 'bid 5900 10');
    const [fill] = played.fillFacts;
    expect(fill).toMatchObject({
      order,
      bot: 3,
      sign: -1,
      outcome: 'NO',
      side: 'BUY',
      yesPrice: 6_100,
      liquidity: 'maker',
      mark: 11_900,
      acceptedAt: 1_020,
      time: 1_040,
      frontAtArrival: 20_000_000,
      front: 8_000_000,
      shares: 20_000_000,
      remaining: 10_000_000,
    });
  });

  it('have the fill price as mark before the first mark', () => {
    const played = new Harness();
    played.message('bid 5800 100');
    played.place('bid 10 @ 5900');
    played.message('sell 10 @ 5800');
    expect(played.fillFacts[0]?.mark).toBe(11_800);
    expect(played.engine.ledger.pnlSplit().spreadMicros).toBe(0);
  });
});

describe('prints that filled the bot that recorded them (docs/spec/models.md#own-trades-of-a-recording)', () => {
  it('fill an order at their price whatever the queue model has before it, and leave that queue as it is', () => {
    const played = harness('ask 6100 20');
    const order = played.place('ask 50 @ 6100');
    played.message('own buy 30 @ 6100');
    expect(played.fills()).toEqual(['#1 30 @ 6100 queue']);
    expect(played.front(order)).toBe(20);
    played.message('buy 25 @ 6100');
    expect(played.fills()).toEqual(['#1 5 @ 6100 queue']);
  });

  it('are one sweep: what traded beyond an order is one fill, what traded at its price is filled as recorded', () => {
    const played = harness();
    played.place('ask 40 @ 6050');
    played.place('ask 40 @ 6100');
    played.message('own buy 25 @ 6060', 'own buy 10 @ 6100', 'own buy 20 @ 6100');
    expect(played.fills()).toEqual(['#1 40 @ 6050 through inside', '#2 15 @ 6100 queue inside']);
    played.message('own buy 5 @ 6100', 'own buy 8 @ 6100');
    expect(played.fills()).toEqual(['#2 5 @ 6100 queue inside', '#2 8 @ 6100 queue inside']);
  });

  it('do not reach an order beyond their price', () => {
    const played = harness();
    played.place('bid 40 @ 5900');
    played.message('own sell 30 @ 5910');
    expect(played.fills()).toEqual([]);
    played.message('own sell 30 @ 5900');
    expect(played.fills()).toEqual(['#1 30 @ 5900 queue inside']);
  });
});

describe('a print that was recorded after the level that it explains (docs/spec/models.md#late-prints)', () => {
  it('moves the queue once, as it would have before that level', () => {
    const [inTime, late] = [harness('ask 6100 110'), harness('ask 6100 110')];
    const [first, second] = [inTime.place('ask 50 @ 6100'), late.place('ask 50 @ 6100')];
    late.time += 250;
    inTime.message('buy 80 @ 6100', 'ask 6100 30');
    late.message('ask 6100 30');
    late.message('late buy 80 @ 6100');
    expect([inTime.fills(), late.fills()]).toEqual([[], []]);
    expect([inTime.front(first), late.front(second)]).toEqual([30, 30]);
  });

  it('fills what it would have filled before that level', () => {
    const played = harness('ask 6100 20');
    played.place('ask 50 @ 6100');
    played.time += 250;
    played.message('ask 6100 0');
    played.message('late buy 45 @ 6100');
    expect(played.fills()).toEqual(['#1 25 @ 6100 queue inside']);
  });

  it('does not reach an order that came after that level', () => {
    const played = harness('ask 6100 20');
    played.message('ask 6100 0');
    played.place('ask 50 @ 6100');
    played.time += 250;
    played.message('late buy 45 @ 6100');
    expect(played.fills()).toEqual([]);
  });

  it('does not reach an order that came in the last 250 ms, not even beyond its price', () => {
    const played = harness('ask 6100 20');
    played.place('ask 50 @ 6050');
    played.message('late buy 45 @ 6100');
    expect(played.fills()).toEqual([]);
    played.time += 250;
    played.message('late buy 45 @ 6100');
    expect(played.fills()).toEqual(['#1 45 @ 6050 through inside']);
  });
});
