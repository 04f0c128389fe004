import { describe, expect, it } from 'vitest';
import { priceBps } from '../../src/domain/index.ts';
import { quote } from './story.ts';

describe('quotes from nothing', () => {
  it('buys YES for a bid and NO at the complement for an ask', () => {
    expect(quote({}, ['bid 100 @ 5800', 'ask 100 @ 6200'])).toEqual([
      '#10 BUY YES 100 @ 5800',
      '#11 BUY NO 100 @ 3800',
    ]);
  });

  it('places levels from the inside out, those that shrink the position first', () => {
    const wish = ['bid 10 @ 5800', 'bid 20 @ 5790', 'ask 10 @ 6200', 'ask 20 @ 6210'];
    expect(quote({ yes: 5 }, wish)).toEqual([
      '#10 SELL YES 5 @ 6200',
      '#11 BUY NO 5 @ 3800',
      '#12 BUY YES 10 @ 5800',
      '#13 BUY NO 20 @ 3790',
      '#14 BUY YES 20 @ 5790',
    ]);
  });

  it('sends nothing for nothing', () => {
    expect(quote({}, [])).toEqual([]);
  });
});

describe('orders that stand', () => {
  it('stay when they are what is wished', () => {
    const orders = ['#1 BUY YES 100 @ 5800', '#2 BUY NO 100 @ 3800'];
    expect(quote({ orders }, ['bid 100 @ 5800', 'ask 100 @ 6200'])).toEqual([]);
  });

  it('stay while they are not answered yet', () => {
    expect(quote({ orders: ['#1 BUY YES 100 @ 5800 new'] }, ['bid 100 @ 5800'])).toEqual([]);
  });

  it('are all cancelled for an empty wish', () => {
    const orders = ['#1 BUY YES 100 @ 5800', '#2 BUY NO 100 @ 3800', '#3 SELL YES 5 @ 6300'];
    expect(quote({ yes: 5, orders }, [])).toEqual(['cancel #2', 'cancel #3', 'cancel #1']);
  });

  it('of other strategies and takers in flight are not touched', () => {
    const orders = ['#1 BUY YES 100 @ 5800 bot 1', '#2 BUY YES 100 @ 6100 taker'];
    expect(quote({ orders }, [])).toEqual([]);
  });

  it('move in one replace that says what is expected to remain', () => {
    const orders = ['#1 BUY YES 100 @ 5800', '#2 BUY NO 70 @ 3800'];
    expect(quote({ orders }, ['bid 100 @ 5810', 'ask 100 @ 6210'])).toEqual([
      'replace #1(100) #2(70) by #10 BUY YES 100 @ 5810, #11 BUY NO 100 @ 3790',
    ]);
  });

  it('of a side that is withdrawn are cancelled on their own, so that a stopped replace does not hold them', () => {
    const orders = ['#1 BUY YES 100 @ 5800', '#2 BUY NO 100 @ 3800'];
    expect(quote({ orders }, ['bid 100 @ 5810'])).toEqual(['cancel #2', 'replace #1(100) by #10 BUY YES 100 @ 5810']);
  });

  it('stand together for levels at one price', () => {
    const orders = ['#1 BUY YES 70 @ 5800', '#2 BUY YES 30 @ 5800'];
    expect(quote({ orders }, ['bid 40 @ 5800', 'bid 60 @ 5800'])).toEqual([]);
  });

  it('of which one is one too many lose the one that came last', () => {
    const orders = ['#1 BUY YES 60 @ 5800', '#2 BUY YES 60 @ 5800'];
    expect(quote({ orders }, ['bid 60 @ 5800'])).toEqual(['cancel #2']);
  });
});

describe('levels at one price', () => {
  it('are carried out by orders no larger than the largest of them', () => {
    expect(quote({ no: 30 }, ['bid 40 @ 5800', 'bid 60 @ 5800'])).toEqual([
      '#10 SELL NO 30 @ 4200',
      '#11 BUY YES 60 @ 5800',
      '#12 BUY YES 10 @ 5800',
    ]);
  });

  it('come of levels beyond the touch', () => {
    expect(quote({}, ['bid 40 @ 6120', 'bid 40 @ 6110', 'bid 40 @ 6080'])).toEqual([
      '#10 BUY YES 40 @ 6090',
      '#11 BUY YES 40 @ 6090',
      '#12 BUY YES 40 @ 6080',
    ]);
  });

  it('leave out a last order that would be too small', () => {
    expect(quote({ no: 39.5 }, ['bid 40 @ 5800', 'bid 40 @ 5800'])).toEqual([
      '#10 SELL NO 39.5 @ 4200',
      '#11 BUY YES 40 @ 5800',
      'dropped BELOW_MIN',
    ]);
    expect(quote({}, ['bid 0.9 @ 5800', 'bid 0.9 @ 5800'])).toEqual(['dropped BELOW_MIN']);
  });
});

describe('sizes', () => {
  it('are reduced in place, which keeps the queue', () => {
    expect(quote({ orders: ['#1 BUY YES 100 @ 5800'] }, ['bid 60 @ 5800'])).toEqual(['reduce #1 by 40']);
  });

  it('are reduced on the order that came last', () => {
    const orders = ['#1 SELL YES 60 @ 6200', '#2 BUY NO 60 @ 3800'];
    expect(quote({ yes: 60, orders }, ['ask 100 @ 6200'])).toEqual(['reduce #2 by 20']);
  });

  it('cancel an order that the reduction would use up', () => {
    const orders = ['#1 BUY YES 60 @ 5800', '#2 BUY YES 30 @ 5800', '#3 BUY YES 20 @ 5800'];
    expect(quote({ orders }, ['bid 70 @ 5800'])).toEqual(['cancel #3', 'reduce #2 by 20']);
  });

  it.each([
    [90, []],
    [89.99, ['replace #1(89.99) by #10 BUY YES 100 @ 5800']],
  ])('that lack up to a tenth stay: %s of 100', (standing, commands) => {
    expect(quote({ orders: [`#1 BUY YES ${standing} @ 5800`] }, ['bid 100 @ 5800'])).toEqual(commands);
  });

  it('that lack more wait for an order in flight', () => {
    expect(quote({ orders: ['#1 BUY YES 50 @ 5800 new'] }, ['bid 100 @ 5800'])).toEqual(['deferred']);
  });

  it('grow behind what stands where places are delayed, so that the level is never empty', () => {
    const before = { placeDelayMs: 5000, orders: ['#1 BUY YES 60 @ 5800'] };
    expect(quote(before, ['bid 100 @ 5800'])).toEqual(['#10 BUY YES 40 @ 5800']);
  });

  it('wait with a new level until the reduction is confirmed', () => {
    expect(quote({ orders: ['#1 BUY YES 100 @ 5800'] }, ['bid 60 @ 5800', 'bid 40 @ 5790'])).toEqual([
      'reduce #1 by 40',
      'deferred',
    ]);
  });
});

describe('tolerance of price', () => {
  const orders = ['#1 BUY YES 100 @ 5800'];

  it.each(['bid 100 @ 5850', 'bid 100 @ 5750'])('of nine per mille leaves an order at 5800 for %s', (line) => {
    expect(quote({ orders }, [line], { pricePct: 0.9 })).toEqual([]);
  });

  it.each([5860, 5740])('of nine per mille moves an order from 5800 to %i', (price) => {
    expect(quote({ orders }, [`bid 100 @ ${price}`], { pricePct: 0.9 })).toEqual([
      `replace #1(100) by #10 BUY YES 100 @ ${price}`,
    ]);
  });

  it('prefers the order at the exact price', () => {
    const two = ['#1 BUY YES 100 @ 5790', '#2 BUY YES 100 @ 5800'];
    expect(quote({ orders: two }, ['bid 100 @ 5800'], { pricePct: 1 })).toEqual(['cancel #1']);
  });

  it('never keeps a bid that reaches a wished ask', () => {
    const before = { bid: 5700, ask: 6100, orders };
    expect(quote(before, ['bid 100 @ 5780', 'ask 10 @ 5800'], { pricePct: 1 })).toEqual([
      'replace #1(100) by #10 BUY YES 100 @ 5780, #11 BUY NO 10 @ 4200',
    ]);
  });

  it('does not keep what is too large beside an order that stands for the same line', () => {
    const two = ['#1 BUY YES 60 @ 5800', '#2 BUY YES 60 @ 5790'];
    expect(quote({ orders: two }, ['bid 100 @ 5800'], { pricePct: 1 })).toEqual([
      'replace #2(60) #1(60) by #10 BUY YES 100 @ 5800',
    ]);
  });
});

describe('age', () => {
  it('leaves a young order alone that is less aggressive than wished', () => {
    const orders = ['#1 BUY YES 100 @ 5800 age 999'];
    expect(quote({ orders }, ['bid 100 @ 5850'], { minAgeMs: 1000 })).toEqual([]);
  });

  it('moves it when it is old enough', () => {
    const orders = ['#1 BUY YES 100 @ 5800 age 1000'];
    expect(quote({ orders }, ['bid 100 @ 5850'], { minAgeMs: 1000 })).toEqual([
      'replace #1(100) by #10 BUY YES 100 @ 5850',
    ]);
  });

  it.each([
    ['#1 BUY YES 100 @ 5800 age 1', 'bid 100 @ 5790', 'BUY YES 100 @ 5790'],
    ['#1 BUY NO 100 @ 3800 age 1', 'ask 100 @ 6210', 'BUY NO 100 @ 3790'],
  ])('moves a young order that is more aggressive than wished: %s', (order, line, place) => {
    expect(quote({ orders: [order] }, [line], { minAgeMs: 1000 })).toEqual([`replace #1(100) by #10 ${place}`]);
  });

  it('cancels a young order of a side that is withdrawn', () => {
    expect(quote({ orders: ['#1 BUY YES 100 @ 5800 age 1'] }, [], { minAgeMs: 1000 })).toEqual(['cancel #1']);
  });

  it('still reduces a young order', () => {
    const orders = ['#1 BUY YES 100 @ 5800 age 1'];
    expect(quote({ orders }, ['bid 60 @ 5810'], { minAgeMs: 1000 })).toEqual(['reduce #1 by 40']);
  });

  it.each([
    [5000, []],
    [5001, ['replace #1(100) by #10 BUY YES 100 @ 5800']],
  ])('renews an order of %s ms when the oldest may be 5000', (age, commands) => {
    expect(quote({ orders: [`#1 BUY YES 100 @ 5800 age ${age}`] }, ['bid 100 @ 5800'], { maxAgeMs: 5000 })).toEqual(
      commands,
    );
  });
});

describe('what is in flight', () => {
  it('and not wished is left alone until it is answered', () => {
    expect(quote({ orders: ['#1 BUY YES 100 @ 5800 new'] }, [])).toEqual(['deferred']);
    expect(quote({ orders: ['#1 BUY YES 100 @ 5800 reducing'] }, [])).toEqual(['deferred']);
    expect(quote({ orders: ['#1 BUY YES 100 @ 5800 leaving'] }, [])).toEqual([]);
  });

  it('holds back places of its side only', () => {
    const orders = ['#1 BUY YES 100 @ 5800 leaving'];
    expect(quote({ orders }, ['bid 100 @ 5810', 'ask 100 @ 6200'])).toEqual(['#10 BUY NO 100 @ 3800', 'deferred']);
  });

  it('never holds back cancels', () => {
    const orders = ['#1 BUY YES 100 @ 5800 leaving', '#2 BUY YES 100 @ 5790'];
    expect(quote({ orders }, ['bid 100 @ 5810'])).toEqual(['cancel #2', 'deferred']);
  });

  it('and larger than wished holds back its side', () => {
    const orders = ['#1 BUY YES 100 @ 5800 reducing'];
    expect(quote({ orders }, ['bid 60 @ 5800', 'bid 40 @ 5790'])).toEqual(['deferred']);
  });

  it('of a replace makes no second one', () => {
    const orders = ['#1 BUY YES 100 @ 5800 leaving', '#2 BUY YES 100 @ 5810 new'];
    expect(quote({ orders }, ['bid 100 @ 5810'])).toEqual([]);
  });

  it('after a stopped replace is cancelled on its own, and the wish is kept for the next answer', () => {
    const orders = ['#1 BUY YES 80 @ 5800', '#2 BUY YES 100 @ 5810 new'];
    expect(quote({ orders }, ['bid 100 @ 5810'])).toEqual(['cancel #1', 'deferred']);
  });

  it('keeps a bid away from an own ask that may still be open', () => {
    const orders = ['#1 BUY NO 100 @ 4150 leaving'];
    expect(quote({ bid: 5700, orders }, ['bid 100 @ 5850'])).toEqual(['deferred']);
    expect(quote({ bid: 5700, orders }, ['bid 100 @ 5840'])).toEqual(['#10 BUY YES 100 @ 5840']);
  });

  it('keeps an ask away from an own bid that is cancelled on its own', () => {
    const orders = ['#1 BUY YES 100 @ 5900'];
    expect(quote({ bid: 5700, orders }, ['ask 100 @ 5900'])).toEqual(['cancel #1', 'deferred']);
    expect(quote({ bid: 5700, orders }, ['ask 100 @ 5910'])).toEqual(['cancel #1', '#10 BUY NO 100 @ 4090']);
  });

  it('moves both sides past each other in one step', () => {
    const before = { bid: 5500, ask: 6500, orders: ['#1 BUY YES 100 @ 5800', '#2 BUY NO 100 @ 4100'] };
    expect(quote(before, ['bid 100 @ 6000', 'ask 100 @ 6100'])).toEqual([
      'replace #1(100) #2(100) by #10 BUY YES 100 @ 6000, #11 BUY NO 100 @ 3900',
    ]);
  });
});

describe('a placing delay', () => {
  const placeDelayMs = 5000;

  it('lets cancels go at once and places of that side wait', () => {
    const orders = ['#1 BUY YES 100 @ 5800'];
    expect(quote({ placeDelayMs, orders }, ['bid 100 @ 5810', 'ask 100 @ 6200'])).toEqual([
      'cancel #1',
      '#10 BUY NO 100 @ 3800',
      'deferred',
    ]);
  });
});

describe('the touch', () => {
  it.each([
    ['bid 10 @ 6100', '#10 BUY YES 10 @ 6090'],
    ['bid 10 @ 6300', '#10 BUY YES 10 @ 6090'],
    ['bid 10 @ 6090', '#10 BUY YES 10 @ 6090'],
    ['ask 10 @ 5900', '#10 BUY NO 10 @ 4090'],
    ['ask 10 @ 5700', '#10 BUY NO 10 @ 4090'],
    ['ask 10 @ 5910', '#10 BUY NO 10 @ 4090'],
  ])('is never reached by %s', (line, command) => {
    expect(quote({}, [line])).toEqual([command]);
  });

  it('at the end of the grid leaves no price', () => {
    expect(quote({ bid: undefined, ask: 10 }, ['bid 10 @ 10'])).toEqual([]);
    expect(quote({ bid: 9990, ask: undefined }, ['ask 10 @ 9990'])).toEqual([]);
  });

  it('on a list of prices is kept clear of by one step of the list', () => {
    const grid = { type: 'list', bids: [5500, 5714, 5882], asks: [5501, 5715, 5883] } as const;
    const before = { grid: { type: 'list' as const, bids: grid.bids.map(price), asks: grid.asks.map(price) } };
    expect(quote({ ...before, bid: 5500, ask: 5883 }, ['bid 10 @ 5882', 'ask 10 @ 5501'])).toEqual([
      '#10 BUY YES 10 @ 5882',
      '#11 BUY NO 10 @ 4499',
    ]);
    expect(quote({ ...before, bid: 5500, ask: 5715 }, ['bid 10 @ 5882'])).toEqual(['#10 BUY YES 10 @ 5714']);
  });
});

describe('legs', () => {
  it('sell what is free first and buy the other outcome for the rest', () => {
    expect(quote({ yes: 30, no: 20 }, ['bid 100 @ 5800', 'ask 100 @ 6200'])).toEqual([
      '#10 SELL YES 30 @ 6200',
      '#11 BUY NO 70 @ 3800',
      '#12 SELL NO 20 @ 4200',
      '#13 BUY YES 80 @ 5800',
    ]);
  });

  it('leave shares alone that another strategy sells', () => {
    const orders = ['#1 SELL YES 20 @ 6300 bot 1'];
    expect(quote({ yes: 30, orders }, ['ask 100 @ 6200'])).toEqual(['#10 SELL YES 10 @ 6200', '#11 BUY NO 90 @ 3800']);
  });

  it('use shares that the same replace frees', () => {
    const orders = ['#1 SELL YES 30 @ 6210'];
    expect(quote({ yes: 30, orders }, ['ask 30 @ 6200'])).toEqual(['replace #1(30) by #10 SELL YES 30 @ 6200']);
  });

  it('are one line together', () => {
    const orders = ['#1 SELL YES 30 @ 6200', '#2 BUY NO 70 @ 3800'];
    expect(quote({ yes: 30, orders }, ['ask 100 @ 6200'])).toEqual([]);
  });

  it('that rest well are not swapped when shares come in', () => {
    expect(quote({ yes: 100, orders: ['#1 BUY NO 100 @ 3800'] }, ['ask 100 @ 6200'])).toEqual([]);
  });

  it('are swapped when the cash is needed', () => {
    const before = { yes: 100, cash: 50, orders: ['#1 BUY NO 100 @ 3800'] };
    expect(quote(before, ['ask 100 @ 6200', 'bid 50 @ 5800'])).toEqual([
      'replace #1(100) by #10 SELL YES 100 @ 6200, #11 BUY YES 50 @ 5800',
    ]);
  });

  it('are swapped beside a leg of the same line that gives way with them', () => {
    const before = { yes: 60, cash: 40, orders: ['#1 SELL YES 20 @ 6200', '#2 BUY NO 80 @ 3800'] };
    expect(quote(before, ['ask 100 @ 6200', 'bid 50 @ 5800'])).toEqual([
      'replace #2(80) #1(20) by #10 SELL YES 60 @ 6200, #11 BUY NO 40 @ 3800, #12 BUY YES 42.75 @ 5800',
      'dropped INSUFFICIENT_BALANCE',
    ]);
  });

  it('below the smallest bet are left out, and that is told', () => {
    expect(quote({}, ['ask 50 @ 9990'])).toEqual(['dropped BELOW_MIN']);
    expect(quote({}, ['ask 100 @ 9990'])).toEqual(['#10 BUY NO 100 @ 10']);
    expect(quote({ yes: 20 }, ['ask 70 @ 9990'])).toEqual(['#10 SELL YES 20 @ 9990', 'dropped BELOW_MIN']);
  });

  it('below the smallest order are left out, while any rest can be sold', () => {
    expect(quote({ yes: 9.01 }, ['ask 10 @ 6200'])).toEqual(['#10 SELL YES 9.01 @ 6200', 'dropped BELOW_MIN']);
    expect(quote({ yes: 9 }, ['ask 10 @ 6200'])).toEqual(['#10 SELL YES 9 @ 6200', '#11 BUY NO 1 @ 3800']);
    expect(quote({ yes: 0.5 }, ['ask 0.5 @ 6200'])).toEqual(['#10 SELL YES 0.5 @ 6200']);
  });

  it('left out are not asked for again and again', () => {
    const orders = ['#1 SELL YES 0.6 @ 6200'];
    expect(quote({ yes: 0.6, orders }, ['ask 1.2 @ 6200'])).toEqual([]);
  });
});

describe('cash', () => {
  it('is used by the inner level first, and the outermost is cut to what is left', () => {
    const wish = ['bid 100 @ 5800', 'ask 100 @ 6200', 'bid 100 @ 5700', 'ask 100 @ 6300'];
    expect(quote({ cash: 120 }, wish)).toEqual([
      '#10 BUY YES 100 @ 5800',
      '#11 BUY NO 100 @ 3800',
      '#12 BUY YES 42.1 @ 5700',
      'dropped INSUFFICIENT_BALANCE',
      'dropped INSUFFICIENT_BALANCE',
    ]);
  });

  it.each([
    [96, ['#10 BUY YES 100 @ 5800', '#11 BUY NO 100 @ 3800']],
    [95.99, ['#10 BUY YES 100 @ 5800', '#11 BUY NO 99.97 @ 3800', 'dropped INSUFFICIENT_BALANCE']],
  ])('of %s dollars against the 96 that 5800/6200 takes from flat', (cash, commands) => {
    expect(quote({ cash }, ['bid 100 @ 5800', 'ask 100 @ 6200'])).toEqual(commands);
  });

  it('that the same replace frees counts', () => {
    const before = { cash: 58, orders: ['#1 BUY YES 100 @ 5800'] };
    expect(quote(before, ['bid 100 @ 5700'])).toEqual(['replace #1(100) by #10 BUY YES 100 @ 5700']);
    expect(quote(before, ['bid 100 @ 5810'])).toEqual([
      'replace #1(100) by #10 BUY YES 99.82 @ 5810',
      'dropped INSUFFICIENT_BALANCE',
    ]);
  });

  it('that a withdrawn side frees counts when it is there', () => {
    const before = { cash: 38, orders: ['#1 BUY NO 100 @ 3800'] };
    expect(quote(before, ['bid 50 @ 5800'])).toEqual(['cancel #1', 'dropped INSUFFICIENT_BALANCE', 'deferred']);
  });

  it('that ran out does not make the plan turn in circles', () => {
    const before = { cash: 40, orders: ['#1 BUY YES 68.96 @ 5800'] };
    expect(quote(before, ['bid 100 @ 5800'])).toEqual([]);
  });

  it('that came back lets a level grow', () => {
    const before = { cash: 55, orders: ['#1 BUY YES 68.96 @ 5800'] };
    expect(quote(before, ['bid 100 @ 5800'])).toEqual(['replace #1(68.96) by #10 BUY YES 94.82 @ 5800']);
  });

  it('held twice by a replace of others in flight is no debt', () => {
    const before = { available: -20, orders: ['#1 BUY YES 100 @ 5800'] };
    expect(quote(before, ['bid 100 @ 5790'])).toEqual(['replace #1(100) by #10 BUY YES 100 @ 5790']);
  });
});

describe('batches', () => {
  it('of a replace hold twenty places, the rest follows', () => {
    const wish = Array.from({ length: 25 }, (_, level) => `bid 10 @ ${5800 - 10 * level}`);
    const plan = quote({ orders: ['#1 BUY YES 10 @ 5810'] }, wish);
    expect(plan[0]?.split(',').length).toBe(19);
    expect(plan[1]).toBe('deferred');
    expect(quote({}, wish).length).toBe(25);
  });
});

function price(value: number) {
  return priceBps(value);
}
