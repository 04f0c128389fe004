/** What the naive twin and the engine once disagreed about, each as its smallest story. */
import { describe, expect, it } from 'vitest';
import { Stage, story } from '../engine/stage.ts';

describe('one set of a replace', () => {
  it('is refused when two of its places carry one client order id', () => {
    const stage = new Stage();
    const account = stage.account();
    const market = stage.market();
    const place = [
      stage.terms({ price: 4000, clientOrderId: 'mine' }),
      stage.terms({ price: 4100, clientOrderId: 'mine' }),
    ];
    const before = stage.hash();
    expect(story(stage.send('replace', { account, market, cancel: 'all', place, mustReplace: false }))).toEqual([
      'refused 1 CONFLICT clientOrderId',
      'refused -1 CONFLICT clientOrderId',
    ]);
    expect(stage.hash()).toBe(before);
  });

  it('is refused when two of its places are the same signed bytes', () => {
    const stage = new Stage();
    const account = stage.account();
    const market = stage.market();
    const terms = stage.terms({ price: 4000, hash: '0xsame' });
    const before = stage.hash();
    const events = stage.send('replace', { account, market, cancel: 'all', place: [terms, terms], mustReplace: false });
    expect(story(events).map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
      'refused 1 CONFLICT',
      'refused -1 CONFLICT',
    ]);
    expect(stage.hash()).toBe(before);
  });
});

describe('a FOK', () => {
  it('is refused when a group it trips on its way takes away what it needs', () => {
    const stage = new Stage();
    const maker = stage.account();
    const taker = stage.account();
    const market = stage.market();
    stage.send('createGroup', { account: maker, maxFilled: 5_000_000, window: 60_000 });
    stage.buy(maker, 'NO', 5000, 6, { group: 1 } as never);
    stage.buy(maker, 'NO', 5000, 6, { group: 1 } as never);
    const before = stage.hash();
    expect(story(stage.place(taker, { market, price: 5000, size: 12, timeInForce: 'FOK' }))).toEqual([
      'refused 0 FOK_NOT_FILLABLE shares',
    ]);
    expect(stage.hash()).toBe(before);
  });

  it('is refused when it would trip its own group before it is filled', () => {
    const stage = new Stage();
    const maker = stage.account();
    const taker = stage.account();
    const market = stage.market();
    stage.send('createGroup', { account: taker, maxFilled: 5_000_000, window: 60_000 });
    stage.buy(maker, 'NO', 5000, 6);
    stage.buy(maker, 'NO', 5000, 6);
    const before = stage.hash();
    const wish = { market, price: 5000, timeInForce: 'FOK', group: 1 } as never as object;
    expect(story(stage.place(taker, { ...wish, size: 12 }))).toEqual(['refused 0 FOK_NOT_FILLABLE shares']);
    expect(stage.hash()).toBe(before);
    expect(story(stage.place(taker, { ...wish, size: 6 })).at(-1)).toBe('closed 3 FILLED 0');
  });
});

describe('a new market', () => {
  it('with a part of a basis point as its fee is refused, with an initial order too', () => {
    const stage = new Stage();
    stage.account();
    const before = stage.hash();
    stage.deploying({ feeRateBps: 5e-324, initialOrder: stage.terms() } as never);
    expect([stage.view.markets.length, stage.hash()]).toEqual([0, before]);
  });
});
