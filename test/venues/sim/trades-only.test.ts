import { describe, expect, it } from 'vitest';
import { Harness } from './harness.ts';

const THROUGH = { fill: 'through', assumedHalfSpreadBps: undefined } as const;

describe('a tape of trades without a book (docs/spec/models.md#thin-tapes)', () => {
  it('through: fills orders that a print passed strictly, up to its size', () => {
    const played = new Harness({ tradesOnly: THROUGH });
    played.place('bid 50 @ 5800');
    played.message('sell 20 @ 5800');
    played.message('sell 30 @ 5790');
    expect(played.fills()).toEqual(['#1 30 @ 5800 through']);
  });

  it('touch: gives a share of a print at the price, in order of arrival, in whole lots', () => {
    const played = new Harness({ tradesOnly: { fill: 'touch', share: 0.25, assumedHalfSpreadBps: undefined } });
    played.place('bid 2 @ 5800');
    played.place('bid 50 @ 5800');
    played.message('sell 10.01 @ 5800');
    expect(played.fills()).toEqual(['#1 2 @ 5800 touch', '#2 0.5 @ 5800 touch']);
    played.message('print 10 @ 5800');
    expect(played.fills()).toEqual([]);
    played.message('sell 10 @ 5790');
    expect(played.fills()).toEqual(['#2 10 @ 5800 through']);
  });

  it('candles: no print fills a maker, and takers trade at the assumed distance', () => {
    const played = new Harness({ tradesOnly: { fill: 'none', assumedHalfSpreadBps: 15 } });
    played.place('bid 50 @ 5800');
    played.message('sell 30 @ 5790');
    expect(played.fills()).toEqual([]);
    played.place('bid 50 @ 6000', { timeInForce: 'FAK' });
    expect(played.fills()).toEqual(['#2 50 @ 5810 taker']);
  });

  it('has the last trade as its mark', () => {
    const marks: number[] = [];
    const played = new Harness({
      tradesOnly: THROUGH,
      tap: { onMark: (_market, _time, mark) => marks.push(mark) },
    });
    played.place('bid 50 @ 5800');
    played.message('sell 10 @ 5900');
    played.message('buy 10 @ 5900');
    played.message('buy 10 @ 5950', 'sell 10 @ 5790');
    expect(marks).toEqual([11_800, 11_580]);
    expect(played.fillFacts[0]?.mark).toBe(11_800);
  });

  it('refuses takers, and lets nothing else take', () => {
    const played = new Harness({ tradesOnly: THROUGH });
    played.message('sell 10 @ 5900');
    played.place('bid 50 @ 6000', { timeInForce: 'FAK' });
    played.place('bid 50 @ 6000', { timeInForce: 'FOK' });
    played.place('bid 50 @ 6000', { postOnly: false });
    expect(played.news()).toEqual(['#1 rejected VENUE_MODE', '#2 rejected VENUE_MODE', '#3 accepted']);
  });

  it('lets takers trade any size at the assumed distance from the last trade, away from it on the grid', () => {
    const played = new Harness({ tradesOnly: { fill: 'through', assumedHalfSpreadBps: 15 } });
    const fak = { timeInForce: 'FAK' } as const;
    played.place('bid 50 @ 6000', fak);
    played.message('sell 10 @ 5900');
    played.place('bid 50 @ 5910', fak);
    played.place('bid 50 @ 6000', fak);
    played.place('ask 50 @ 5000', { timeInForce: 'FOK' });
    played.place('bid 50 @ 5910', { timeInForce: 'FOK' });
    expect(played.fills()).toEqual(['#3 50 @ 5920 taker', '#4 50 @ 5880 taker']);
    expect(played.news().filter((line) => /closed|rejected/.test(line))).toEqual([
      '#1 closed FAK_REMAINDER',
      '#2 closed FAK_REMAINDER',
      '#5 rejected FOK_NOT_FILLABLE',
    ]);
  });

  it('stops takers before own orders there too', () => {
    const played = new Harness({ tradesOnly: { fill: 'through', assumedHalfSpreadBps: 15 } });
    played.message('sell 10 @ 5900');
    played.place('ask 5 @ 5910');
    played.place('bid 50 @ 6000', { timeInForce: 'FAK' });
    expect(played.news().at(-1)).toBe('#2 closed SELF_TRADE');
  });
});
