import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  instanceNo,
  type Link,
  LOT,
  marketNo,
  priceBps,
  type Quote,
  unchecked,
  type VenueMode,
} from '../../src/domain/index.ts';
import { type Before, check, convert, gateWith, quotes, take, viewOf } from './check-text.ts';

const MARKET = marketNo(0);
const BOT = instanceNo(0);
const BOTH = ['bid 100 @ 5800', 'ask 100 @ 6200'];

describe('REDUCING', () => {
  const reducing = (before: Before, lines: readonly string[]) => quotes({}, before, lines, 'REDUCING');

  it('approves orders that reduce the position, up to its whole size', () => {
    expect(reducing({ yes: 100 }, BOTH)).toEqual(['ask 100 @ 6200', 'REDUCE_ONLY 0/100']);
    expect(reducing({ no: 100 }, BOTH)).toEqual(['bid 100 @ 5800', 'REDUCE_ONLY 0/100']);
    expect(reducing({}, BOTH)).toEqual(['REDUCE_ONLY 0/100', 'REDUCE_ONLY 0/100']);
    expect(reducing({ yes: 100, no: 100 }, BOTH)).toEqual(['REDUCE_ONLY 0/100', 'REDUCE_ONLY 0/100']);
  });

  it('cuts an order that would reverse the position', () => {
    expect(reducing({ yes: 99.99 }, ['ask 60 @ 6200', 'ask 60 @ 6210', 'ask 1 @ 6220'])).toEqual([
      'ask 60 @ 6200',
      'ask 39.99 @ 6210',
      'REDUCE_ONLY 39.99/60',
      'REDUCE_ONLY 0/1',
    ]);
  });

  it('counts the orders of other strategies and takers in flight', () => {
    const orders = ['#1 SELL YES 30 @ 6300 bot 1', '#2 SELL YES 20 @ 5900 taker'];
    expect(reducing({ yes: 100, orders }, ['ask 60 @ 6200'])).toEqual(['ask 50 @ 6200', 'REDUCE_ONLY 50/60']);
  });

  it('applies to takes and refuses splits, but approves merges and claims', () => {
    expect(check({}, { yes: 60 }, take('YES', 'SELL', 5900), 'REDUCING')).toEqual([
      'take SELL YES 60 @ 5900',
      'REDUCE_ONLY 60/100',
    ]);
    expect(check({}, { yes: 60 }, take('YES', 'BUY', 6100), 'REDUCING')).toEqual([
      'nothing approved',
      'REDUCE_ONLY 0/100',
    ]);
    expect(check({}, {}, convert('split', 5), 'REDUCING')).toEqual(['nothing approved', 'REDUCE_ONLY 0/5']);
    expect(check({}, { yes: 5, no: 5 }, convert('merge', 5), 'REDUCING')).toEqual(['merge 5']);
  });

  it('never grants more than the position in total, for any number of quotes', () => {
    const lot = fc.integer({ min: 0, max: 20_000 });
    const line = fc.record({
      side: fc.constantFrom<Quote['side']>('bid', 'ask'),
      price: fc.integer({ min: 400, max: 800 }),
      lots: lot,
    });
    fc.assert(
      fc.property(fc.array(line), lot, lot, (lines, yes, no) => {
        const view = viewOf({ yes: yes / 100, no: no / 100 });
        const quotes = lines.map(({ side, price, lots }) => ({
          side,
          price: priceBps(10 * price),
          shares: unchecked.shares(lots * LOT),
        }));
        const { approved } = gateWith({}, 'REDUCING').check({ type: 'quote', market: MARKET, quotes }, BOT, view);
        const granted = approved?.type === 'quote' ? approved.quotes : [];
        expect(granted.every(({ side }) => side === (yes > no ? 'ask' : 'bid'))).toBe(true);
        expect(granted.reduce((sum, quote) => sum + quote.shares, 0)).toBeLessThanOrEqual(Math.abs(yes - no) * LOT);
      }),
    );
  });
});

describe('PAUSED', () => {
  it('cancels quotes and refuses everything', () => {
    expect(quotes({}, {}, BOTH, 'PAUSED')).toEqual(['PAUSED 0/1', 'PAUSED 0/1']);
    const refused = ['nothing approved', 'PAUSED 0/1'];
    expect(check({}, { yes: 60 }, take('YES', 'SELL', 5900, 60), 'PAUSED')).toEqual(refused);
    expect(check({}, { yes: 5, no: 5 }, convert('merge', 5), 'PAUSED')).toEqual(refused);
  });

  it('ends with a resume or a kill', () => {
    const gate = gateWith({}, 'PAUSED');
    gate.setMode('REDUCING');
    expect(gate.mode).toBe('PAUSED');
    gate.setMode('KILLED');
    gate.setMode('PAUSED');
    expect(gate.mode).toBe('KILLED');
    gate.setMode('ACTIVE');
    gate.setMode('PAUSED');
    gate.setMode('ACTIVE');
    expect(gate.mode).toBe('ACTIVE');
  });

  it('does not reset losses when it ends', () => {
    const gate = gateWith({ daily_loss_usd: 10 });
    gate.checkLosses(viewOf({ exitEquity: 100 }));
    gate.setMode('PAUSED');
    gate.setMode('ACTIVE');
    expect(gate.checkLosses(viewOf({ exitEquity: 80 }))).toMatchObject({ code: 'DAILY_LOSS' });
  });
});

describe('the reason of a mode', () => {
  it("is the operator's reason or the breach, and is cleared with the mode", () => {
    const gate = gateWith({ daily_loss_usd: 10 });
    gate.setMode('KILLED', 'CLOCK_SKEW');
    expect(gate.reason).toBe('CLOCK_SKEW');
    gate.setMode('REDUCING', 'no');
    expect(gate.reason).toBe('CLOCK_SKEW');
    gate.setMode('ACTIVE', 'checked');
    expect(gate.reason).toBeUndefined();
    gate.checkLosses(viewOf({ exitEquity: 100 }));
    gate.checkLosses(viewOf({ exitEquity: 80 }));
    expect([gate.mode, gate.reason]).toEqual(['KILLED', 'the loss since 00:00 UTC is $20.00 ($10.00 allowed)']);
  });
});

describe('the state of the venue', () => {
  const venue = (mode: VenueMode, link: Link = 'UP') => ({ yes: 60, no: 5, venue: { mode, link } });

  it.each([
    ['NORMAL', 'UP', 'granted'],
    ['POST_ONLY', 'UP', 'granted'],
    ['CANCEL_ONLY', 'UP', 'VENUE_MODE 1/0'],
    ['HALTED', 'UP', 'VENUE_MODE 1/0'],
    ['NORMAL', 'DOWN', 'LINK_DOWN 1/0'],
    ['HALTED', 'DOWN', 'LINK_DOWN 1/0'],
  ] as const)('%s with the link %s: a quote is %s', (mode, link, expected) => {
    const lines = expected === 'granted' ? ['bid 100 @ 5800'] : [expected];
    expect(quotes({}, venue(mode, link), ['bid 100 @ 5800'])).toEqual(lines);
    const merged = expected === 'granted' ? ['merge 5'] : ['nothing approved', expected];
    expect(check({}, venue(mode, link), convert('merge', 5))).toEqual(merged);
  });

  it('refuses takes while it is POST_ONLY', () => {
    const sale = take('YES', 'SELL', 5900, 60);
    expect(check({}, venue('POST_ONLY'), sale)).toEqual(['nothing approved', 'VENUE_MODE 1/0']);
    expect(check({}, venue('NORMAL'), sale)).toEqual(['take SELL YES 60 @ 5900']);
  });

  it('does not affect a claim', () => {
    const claim = { type: 'claim', market: MARKET } as const;
    expect(check({}, { ...venue('HALTED', 'DOWN'), status: 'RESOLVED_YES' }, claim)).toEqual(['claim']);
  });
});

describe('KILLED', () => {
  it('cancels quotes and refuses everything', () => {
    expect(quotes({}, {}, BOTH, 'KILLED')).toEqual(['KILLED 0/1', 'KILLED 0/1']);
    const refused = ['nothing approved', 'KILLED 0/1'];
    expect(check({}, { yes: 60 }, take('YES', 'SELL', 5900, 60), 'KILLED')).toEqual(refused);
    expect(check({}, {}, convert('split', 5), 'KILLED')).toEqual(refused);
    expect(check({}, { yes: 5, no: 5 }, convert('merge', 5), 'KILLED')).toEqual(refused);
    expect(check({}, { status: 'RESOLVED_YES' }, { type: 'claim', market: MARKET }, 'KILLED')).toEqual(refused);
  });

  it('ends only with a resume', () => {
    const gate = gateWith({}, 'KILLED');
    gate.setMode('REDUCING');
    expect(gate.mode).toBe('KILLED');
    gate.setMode('ACTIVE');
    expect(gate.mode).toBe('ACTIVE');
    gate.setMode('REDUCING');
    expect(gate.mode).toBe('REDUCING');
  });
});
