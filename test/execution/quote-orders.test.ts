import { describe, expect, it } from 'vitest';
import type { Intent } from '../../src/domain/index.ts';
import { microShares, priceBps, unchecked } from '../../src/domain/index.ts';
import { describePlan, plan, quote } from './scenario.ts';

describe('quotes without open orders', () => {
  it('buy YES for a bid and NO at the complement for an ask', () => {
    expect(quote({}, ['bid 100 @ 5800', 'ask 100 @ 6200'])).toEqual([
      '#10 BUY YES 100 @ 5800',
      '#11 BUY NO 100 @ 3800',
    ]);
  });

  it('are placed from the best level outwards, those that shrink the position first', () => {
    const quoteLines = ['bid 10 @ 5800', 'bid 20 @ 5790', 'ask 10 @ 6200', 'ask 20 @ 6210'];
    expect(quote({ yes: 5 }, quoteLines)).toEqual([
      '#10 SELL YES 5 @ 6200',
      '#11 BUY NO 5 @ 3800',
      '#12 BUY YES 10 @ 5800',
      '#13 BUY NO 20 @ 3790',
      '#14 BUY YES 20 @ 5790',
    ]);
  });

  it('send nothing for an empty set', () => {
    expect(quote({}, [])).toEqual([]);
  });
});

describe('open orders', () => {
  it('stay when they match the quotes', () => {
    const orders = ['#1 BUY YES 100 @ 5800', '#2 BUY NO 100 @ 3800'];
    expect(quote({ orders }, ['bid 100 @ 5800', 'ask 100 @ 6200'])).toEqual([]);
  });

  it('stay while the venue has not accepted them yet', () => {
    expect(quote({ orders: ['#1 BUY YES 100 @ 5800 new'] }, ['bid 100 @ 5800'])).toEqual([]);
  });

  it('are all cancelled for an empty quote set', () => {
    const orders = ['#1 BUY YES 100 @ 5800', '#2 BUY NO 100 @ 3800', '#3 SELL YES 5 @ 6300'];
    expect(quote({ yes: 5, orders }, [])).toEqual(['cancel #2', 'cancel #3', 'cancel #1']);
  });

  it('of other strategies and takers in flight are not touched', () => {
    const orders = ['#1 BUY YES 100 @ 5800 bot 1', '#2 BUY YES 100 @ 6100 taker'];
    expect(quote({ orders }, [])).toEqual([]);
  });

  it('move in one replace that states the expected remaining sizes', () => {
    const orders = ['#1 BUY YES 100 @ 5800', '#2 BUY NO 70 @ 3800'];
    expect(quote({ orders }, ['bid 100 @ 5810', 'ask 100 @ 6210'])).toEqual([
      'replace #1(100) #2(70) by #10 BUY YES 100 @ 5810, #11 BUY NO 100 @ 3790',
    ]);
  });

  it('of a withdrawn side are cancelled separately, so that a refused replace does not keep them', () => {
    const orders = ['#1 BUY YES 100 @ 5800', '#2 BUY NO 100 @ 3800'];
    expect(quote({ orders }, ['bid 100 @ 5810'])).toEqual(['cancel #2', 'replace #1(100) by #10 BUY YES 100 @ 5810']);
  });

  it('count together for levels at one price', () => {
    const orders = ['#1 BUY YES 70 @ 5800', '#2 BUY YES 30 @ 5800'];
    expect(quote({ orders }, ['bid 40 @ 5800', 'bid 60 @ 5800'])).toEqual([]);
  });

  it('beyond the quoted size are cancelled from the newest', () => {
    const orders = ['#1 BUY YES 60 @ 5800', '#2 BUY YES 60 @ 5800'];
    expect(quote({ orders }, ['bid 60 @ 5800'])).toEqual(['cancel #2']);
  });
});

describe('levels at one price', () => {
  it('become orders no larger than the largest of them', () => {
    expect(quote({ no: 30 }, ['bid 40 @ 5800', 'bid 60 @ 5800'])).toEqual([
      '#10 SELL NO 30 @ 4200',
      '#11 BUY YES 60 @ 5800',
      '#12 BUY YES 10 @ 5800',
    ]);
  });

  it('can result from levels beyond the best opposite price', () => {
    expect(quote({}, ['bid 40 @ 6120', 'bid 40 @ 6110', 'bid 40 @ 6080'])).toEqual([
      '#10 BUY YES 40 @ 6090',
      '#11 BUY YES 40 @ 6090',
      '#12 BUY YES 40 @ 6080',
    ]);
  });

  it('omit a last order that would be too small', () => {
    expect(quote({ no: 39.5 }, ['bid 40 @ 5800', 'bid 40 @ 5800'])).toEqual([
      '#10 SELL NO 39.5 @ 4200',
      '#11 BUY YES 40 @ 5800',
      'dropped BELOW_MIN',
    ]);
    expect(quote({}, ['bid 0.9 @ 5800', 'bid 0.9 @ 5800'])).toEqual(['dropped BELOW_MIN']);
  });
});

describe('sizes of open orders', () => {
  it('are reduced in place, which keeps the queue position', () => {
    expect(quote({ orders: ['#1 BUY YES 100 @ 5800'] }, ['bid 60 @ 5800'])).toEqual(['reduce #1 by 40']);
  });

  it('are reduced on the newest order', () => {
    const orders = ['#1 SELL YES 60 @ 6200', '#2 BUY NO 60 @ 3800'];
    expect(quote({ yes: 60, orders }, ['ask 100 @ 6200'])).toEqual(['reduce #2 by 20']);
  });

  it('are reduced by a cancel where nothing would remain of an order', () => {
    const orders = ['#1 BUY YES 60 @ 5800', '#2 BUY YES 30 @ 5800', '#3 BUY YES 20 @ 5800'];
    expect(quote({ orders }, ['bid 70 @ 5800'])).toEqual(['cancel #3', 'reduce #2 by 20']);
  });

  it.each([
    [90, []],
    [89.99, ['replace #1(89.99) by #10 BUY YES 100 @ 5800']],
  ])('stay up to a tenth below the quote: %s of 100', (size, commands) => {
    expect(quote({ orders: [`#1 BUY YES ${size} @ 5800`] }, ['bid 100 @ 5800'])).toEqual(commands);
  });

  it('more than a tenth below the quote wait for an order in flight', () => {
    expect(quote({ orders: ['#1 BUY YES 50 @ 5800 new'] }, ['bid 100 @ 5800'])).toEqual(['deferred']);
  });

  it('grow by a second order when placements are delayed, so that the level is never empty', () => {
    const before = { placeDelayMs: 5000, orders: ['#1 BUY YES 60 @ 5800'] };
    expect(quote(before, ['bid 100 @ 5800'])).toEqual(['#10 BUY YES 40 @ 5800']);
  });

  it('are not extended by a new level until a reduction is confirmed', () => {
    expect(quote({ orders: ['#1 BUY YES 100 @ 5800'] }, ['bid 60 @ 5800', 'bid 40 @ 5790'])).toEqual([
      'reduce #1 by 40',
      'deferred',
    ]);
  });
});

describe('batches', () => {
  it('of a replace hold twenty new orders, and the rest follows', () => {
    const quoteLines = Array.from({ length: 25 }, (_, level) => `bid 10 @ ${5800 - 10 * level}`);
    const plan = quote({ orders: ['#1 BUY YES 10 @ 5810'] }, quoteLines);
    expect(plan[0]?.split(',').length).toBe(19);
    expect(plan[1]).toBe('deferred');
    expect(quote({}, quoteLines).length).toBe(25);
  });
});

describe('a venue without replace and reduce', () => {
  const bid = (shares: number, price: number): Intent => ({
    type: 'quote',
    market: unchecked.market(0),
    quotes: [{ side: 'bid', price: priceBps(price), shares: microShares(shares * 1_000_000) }],
  });
  const planWithoutReplace = (orders: readonly string[], intent: Intent) =>
    describePlan(plan({ orders }, intent, { cancelsFirst: true }));

  it('receives a cancel before the order is placed at the new price', () => {
    expect(planWithoutReplace(['#1 BUY YES 100 @ 5800'], bid(100, 5_810))).toEqual(['cancel #1', 'deferred']);
    expect(planWithoutReplace([], bid(100, 5_810))).toEqual(['#10 BUY YES 100 @ 5810']);
  });

  it('receives a cancel for an order that is too large, not a reduction', () => {
    expect(planWithoutReplace(['#1 BUY YES 100 @ 5800'], bid(40, 5_800))).toEqual(['cancel #1', 'deferred']);
  });
});
