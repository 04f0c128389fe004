import { describe, expect, it } from 'vitest';
import { quote } from './scenario.ts';

describe('an order in flight', () => {
  it('that matches no quote is left alone until the venue answers', () => {
    expect(quote({ orders: ['#1 BUY YES 100 @ 5800 new'] }, [])).toEqual(['deferred']);
    expect(quote({ orders: ['#1 BUY YES 100 @ 5800 reducing'] }, [])).toEqual(['deferred']);
    expect(quote({ orders: ['#1 BUY YES 100 @ 5800 cancelling'] }, [])).toEqual([]);
  });

  it('delays new orders of its side only', () => {
    const orders = ['#1 BUY YES 100 @ 5800 cancelling'];
    expect(quote({ orders }, ['bid 100 @ 5810', 'ask 100 @ 6200'])).toEqual(['#10 BUY NO 100 @ 3800', 'deferred']);
  });

  it('never delays cancels', () => {
    const orders = ['#1 BUY YES 100 @ 5800 cancelling', '#2 BUY YES 100 @ 5790'];
    expect(quote({ orders }, ['bid 100 @ 5810'])).toEqual(['cancel #2', 'deferred']);
  });

  it('that is larger than its quote delays its side', () => {
    const orders = ['#1 BUY YES 100 @ 5800 reducing'];
    expect(quote({ orders }, ['bid 60 @ 5800', 'bid 40 @ 5790'])).toEqual(['deferred']);
  });

  it('in a replace prevents a second replace', () => {
    const orders = ['#1 BUY YES 100 @ 5800 cancelling', '#2 BUY YES 100 @ 5810 new'];
    expect(quote({ orders }, ['bid 100 @ 5810'])).toEqual([]);
  });

  it('of a refused replace is cancelled separately, and the quotes wait for the next answer', () => {
    const orders = ['#1 BUY YES 80 @ 5800', '#2 BUY YES 100 @ 5810 new'];
    expect(quote({ orders }, ['bid 100 @ 5810'])).toEqual(['cancel #1', 'deferred']);
  });

  it('keeps a bid away from an own ask that may still be open', () => {
    const orders = ['#1 BUY NO 100 @ 4150 cancelling'];
    expect(quote({ bid: 5700, orders }, ['bid 100 @ 5850'])).toEqual(['deferred']);
    expect(quote({ bid: 5700, orders }, ['bid 100 @ 5840'])).toEqual(['#10 BUY YES 100 @ 5840']);
  });

  it('keeps an ask away from an own bid that is cancelled separately', () => {
    const orders = ['#1 BUY YES 100 @ 5900'];
    expect(quote({ bid: 5700, orders }, ['ask 100 @ 5900'])).toEqual(['cancel #1', 'deferred']);
    expect(quote({ bid: 5700, orders }, ['ask 100 @ 5910'])).toEqual(['cancel #1', '#10 BUY NO 100 @ 4090']);
  });

  it('lets both sides move past each other in one step', () => {
    const before = { bid: 5500, ask: 6500, orders: ['#1 BUY YES 100 @ 5800', '#2 BUY NO 100 @ 4100'] };
    expect(quote(before, ['bid 100 @ 6000', 'ask 100 @ 6100'])).toEqual([
      'replace #1(100) #2(100) by #10 BUY YES 100 @ 6000, #11 BUY NO 100 @ 3900',
    ]);
  });
});

describe('a placement delay', () => {
  const placeDelayMs = 5000;

  it('lets cancels go at once and delays new orders of that side', () => {
    const orders = ['#1 BUY YES 100 @ 5800'];
    expect(quote({ placeDelayMs, orders }, ['bid 100 @ 5810', 'ask 100 @ 6200'])).toEqual([
      'cancel #1',
      '#10 BUY NO 100 @ 3800',
      'deferred',
    ]);
  });
});
