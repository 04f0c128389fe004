import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BOOK_SIDE, Ladder } from '../../../src/book/index.ts';
import { parseShares } from '../../../src/domain/index.ts';
import { OrderFlowImbalance } from '../../../src/strategy/index.ts';

interface Top {
  readonly bid?: readonly [price: number, shares: number];
  readonly ask?: readonly [price: number, shares: number];
}

function bookOf({ bid, ask }: Top): Ladder {
  const book = new Ladder(1);
  if (bid !== undefined) book.set(BOOK_SIDE.bid, bid[0], parseShares('bid', bid[1]));
  if (ask !== undefined) book.set(BOOK_SIDE.ask, ask[0], parseShares('ask', ask[1]));
  return book;
}

function imbalanceAfter(...tops: readonly Top[]): number {
  const imbalance = new OrderFlowImbalance({ windowMs: 10_000 });
  for (const [time, top] of tops.entries()) imbalance.observe(time, bookOf(top));
  return imbalance.at(tops.length);
}

const START: Top = { bid: [5_800, 100], ask: [6_200, 50] };

describe('order flow imbalance', () => {
  it.each<[string, number, Top]>([
    ['shares added to the best bid', 30, { ...START, bid: [5_800, 130] }],
    ['shares removed from the best bid as negative', -60, { ...START, bid: [5_800, 40] }],
    ['the whole size of a better bid', 20, { ...START, bid: [5_810, 20] }],
    ['the whole size of a removed bid as negative', -100, { ...START, bid: [5_790, 500] }],
    ['shares removed from the best ask', 15, { ...START, ask: [6_200, 35] }],
    ['the whole size of a better ask as negative', -70, { ...START, ask: [6_190, 70] }],
    ['the whole size of a removed ask', 50, { ...START, ask: [6_210, 10] }],
    ['a side that empties', 50, { bid: [5_800, 100] }],
    ['zero without a change', 0, START],
  ])('counts %s', (_, expected, next) => {
    expect(imbalanceAfter(START, next)).toBe(expected);
  });

  it('is 0 after the first book', () => {
    expect(imbalanceAfter(START)).toBe(0);
  });

  it('drops a change that has left the window', () => {
    const imbalance = new OrderFlowImbalance({ windowMs: 1_000 });
    imbalance.observe(0, bookOf(START));
    imbalance.observe(100, bookOf({ ...START, bid: [5_800, 130] }));
    imbalance.observe(600, bookOf({ ...START, bid: [5_800, 140] }));
    expect([imbalance.at(1_099), imbalance.at(1_100), imbalance.at(1_600)]).toEqual([40, 10, 0]);
  });

  it('equals the formula of the paper, summed over the window', () => {
    const size = fc.integer({ min: 1, max: 5_000 });
    const top = fc.record({
      wait: fc.integer({ min: 0, max: 400 }),
      bid: fc.integer({ min: 1, max: 20 }),
      ask: fc.integer({ min: 21, max: 40 }),
      bidShares: size,
      askShares: size,
    });
    fc.assert(
      fc.property(fc.array(top, { minLength: 2, maxLength: 60 }), (tops) => {
        const imbalance = new OrderFlowImbalance({ windowMs: 2_000 });
        const terms: { readonly time: number; readonly term: number }[] = [];
        let time = 0;
        for (const [index, now] of tops.entries()) {
          time += now.wait;
          imbalance.observe(time, bookOf({ bid: [now.bid, now.bidShares], ask: [now.ask, now.askShares] }));
          const before = tops[index - 1];
          if (before === undefined) continue;
          let term = 0;
          if (now.bid >= before.bid) term += now.bidShares;
          if (now.bid <= before.bid) term -= before.bidShares;
          if (now.ask <= before.ask) term -= now.askShares;
          if (now.ask >= before.ask) term += before.askShares;
          terms.push({ time, term });
        }
        const sum = terms.filter((entry) => entry.time > time - 2_000).reduce((total, { term }) => total + term, 0);
        expect(imbalance.at(time)).toBeCloseTo(sum, 6);
      }),
    );
  });
});
