import { describe, expect, it } from 'vitest';
import { quote } from './scenario.ts';

describe('the price tolerance', () => {
  const orders = ['#1 BUY YES 100 @ 5800'];

  it.each(['bid 100 @ 5850', 'bid 100 @ 5750'])('of 0.9 % leaves an order at 5800 for %s', (line) => {
    expect(quote({ orders }, [line], { pricePct: 0.9 })).toEqual([]);
  });

  it.each([5860, 5740])('of 0.9 % moves an order from 5800 to %i', (price) => {
    expect(quote({ orders }, [`bid 100 @ ${price}`], { pricePct: 0.9 })).toEqual([
      `replace #1(100) by #10 BUY YES 100 @ ${price}`,
    ]);
  });

  it('prefers the order at the exact price', () => {
    const two = ['#1 BUY YES 100 @ 5790', '#2 BUY YES 100 @ 5800'];
    expect(quote({ orders: two }, ['bid 100 @ 5800'], { pricePct: 1 })).toEqual(['cancel #1']);
  });

  it('never keeps a bid that reaches a new ask', () => {
    const before = { bid: 5700, ask: 6100, orders };
    expect(quote(before, ['bid 100 @ 5780', 'ask 10 @ 5800'], { pricePct: 1 })).toEqual([
      'replace #1(100) by #10 BUY YES 100 @ 5780, #11 BUY NO 10 @ 4200',
    ]);
  });

  it('does not keep two orders that together exceed the size of a quote', () => {
    const two = ['#1 BUY YES 60 @ 5800', '#2 BUY YES 60 @ 5790'];
    expect(quote({ orders: two }, ['bid 100 @ 5800'], { pricePct: 1 })).toEqual([
      'replace #2(60) #1(60) by #10 BUY YES 100 @ 5800',
    ]);
  });
});

describe('the age of an order', () => {
  it('below the minimum keeps an order that is less aggressive than its quote', () => {
    const orders = ['#1 BUY YES 100 @ 5800 age 999'];
    expect(quote({ orders }, ['bid 100 @ 5850'], { minAgeMs: 1000 })).toEqual([]);
  });

  it('above the minimum lets the order move', () => {
    const orders = ['#1 BUY YES 100 @ 5800 age 1000'];
    expect(quote({ orders }, ['bid 100 @ 5850'], { minAgeMs: 1000 })).toEqual([
      'replace #1(100) by #10 BUY YES 100 @ 5850',
    ]);
  });

  it.each([
    ['#1 BUY YES 100 @ 5800 age 1', 'bid 100 @ 5790', 'BUY YES 100 @ 5790'],
    ['#1 BUY NO 100 @ 3800 age 1', 'ask 100 @ 6210', 'BUY NO 100 @ 3790'],
  ])('does not keep an order that is more aggressive: %s', (order, line, place) => {
    expect(quote({ orders: [order] }, [line], { minAgeMs: 1000 })).toEqual([`replace #1(100) by #10 ${place}`]);
  });

  it('does not keep an order of a withdrawn side', () => {
    expect(quote({ orders: ['#1 BUY YES 100 @ 5800 age 1'] }, [], { minAgeMs: 1000 })).toEqual(['cancel #1']);
  });

  it('does not prevent a reduction', () => {
    const orders = ['#1 BUY YES 100 @ 5800 age 1'];
    expect(quote({ orders }, ['bid 60 @ 5810'], { minAgeMs: 1000 })).toEqual(['reduce #1 by 40']);
  });

  it.each([
    [5000, []],
    [5001, ['replace #1(100) by #10 BUY YES 100 @ 5800']],
  ])('of %s ms renews an order when the maximum is 5000', (age, commands) => {
    expect(quote({ orders: [`#1 BUY YES 100 @ 5800 age ${age}`] }, ['bid 100 @ 5800'], { maxAgeMs: 5000 })).toEqual(
      commands,
    );
  });
});
