import { describe, expect, it } from 'vitest';
import { unchecked } from '../../../src/domain/index.ts';
import { powerQueue } from '../../../src/replay/queue.ts';
import { Harness, harnessWithBook } from './harness.ts';

const harness = (...levels: string[]) => harnessWithBook({}, ...levels);

describe('a print (docs/spec/models.md#prints)', () => {
  it('fills strictly better orders at their own price, then moves the queue at its price', () => {
    const sim = harness('ask 6100 20');
    sim.place('ask 50 @ 6050');
    const behind = sim.place('ask 30 @ 6100');
    expect(sim.front(behind)).toBe(20);

    sim.message('buy 60 @ 6100');
    expect(sim.fills()).toEqual(['#1 50 @ 6050 through inside']);
    expect(sim.front(behind)).toBe(10);

    sim.message('buy 25 @ 6100');
    expect(sim.fills()).toEqual(['#2 15 @ 6100 queue']);
    expect(sim.front(behind)).toBe(0);
  });

  it('fills bids from sellers in the same way', () => {
    const sim = harness('bid 5900 20');
    sim.place('bid 50 @ 5950');
    sim.place('bid 30 @ 5900');
    sim.message('sell 60 @ 5900');
    sim.message('sell 25 @ 5900');
    expect(sim.fills()).toEqual(['#1 50 @ 5950 through inside', '#2 15 @ 5900 queue']);
  });

  it('never fills more than its size, best price first', () => {
    const sim = harness();
    sim.place('ask 40 @ 6060');
    sim.place('ask 40 @ 6050');
    sim.message('buy 50 @ 6100');
    expect(sim.fills()).toEqual(['#2 40 @ 6050 through inside', '#1 10 @ 6060 through inside']);
  });

  it('fills neither the other side nor orders beyond its price', () => {
    const sim = harness();
    sim.place('bid 40 @ 5900');
    sim.place('ask 40 @ 6150');
    sim.message('buy 500 @ 6100');
    expect(sim.fills()).toEqual([]);
  });

  it('does not change the recorded book', () => {
    const sim = harness('ask 6100 20');
    sim.message('buy 500 @ 6200');
    expect([sim.available('ask', 6_100), sim.available('ask', 6_200)]).toEqual([20, 100]);
  });

  it('fills orders at one price in order of arrival', () => {
    const sim = harness('ask 6100 20');
    sim.place('ask 10 @ 6100');
    sim.place('ask 10 @ 6100');
    sim.message('buy 24 @ 6100');
    expect(sim.fills()).toEqual(['#1 4 @ 6100 queue']);
    sim.message('buy 9 @ 6100');
    expect(sim.fills()).toEqual(['#1 6 @ 6100 queue', '#2 3 @ 6100 queue']);
  });

  it('fills the earlier order first even when the model places the later one further ahead', () => {
    // R falls from 100 to 50: a front of 40 becomes 28.6, a front of 60 becomes 21.4 (n = 3).
    const sim = new Harness({ queue: powerQueue(3) });
    sim.message('bid 5800 100', 'ask 6100 40');
    const first = sim.place('ask 10 @ 6100');
    sim.message('ask 6100 60');
    const second = sim.place('ask 10 @ 6100');
    sim.message('ask 6100 100');
    sim.message('ask 6100 50');
    expect(sim.front(second)).toBeLessThan(sim.front(first));
    sim.message('buy 25 @ 6100');
    expect(sim.fills()).toEqual([]);
    sim.message('buy 6 @ 6100');
    expect(sim.fills()).toEqual(['#1 2.42 @ 6100 queue']);
  });

  it('fills only strictly better orders when its side is unknown (docs/spec/models.md#unknown-sides-and-better-prices)', () => {
    const sim = harness('ask 6100 20');
    sim.place('ask 5 @ 6050');
    const at = sim.place('ask 5 @ 6100');
    sim.message('print 500 @ 6100');
    expect(sim.fills()).toEqual(['#1 5 @ 6050 through inside']);
    expect(sim.front(at)).toBe(20);
    sim.message('print 500 @ 6110');
    expect(sim.fills()).toEqual(['#2 5 @ 6100 through']);
  });

  it('explains the decrease of its level, which is not counted again', () => {
    const sim = new Harness({ queue: powerQueue(2) });
    sim.message('bid 5800 100', 'ask 6100 30');
    const order = sim.place('ask 10 @ 6100');
    sim.message('ask 6100 100');
    sim.message('buy 12 @ 6100', 'ask 6100 80');
    expect(sim.front(order)).toBeCloseTo(17.5038, 4);
    sim.message('buy 12 @ 6100', 'ask 6100 68');
    expect(sim.front(order)).toBeCloseTo(5.5038, 4);
    // No print explains these 8. Shares behind: 62.4962; probability of a cancel behind: 0.992304.
    sim.message('ask 6100 60');
    expect(sim.front(order)).toBeCloseTo(5.4423, 4);
  });

  it('explains a decrease by its full size, including shares that filled better own orders', () => {
    const sim = new Harness({ queue: powerQueue(1) });
    sim.message('bid 5800 100', 'ask 6100 60');
    sim.place('ask 10 @ 6050');
    const order = sim.place('ask 10 @ 6100');
    sim.message('ask 6100 100');
    sim.message('buy 12 @ 6100', 'ask 6100 88');
    expect(sim.front(order)).toBe(58);
    // The better order receives the whole print; the level still decreases.
    sim.place('ask 10 @ 6060');
    sim.message('buy 9 @ 6100', 'ask 6100 79');
    expect(sim.front(order)).toBe(58);
  });
});

describe('a queue at one price', () => {
  it('is unchanged for the other orders when an order is cancelled', () => {
    const sim = harness('ask 6100 60');
    const [first, second] = [sim.place('ask 10 @ 6100'), sim.place('ask 10 @ 6100')];
    sim.command({ type: 'cancel', order: first, market: unchecked.market(0) });
    sim.message('ask 6100 30');
    expect(sim.front(second)).toBe(30);
    const third = sim.place('ask 10 @ 6100');
    sim.command({ type: 'cancel', order: third, market: unchecked.market(0) });
    sim.message('ask 6100 20');
    expect(sim.front(second)).toBe(20);
  });
});

describe('prints since the last level update', () => {
  it('explain the decrease of the level, also for an order that arrived after them', () => {
    const sim = new Harness({ queue: powerQueue(1) });
    sim.message('bid 5900 100', 'ask 6200 100');
    sim.place('ask 30 @ 5900', { timeInForce: 'FAK' });
    sim.place('bid 10 @ 5900');
    sim.message('sell 12 @ 5900');
    const late = sim.place('bid 10 @ 5900');
    expect(sim.front(late)).toBe(70);
    // R 100, T 12, front 70: d 8, back 18, so 70 - 70 / 88 * 8.
    sim.message('bid 5900 80');
    expect(sim.front(late)).toBeCloseTo(63.6364, 4);
  });
});

describe('a shrinking level', () => {
  it('never fills orders', () => {
    const sim = new Harness({ queue: powerQueue(1) });
    sim.message('bid 5800 100', 'ask 6100 20');
    const order = sim.place('ask 10 @ 6100');
    sim.message('ask 6100 0');
    expect(sim.front(order)).toBe(0);
    expect(sim.fills()).toEqual([]);
  });
});

describe('a crossing (docs/spec/models.md#crossing)', () => {
  it('fills up to the available size and consumes it', () => {
    const sim = harness();
    sim.place('ask 40 @ 6100');
    expect(sim.message('bid 6100 25')).toEqual(['bid 6100 0']);
    expect(sim.fills()).toEqual(['#1 25 @ 6100 cross inside']);
    expect(sim.message('bid 6100 25')).toEqual(['bid 6100 0']);
    expect(sim.fills()).toEqual([]);
    expect(sim.message('bid 6100 60')).toEqual(['bid 6100 20']);
    expect(sim.fills()).toEqual(['#1 15 @ 6100 cross inside']);
  });

  it('counts all levels beyond the price, each at its own price', () => {
    const sim = harness();
    sim.place('bid 40 @ 6000');
    expect(sim.message('ask 5990 10', 'ask 5950 20', 'ask 6000 50')).toEqual([
      'ask 5990 0',
      'ask 5950 0',
      'ask 6000 40',
    ]);
    expect(sim.fills()).toEqual(['#1 40 @ 6000 cross inside']);
  });

  it('fills the best price first', () => {
    const sim = harness();
    sim.place('ask 10 @ 6110');
    sim.place('ask 10 @ 6100');
    sim.message('bid 6110 15');
    expect(sim.fills()).toEqual(['#2 10 @ 6100 cross inside', '#1 5 @ 6110 cross inside']);
  });

  it('is checked on the end state of a message, after its prints', () => {
    const sim = harness();
    sim.place('ask 40 @ 6100');
    sim.message('buy 30 @ 6110', 'bid 6100 25', 'bid 6100 5');
    expect(sim.fills()).toEqual(['#1 30 @ 6100 through inside', '#1 5 @ 6100 cross inside']);
  });

  it('does not happen when a level appears and vanishes within one message', () => {
    const sim = harness();
    sim.place('ask 40 @ 6100');
    sim.message('bid 6100 25', 'bid 6100 0');
    expect(sim.fills()).toEqual([]);
  });
});

describe('the tag "inside" of a fill', () => {
  it('compares with the recorded best prices before the message', () => {
    const sim = harness();
    sim.place('bid 10 @ 5800');
    sim.place('bid 10 @ 5850');
    sim.message('sell 5 @ 5840', 'bid 5900 10');
    sim.message('sell 10 @ 5700');
    expect(sim.fills()).toEqual(['#2 5 @ 5850 through inside', '#2 5 @ 5850 through', '#1 5 @ 5800 through']);
  });

  it('counts levels that own takers consumed as recorded prices', () => {
    const sim = harness('ask 6050 10');
    sim.place('bid 10 @ 6050', { timeInForce: 'FAK' });
    sim.place('ask 10 @ 6060');
    sim.place('ask 10 @ 6040');
    sim.message('buy 15 @ 6090');
    expect(sim.fills()).toEqual(['#1 10 @ 6050 taker', '#3 10 @ 6040 through inside', '#2 5 @ 6060 through']);
  });
});

describe('the recorded facts of a fill', () => {
  it('are the mark before its message, the queue and the age of the order', () => {
    const sim = harness('ask 6100 20');
    const order = sim.place('ask 30 @ 6100');
    sim.message('buy 12 @ 6100', 'ask 6100 8');
    sim.message('buy 28 @ 6100', 'bid 5900 10');
    const [fill] = sim.fillFacts;
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
      sharesAheadAtArrival: 20_000_000,
      sharesAhead: 8_000_000,
      shares: 20_000_000,
      remaining: 10_000_000,
    });
  });

  it('use the fill price as mark before the first mark', () => {
    const sim = new Harness();
    sim.message('bid 5800 100');
    sim.place('bid 10 @ 5900');
    sim.message('sell 10 @ 5800');
    expect(sim.fillFacts[0]?.mark).toBe(11_800);
    expect(sim.engine.ledger.pnlSplit().spreadMicros).toBe(0);
  });
});
