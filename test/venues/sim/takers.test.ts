import { describe, expect, it } from 'vitest';
import { takerFees } from '../../../src/venues/sim/fees.ts';
import { Harness, type HarnessOptions } from './harness.ts';

const FAK = { timeInForce: 'FAK' } as const;
const FOK = { timeInForce: 'FOK' } as const;
const MAY_TAKE = { postOnly: false } as const;

function harness(options: HarnessOptions = {}): Harness {
  const sim = new Harness(options);
  sim.message('bid 5900 10', 'bid 5800 100', 'ask 6100 10', 'ask 6150 20', 'ask 6200 100');
  return sim;
}

describe('a taking order', () => {
  it('fills at the price of each level, best level first', () => {
    const sim = harness();
    sim.place('bid 40 @ 6150', FAK);
    expect(sim.events()).toEqual([
      '#1 accepted',
      '#1 filled 10 @ 6100',
      '#1 filled 20 @ 6150',
      '#1 closed FAK_REMAINDER',
    ]);
    expect(sim.fills()).toEqual(['#1 10 @ 6100 taker', '#1 20 @ 6150 taker']);
  });

  it('reports NO prices when it trades NO', () => {
    const sim = harness();
    sim.place('ask 5 @ 5900', FAK);
    expect(sim.events()).toEqual(['#1 accepted', '#1 filled 5 @ 4100']);
    expect(sim.fills()).toEqual(['#1 5 @ 5900 taker']);
  });

  it('removes the taken liquidity from the public feed, best level first', () => {
    const sim = harness();
    sim.place('bid 15 @ 6200', FAK);
    expect(sim.shown).toEqual(['ask 6100 0', 'ask 6150 15']);
    expect(sim.message('ask 6150 30', 'ask 6100 10')).toEqual(['ask 6150 25', 'ask 6100 0']);
    expect(sim.message('ask 6100 0', 'ask 6100 10')).toEqual(['ask 6100 0', 'ask 6100 10']);
  });

  it('moves the mark for later fills, not for its own fills', () => {
    const marks: number[] = [];
    const sim = harness({ observer: { onMark: (_market, _time, mark) => marks.push(mark) } });
    sim.place('bid 30 @ 6150', FAK);
    sim.place('bid 1 @ 6200', FAK);
    expect(sim.fillFacts.map(({ mark }) => mark)).toEqual([12_000, 12_000, 12_100]);
    expect(marks).toEqual([12_000, 12_100]);
  });

  it('rests with its unfilled size if it is GTC', () => {
    const sim = harness();
    const order = sim.place('bid 25 @ 6100', MAY_TAKE);
    expect(sim.events()).toEqual(['#1 accepted', '#1 filled 10 @ 6100']);
    expect(sim.front(order)).toBe(0);
    sim.message('sell 5 @ 6050');
    expect(sim.fills()).toEqual(['#1 10 @ 6100 taker', '#1 5 @ 6100 through inside']);
  });

  it('fills completely or not at all if it is FOK', () => {
    const sim = harness();
    sim.place('bid 30.01 @ 6150', FOK);
    sim.place('bid 30 @ 6150', FOK);
    expect(sim.events()).toEqual([
      '#1 rejected FOK_NOT_FILLABLE',
      '#2 accepted',
      '#2 filled 10 @ 6100',
      '#2 filled 20 @ 6150',
    ]);
  });

  it('accepts a price of the other side of the grid only if the order cannot rest', () => {
    const [bids, asks] = [
      [5_900, 5_800],
      [6_100, 6_150, 6_200],
    ].map((prices) => prices.toSorted());
    const sim = harness({ grid: { type: 'list', bids: bids as never, asks: asks as never } });
    sim.place('bid 10 @ 6100', FAK);
    sim.place('bid 10 @ 6150', MAY_TAKE);
    sim.place('bid 10 @ 6155', FAK);
    expect(sim.events()).toEqual([
      '#1 accepted',
      '#1 filled 10 @ 6100',
      '#2 rejected INVALID_TICK',
      '#3 rejected INVALID_TICK',
    ]);
  });

  it('pays the fee of each level', () => {
    const sim = harness({ fees: takerFees(200) });
    sim.place('bid 30 @ 6150', FAK);
    // floor(200 * 1000 lots * 6100 * 3900 / 1e8), floor(200 * 2000 * 6150 * 3850 / 1e8)
    expect(sim.fillFacts.map(({ fee }) => fee)).toEqual([47_580, 94_710]);
    expect(sim.engine.ledger.cash).toBe(10_000_000_000 - 6_100_000 - 12_300_000 - 142_290);
  });
});

describe('immutable liquidity', () => {
  it('is available again for the next taker', () => {
    const sim = harness({ liquidity: 'immutable' });
    sim.place('bid 10 @ 6100', FAK);
    sim.place('bid 10 @ 6100', FAK);
    expect(sim.fills()).toEqual(['#1 10 @ 6100 taker', '#2 10 @ 6100 taker']);
    expect(sim.shown).toEqual([]);
  });

  it('is taken only once by an order that rests, also in later crossings', () => {
    const sim = harness({ liquidity: 'immutable' });
    sim.place('bid 25 @ 6100', MAY_TAKE);
    expect(sim.shown).toEqual(['ask 6100 0']);
    sim.message('bid 5700 1');
    expect(sim.fills()).toEqual(['#1 10 @ 6100 taker']);
    sim.message('ask 6100 12');
    expect(sim.fills()).toEqual(['#1 2 @ 6100 cross inside']);
  });
});

describe('self-trade prevention', () => {
  it('cancels the taker before it would match an own order', () => {
    const sim = harness();
    sim.place('ask 5 @ 6150');
    sim.place('bid 40 @ 6200', FAK);
    expect(sim.events()).toEqual(['#1 accepted', '#2 accepted', '#2 filled 10 @ 6100', '#2 closed SELF_TRADE']);
  });

  it('cancels an order that would match an own order on an empty outside book', () => {
    const sim = new Harness();
    sim.place('ask 5 @ 6150');
    sim.place('bid 5 @ 6150', MAY_TAKE);
    expect(sim.events()).toEqual(['#1 accepted', '#2 accepted', '#2 closed SELF_TRADE']);
  });

  it('excludes liquidity behind an own order from the check of a FOK order', () => {
    const sim = harness();
    sim.place('bid 5 @ 5850');
    sim.place('ask 11 @ 5800', FOK);
    sim.place('ask 10 @ 5800', FOK);
    expect(sim.events()).toEqual(['#1 accepted', '#2 rejected FOK_NOT_FILLABLE', '#3 accepted', '#3 filled 10 @ 4100']);
  });
});
