import { describe, expect, it } from 'vitest';
import { Harness } from './harness.ts';

const THROUGH = { fill: 'through' } as const;

describe('a tape of trades without a book (docs/spec/models.md#thin-tapes)', () => {
  it('fills with the model `through` the orders whose price a print passed, up to its size', () => {
    const sim = new Harness({ tradesOnly: THROUGH });
    sim.place('bid 50 @ 5800');
    sim.message('sell 20 @ 5800');
    sim.message('sell 30 @ 5790');
    expect(sim.fills()).toEqual(['#1 30 @ 5800 through']);
  });

  it('fills with the model `touch` a share of a print at the price, in order of arrival and in whole lots', () => {
    const sim = new Harness({ tradesOnly: { fill: 'touch', share: 0.25 } });
    sim.place('bid 2 @ 5800');
    sim.place('bid 50 @ 5800');
    sim.message('sell 10.01 @ 5800');
    expect(sim.fills()).toEqual(['#1 2 @ 5800 touch', '#2 0.5 @ 5800 touch']);
    sim.message('print 10 @ 5800');
    expect(sim.fills()).toEqual([]);
    sim.message('sell 10 @ 5790');
    expect(sim.fills()).toEqual(['#2 10 @ 5800 through']);
  });

  it('fills no maker with the model `none`, as for candles, but takers at the assumed distance', () => {
    const sim = new Harness({ tradesOnly: { fill: 'none', assumed_half_spread_bps: 15 } });
    sim.place('bid 50 @ 5800');
    sim.message('sell 30 @ 5790');
    expect(sim.fills()).toEqual([]);
    sim.place('bid 50 @ 6000', { timeInForce: 'FAK' });
    expect(sim.fills()).toEqual(['#2 50 @ 5810 taker']);
  });

  it('has the last trade as its mark', () => {
    const marks: number[] = [];
    const sim = new Harness({
      tradesOnly: THROUGH,
      observer: { onMark: (_market, _time, mark) => marks.push(mark) },
    });
    sim.place('bid 50 @ 5800');
    sim.message('sell 10 @ 5900');
    sim.message('buy 10 @ 5900');
    sim.message('buy 10 @ 5950', 'sell 10 @ 5790');
    expect(marks).toEqual([11_800, 11_580]);
    expect(sim.fillFacts[0]?.mark).toBe(11_800);
  });

  it('refuses FAK and FOK orders, and a GTC order rests without taking', () => {
    const sim = new Harness({ tradesOnly: THROUGH });
    sim.message('sell 10 @ 5900');
    sim.place('bid 50 @ 6000', { timeInForce: 'FAK' });
    sim.place('bid 50 @ 6000', { timeInForce: 'FOK' });
    sim.place('bid 50 @ 6000', { postOnly: false });
    expect(sim.events()).toEqual(['#1 rejected VENUE_MODE', '#2 rejected VENUE_MODE', '#3 accepted']);
  });

  it('lets takers trade any size at the assumed distance from the last trade, rounded away from it to the grid', () => {
    const sim = new Harness({ tradesOnly: { fill: 'through', assumed_half_spread_bps: 15 } });
    const fak = { timeInForce: 'FAK' } as const;
    sim.place('bid 50 @ 6000', fak);
    sim.message('sell 10 @ 5900');
    sim.place('bid 50 @ 5910', fak);
    sim.place('bid 50 @ 6000', fak);
    sim.place('ask 50 @ 5000', { timeInForce: 'FOK' });
    sim.place('bid 50 @ 5910', { timeInForce: 'FOK' });
    expect(sim.fills()).toEqual(['#3 50 @ 5920 taker', '#4 50 @ 5880 taker']);
    expect(sim.events().filter((line) => /closed|rejected/.test(line))).toEqual([
      '#1 closed FAK_REMAINDER',
      '#2 closed FAK_REMAINDER',
      '#5 rejected FOK_NOT_FILLABLE',
    ]);
  });

  it('prevents self-trades at assumed prices', () => {
    const sim = new Harness({ tradesOnly: { fill: 'through', assumed_half_spread_bps: 15 } });
    sim.message('sell 10 @ 5900');
    sim.place('ask 5 @ 5910');
    sim.place('bid 50 @ 6000', { timeInForce: 'FAK' });
    expect(sim.events().at(-1)).toBe('#2 closed SELF_TRADE');
  });
});
