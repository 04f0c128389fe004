import { describe, expect, it } from 'vitest';
import { priceBps } from '../../src/domain/index.ts';
import { quote } from './scenario.ts';

describe('the best opposite price', () => {
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

  it('at the end of the grid leaves no valid price', () => {
    expect(quote({ bid: undefined, ask: 10 }, ['bid 10 @ 10'])).toEqual([]);
    expect(quote({ bid: 9990, ask: undefined }, ['ask 10 @ 9990'])).toEqual([]);
  });

  it('on a grid of listed prices limits a quote to the next listed price', () => {
    const grid = { type: 'list', bids: [5500, 5714, 5882], asks: [5501, 5715, 5883] } as const;
    const before = { grid: { type: 'list' as const, bids: grid.bids.map(priceBps), asks: grid.asks.map(priceBps) } };
    expect(quote({ ...before, bid: 5500, ask: 5883 }, ['bid 10 @ 5882', 'ask 10 @ 5501'])).toEqual([
      '#10 BUY YES 10 @ 5882',
      '#11 BUY NO 10 @ 4499',
    ]);
    expect(quote({ ...before, bid: 5500, ask: 5715 }, ['bid 10 @ 5882'])).toEqual(['#10 BUY YES 10 @ 5714']);
  });
});

describe('the legs of a quote', () => {
  it('sell free shares first and buy the other outcome for the rest', () => {
    expect(quote({ yes: 30, no: 20 }, ['bid 100 @ 5800', 'ask 100 @ 6200'])).toEqual([
      '#10 SELL YES 30 @ 6200',
      '#11 BUY NO 70 @ 3800',
      '#12 SELL NO 20 @ 4200',
      '#13 BUY YES 80 @ 5800',
    ]);
  });

  it('do not use shares that another strategy sells', () => {
    const orders = ['#1 SELL YES 20 @ 6300 bot 1'];
    expect(quote({ yes: 30, orders }, ['ask 100 @ 6200'])).toEqual(['#10 SELL YES 10 @ 6200', '#11 BUY NO 90 @ 3800']);
  });

  it('use shares that the same replace frees', () => {
    const orders = ['#1 SELL YES 30 @ 6210'];
    expect(quote({ yes: 30, orders }, ['ask 30 @ 6200'])).toEqual(['replace #1(30) by #10 SELL YES 30 @ 6200']);
  });

  it('together make up the size of the quote', () => {
    const orders = ['#1 SELL YES 30 @ 6200', '#2 BUY NO 70 @ 3800'];
    expect(quote({ yes: 30, orders }, ['ask 100 @ 6200'])).toEqual([]);
  });

  it('at the right price and size are not replaced when shares arrive', () => {
    expect(quote({ yes: 100, orders: ['#1 BUY NO 100 @ 3800'] }, ['ask 100 @ 6200'])).toEqual([]);
  });

  it('are replaced by a sale when the cash is needed', () => {
    const before = { yes: 100, cash: 50, orders: ['#1 BUY NO 100 @ 3800'] };
    expect(quote(before, ['ask 100 @ 6200', 'bid 50 @ 5800'])).toEqual([
      'replace #1(100) by #10 SELL YES 100 @ 6200, #11 BUY YES 50 @ 5800',
    ]);
  });

  it('are replaced by a sale together with another leg of the quote that is replaced', () => {
    const before = { yes: 60, cash: 40, orders: ['#1 SELL YES 20 @ 6200', '#2 BUY NO 80 @ 3800'] };
    expect(quote(before, ['ask 100 @ 6200', 'bid 50 @ 5800'])).toEqual([
      'replace #2(80) #1(20) by #10 SELL YES 60 @ 6200, #11 BUY NO 40 @ 3800, #12 BUY YES 42.75 @ 5800',
      'dropped INSUFFICIENT_BALANCE',
    ]);
  });

  it('below the smallest bet are left out and reported', () => {
    expect(quote({}, ['ask 50 @ 9990'])).toEqual(['dropped BELOW_MIN']);
    expect(quote({}, ['ask 100 @ 9990'])).toEqual(['#10 BUY NO 100 @ 10']);
    expect(quote({ yes: 20 }, ['ask 70 @ 9990'])).toEqual(['#10 SELL YES 20 @ 9990', 'dropped BELOW_MIN']);
  });

  it('below the smallest order are left out, except sales of all remaining shares', () => {
    expect(quote({ yes: 9.01 }, ['ask 10 @ 6200'])).toEqual(['#10 SELL YES 9.01 @ 6200', 'dropped BELOW_MIN']);
    expect(quote({ yes: 9 }, ['ask 10 @ 6200'])).toEqual(['#10 SELL YES 9 @ 6200', '#11 BUY NO 1 @ 3800']);
    expect(quote({ yes: 0.5 }, ['ask 0.5 @ 6200'])).toEqual(['#10 SELL YES 0.5 @ 6200']);
  });

  it('that are left out are not retried', () => {
    const orders = ['#1 SELL YES 0.6 @ 6200'];
    expect(quote({ yes: 0.6, orders }, ['ask 1.2 @ 6200'])).toEqual([]);
  });
});

describe('cash for quotes', () => {
  it('goes to the best level first, and the last one is cut to what is left', () => {
    const quoteLines = ['bid 100 @ 5800', 'ask 100 @ 6200', 'bid 100 @ 5700', 'ask 100 @ 6300'];
    expect(quote({ cash: 120 }, quoteLines)).toEqual([
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
  ])('of %s dollars is compared with the 96 that quotes at 5800/6200 cost without a position', (cash, commands) => {
    expect(quote({ cash }, ['bid 100 @ 5800', 'ask 100 @ 6200'])).toEqual(commands);
  });

  it('includes cash that the same replace frees', () => {
    const before = { cash: 58, orders: ['#1 BUY YES 100 @ 5800'] };
    expect(quote(before, ['bid 100 @ 5700'])).toEqual(['replace #1(100) by #10 BUY YES 100 @ 5700']);
    expect(quote(before, ['bid 100 @ 5810'])).toEqual([
      'replace #1(100) by #10 BUY YES 99.82 @ 5810',
      'dropped INSUFFICIENT_BALANCE',
    ]);
  });

  it('excludes cash of a withdrawn side until its cancel is confirmed', () => {
    const before = { cash: 38, orders: ['#1 BUY NO 100 @ 3800'] };
    expect(quote(before, ['bid 50 @ 5800'])).toEqual(['cancel #1', 'dropped INSUFFICIENT_BALANCE', 'deferred']);
  });

  it('that is exhausted does not make the plan oscillate', () => {
    const before = { cash: 40, orders: ['#1 BUY YES 68.96 @ 5800'] };
    expect(quote(before, ['bid 100 @ 5800'])).toEqual([]);
  });

  it('that returns lets a level grow', () => {
    const before = { cash: 55, orders: ['#1 BUY YES 68.96 @ 5800'] };
    expect(quote(before, ['bid 100 @ 5800'])).toEqual(['replace #1(68.96) by #10 BUY YES 94.82 @ 5800']);
  });

  it('may be negative while a replace in flight reserves it twice', () => {
    const before = { available: -20, orders: ['#1 BUY YES 100 @ 5800'] };
    expect(quote(before, ['bid 100 @ 5790'])).toEqual(['replace #1(100) by #10 BUY YES 100 @ 5790']);
  });
});
