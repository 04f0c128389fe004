import { describe, expect, it } from 'vitest';
import { SHARE, Stage, story } from './stage.ts';

describe('placing', () => {
  it('reserves what an order needs, moves it when it fills and frees what the price was better', () => {
    const stage = new Stage();
    const [a, b] = [stage.account(100), stage.account(100)];
    stage.market();
    const maker = stage.buy(a, 'NO', 4000, 10);
    expect(stage.view.account(a)).toMatchObject({ available: 96_000_000, reserved: 4_000_000 });
    const events = stage.place(b, { price: 6500, size: 12 });
    expect(story(events)).toEqual(['accepted 2', `traded ${maker}<2 10@6000 MINT`, `closed ${maker} FILLED 0`]);
    expect(stage.view.account(a)).toMatchObject({ available: 96_000_000, reserved: 0 });
    expect(stage.view.account(b)).toMatchObject({ available: 92_700_000, reserved: 1_300_000 });
    expect(stage.view.holding(b, 0)?.yes).toEqual({ shares: 10 * SHARE, held: 0, cost: 6_000_000, realized: 0 });
    expect(stage.view.collateral(0)).toBe(10_000_000);
    expect(stage.view.openOrder(2)).toMatchObject({
      remaining: 2 * SHARE,
      lastFill: events[1]?.type === 'traded' ? events[1].seq : -1,
    });
  });
});
