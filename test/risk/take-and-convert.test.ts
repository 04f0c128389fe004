import { describe, expect, it } from 'vitest';
import { type Intent, instanceNo, marketNo, priceBps, unchecked } from '../../src/domain/index.ts';
import { type Before, check, convert, gateWith, quoteOf, take, verdictLines, viewOf } from './check-text.ts';
import { NOON, usd } from './fake-account.ts';

const MARKET = marketNo(0);
const BOT = instanceNo(0);

describe('a take', () => {
  it.each<[string, Before, Intent, string[]]>([
    ['within all limits passes', {}, take('YES', 'BUY', 6100), ['take BUY YES 100 @ 6100']],
    [
      'may name a price of either side of the grid',
      { grid: { type: 'list', bids: [priceBps(5500)], asks: [priceBps(6101)] } },
      take('YES', 'BUY', 6101),
      ['take BUY YES 100 @ 6101'],
    ],
    ['off the grid is refused', {}, take('NO', 'BUY', 4105), ['OFF_GRID 5890/5895']],
    ['in a halted market is refused', { halted: true }, take('YES', 'BUY', 6100), ['MARKET_NOT_OPEN 1/0']],
    ['too small to be bought is refused', {}, take('YES', 'BUY', 6100, 0.5), ['BELOW_MIN 1/0.5']],
    ['of zero shares is refused', {}, take('YES', 'BUY', 6100, 0), ['BELOW_MIN 0.01/0']],
    [
      'that could hit an own ask is refused',
      { orders: ['#1 BUY NO 10 @ 3900'] },
      take('YES', 'BUY', 6100),
      ['SELF_TRADE 6100/6100'],
    ],
    [
      'that does not reach the own ask passes',
      { orders: ['#1 BUY NO 10 @ 3890'] },
      take('YES', 'BUY', 6100),
      ['take BUY YES 100 @ 6100'],
    ],
    [
      'that could hit an own bid is refused',
      { orders: ['#1 BUY YES 10 @ 5900 bot 1'] },
      take('NO', 'BUY', 4100),
      ['SELF_TRADE 5900/5900'],
    ],
    [
      'is granted beside takers in flight',
      { orders: ['#1 SELL YES 10 @ 5900 taker'], yes: 10 },
      take('YES', 'BUY', 6100),
      ['take BUY YES 100 @ 6100'],
    ],
  ])('%s', (_, before, intent, answer) => {
    expect(check({}, before, intent).filter((line) => line !== 'nothing approved')).toEqual(answer);
  });

  it('counts in addition to the own quotes, which it does not replace', () => {
    const orders = ['#1 BUY YES 40 @ 5800'];
    expect(check({ max_position: 100 }, { orders }, take('YES', 'BUY', 6100, 60))).toEqual(['take BUY YES 60 @ 6100']);
    expect(check({ max_position: 100 }, { orders }, take('NO', 'SELL', 3900, 60.01))).toEqual([
      'nothing approved',
      'MAX_POSITION 100/100.01',
    ]);
  });

  it('counts its fee in cash and in the worst case', () => {
    const limits = { feeRateBps: 200 };
    expect(check({}, { limits, cash: 61.48 }, take('YES', 'BUY', 6100))).toEqual(['take BUY YES 100 @ 6100']);
    expect(check({}, { limits, cash: 61.47 }, take('YES', 'BUY', 6100))).toEqual([
      'nothing approved',
      'INSUFFICIENT_BALANCE 61.47/61.4758',
    ]);
    expect(check({ max_notional_usd: 61.47 }, { limits }, take('YES', 'BUY', 6100))).toEqual([
      'nothing approved',
      'MAX_MARKET_NOTIONAL 61.47/61.4758',
    ]);
  });

  it('counts with its fee while in flight', () => {
    const before = { limits: { feeRateBps: 200 }, orders: ['#1 BUY YES 100 @ 6100 taker'] };
    const limits = { max_notional_usd: 62.64 };
    expect(check(limits, before, quoteOf(['bid 2 @ 5800']))).toEqual(['bid 2 @ 5800']);
    expect(check(limits, before, quoteOf(['bid 2.01 @ 5800']))).toEqual(['MAX_MARKET_NOTIONAL 62.64/62.6416']);
  });

  it('is limited by age of the book, collar, size and exposure', () => {
    const intent = take('YES', 'BUY', 6100);
    const old = { bookTime: unchecked.time(NOON - 5_001) };
    expect(check({ max_book_age_ms: 5_000 }, old, intent)[1]).toBe('STALE_BOOK 5000/5001');
    expect(check({ price_collar_bps: 99 }, {}, intent)[1]).toBe('PRICE_COLLAR 99/100');
    expect(check({ max_order: 99 }, {}, intent)[1]).toBe('MAX_ORDER 99/100');
    expect(check({}, { limits: { maxExposure: usd(60) } }, intent)[1]).toBe('EXPOSURE_LIMIT 60/61');
    expect(check({ max_open_orders: 0 }, {}, intent)).toEqual(['take BUY YES 100 @ 6100']);
  });

  it('counts for the next check in another market while in flight', () => {
    const gate = gateWith({ max_total_notional_usd: 100 });
    const markets = [
      { number: 0, bid: 5900, ask: 6100 },
      { number: 1, bid: 5900, ask: 6100 },
    ];
    expect(verdictLines(gate.check(take('YES', 'BUY', 6100), BOT, viewOf({ markets })))).toEqual([
      'take BUY YES 100 @ 6100',
    ]);
    const inFlight = [{ ...markets[0], orders: ['#1 BUY YES 100 @ 6100 taker'] }, { ...markets[1] }];
    const other = quoteOf(['bid 100 @ 5800'], undefined, 1);
    expect(verdictLines(gate.check(other, BOT, viewOf({ markets: inFlight })))).toEqual(['MAX_TOTAL_NOTIONAL 100/119']);
  });
});

describe('conversions', () => {
  it.each<[string, Before, Intent, string[]]>([
    ['a split for all available cash is granted', { cash: 5 }, convert('split', 5), ['split 5']],
    [
      'a split for more than the available cash is refused',
      { cash: 5 },
      convert('split', 5.01),
      ['INSUFFICIENT_BALANCE 5/5.01'],
    ],
    [
      'a split with negative available cash is refused',
      { available: -1 },
      convert('split', 1),
      ['INSUFFICIENT_BALANCE 0/1'],
    ],
    ['a split in a halted market is granted', { halted: true }, convert('split', 5), ['split 5']],
    [
      'a split after the close is refused',
      { status: 'PENDING_RESOLUTION' },
      convert('split', 5),
      ['MARKET_NOT_OPEN 1/0'],
    ],
    ['a split of zero pairs is refused', {}, convert('split', 0), ['BELOW_MIN 0.01/0']],
    ['a merge of all pairs is granted', { yes: 7, no: 5 }, convert('merge', 5), ['merge 5']],
    [
      'a merge of more pairs than held is refused',
      { yes: 7, no: 5 },
      convert('merge', 5.01),
      ['INSUFFICIENT_SHARES 5/5.01'],
    ],
    [
      'a merge of shares that are on sale is refused',
      { yes: 7, no: 5, orders: ['#1 SELL YES 4 @ 6200', '#2 SELL YES 1 @ 6200 bot 1'] },
      convert('merge', 3),
      ['INSUFFICIENT_SHARES 2/3'],
    ],
    ['a merge after the close is granted', { yes: 5, no: 5, status: 'RESOLVED' }, convert('merge', 5), ['merge 5']],
    [
      'a merge after the end is refused',
      { yes: 5, no: 5, status: 'CANCELLED' },
      convert('merge', 5),
      ['MARKET_NOT_OPEN 1/0'],
    ],
    [
      'a claim after the end is granted',
      { status: 'RESOLVED_UNCERTAIN' },
      { type: 'claim', market: MARKET },
      ['claim'],
    ],
    [
      'a claim before the end is refused',
      { status: 'RESOLVED' },
      { type: 'claim', market: MARKET },
      ['MARKET_NOT_FINAL 1/0'],
    ],
  ])('%s', (_, before, intent, answer) => {
    expect(check({}, before, intent).filter((line) => line !== 'nothing approved')).toEqual(answer);
  });
});
