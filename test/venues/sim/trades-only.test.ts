import { describe, expect, it } from 'vitest';
import { Stage } from './stage.ts';

describe('a tape of trades without a book (models 6)', () => {
  it('through: fills what a print went strictly through, up to its size', () => {
    const played = new Stage({ tradesOnly: { fill: 'through' } });
    played.place('bid 50 @ 5800');
    played.message('sell 20 @ 5800');
    played.message('sell 30 @ 5790');
    expect(played.fills()).toEqual(['#1 30 @ 5800 through']);
  });

  it('touch: gives a share of a print at the price, in order of arrival, in whole lots', () => {
    const played = new Stage({ tradesOnly: { fill: 'touch', share: 0.25 } });
    played.place('bid 2 @ 5800');
    played.place('bid 50 @ 5800');
    played.message('sell 10.01 @ 5800');
    expect(played.fills()).toEqual(['#1 2 @ 5800 touch', '#2 0.5 @ 5800 touch']);
    played.message('print 10 @ 5800');
    expect(played.fills()).toEqual([]);
    played.message('sell 10 @ 5790');
    expect(played.fills()).toEqual(['#2 10 @ 5800 through']);
  });

  it('has the last trade as its mark', () => {
    const marks: number[] = [];
    const played = new Stage({
      tradesOnly: { fill: 'through' },
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
    const played = new Stage({ tradesOnly: { fill: 'through' } });
    played.message('sell 10 @ 5900');
    played.place('bid 50 @ 6000', { timeInForce: 'FAK' });
    played.place('bid 50 @ 6000', { timeInForce: 'FOK' });
    played.place('bid 50 @ 6000', { postOnly: false });
    expect(played.news()).toEqual(['#1 rejected VENUE_MODE', '#2 rejected VENUE_MODE', '#3 accepted']);
  });
});
