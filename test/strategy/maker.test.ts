import { describe, expect, it } from 'vitest';
import {
  type CloseReason,
  epochMs,
  type PriceGrid,
  parseShares,
  priceBps,
  type Quote,
  unchecked,
  ZERO_SHARES,
  ZERO_USD,
} from '../../src/domain/index.ts';
import { isQuotable, makerHandlers, makerQuotes, type QuoteSpec } from '../../src/strategy/index.ts';
import { contextOf } from './context.ts';
import { accountView, type MarketSpec, marketView } from './market-view.ts';

const context = contextOf();
const bid: QuoteSpec = { side: 'bid', price: 5_700, shares: parseShares('size', 10) };
const expected = [{ type: 'quote', market: 0, quotes: [{ side: 'bid', price: 5_700, shares: 10_000_000 }] }];
const received = { market: unchecked.market(0), order: unchecked.order(1), time: epochMs(5), venueTime: epochMs(4) };

function closed(reason: CloseReason) {
  return { type: 'orderClosed', reason, ...received } as const;
}

describe('the handlers of a maker', () => {
  const handlers = makerHandlers(context, () => [bid]);
  const market = marketView();
  const view = accountView(market);

  it('call the quote function after messages, status changes, limits and timers', () => {
    const timer = { type: 'timerFired', time: epochMs(5), bot: context.bot, timer: 'refresh' } as const;
    expect(handlers.onBook?.(market, view)).toEqual(expected);
    expect(handlers.onMarket?.(market, view)).toEqual(expected);
    expect(handlers.onConfig?.(market, view)).toEqual(expected);
    expect(handlers.onTimer?.(timer, view)).toEqual(expected);
  });

  it('call the quote function at the start only when there is a book', () => {
    expect(handlers.onStart?.(view)).toEqual(expected);
    const empty = marketView({ bids: [], asks: [] });
    expect(handlers.onStart?.(accountView(empty))).toEqual([]);
  });

  it('call the quote function after an own fill', () => {
    const fill = {
      type: 'orderFilled',
      ...received,
      outcome: 'YES',
      side: 'BUY',
      price: priceBps(5_700),
      shares: bid.shares,
      remaining: ZERO_SHARES,
      fee: ZERO_USD,
      liquidity: 'maker',
      basis: 'queue',
      inside: false,
    } as const;
    expect(handlers.onFill?.(fill, view)).toEqual(expected);
  });

  it('call the quote function after an order that the venue closed, not after an own cancel or replace', () => {
    expect(handlers.onOrderClosed?.(closed('FILLED'), view)).toEqual(expected);
    expect(handlers.onOrderClosed?.(closed('TICK_CHANGED'), view)).toEqual(expected);
    expect(handlers.onOrderClosed?.(closed('USER'), view)).toBeUndefined();
    expect(handlers.onOrderClosed?.(closed('REPLACED'), view)).toBeUndefined();
  });

  it('do not call the quote function directly after a rejection', () => {
    const rejected = { type: 'orderRejected', reason: 'INSUFFICIENT_BALANCE', ...received } as const;
    expect(handlers.onOrderRejected?.(rejected, view)).toBeUndefined();
  });

  it('skip a market without orders and without events since the previous timer', () => {
    const timer = { type: 'timerFired', time: epochMs(5), bot: context.bot, timer: 'refresh' } as const;
    const own = makerHandlers(context, () => [bid]);
    expect(own.onTimer?.(timer, view)).toEqual(expected);
    expect(own.onTimer?.(timer, view)).toEqual([]);
    own.onOrderRejected?.({ type: 'orderRejected', reason: 'INSUFFICIENT_BALANCE', ...received }, view);
    expect(own.onTimer?.(timer, view)).toEqual(expected);
    expect(own.onTimer?.(timer, view)).toEqual([]);
    own.onBook?.(market, view);
    expect(own.onTimer?.(timer, view)).toEqual(expected);
  });

  it('check a market with an open own order', () => {
    const timer = { type: 'timerFired', time: epochMs(5), bot: context.bot, timer: 'refresh' } as const;
    const own = makerHandlers(context, () => [bid]);
    const order = {
      ...received,
      bot: context.bot,
      outcome: 'YES',
      side: 'BUY',
      price: priceBps(5_700),
      sign: 1,
    } as const;
    const withOrder = {
      ...market,
      orders: [
        {
          ...order,
          yesPrice: order.price,
          remaining: bid.shares,
          phase: 'live',
          since: epochMs(0),
          rests: true,
        } as const,
      ],
    };
    own.onTimer?.(timer, accountView(withOrder));
    expect(own.onTimer?.(timer, accountView(withOrder))).toEqual(expected);
  });

  it('withdraw without a call while the market cannot be quoted', () => {
    const failing = makerHandlers(context, () => {
      throw new Error('was called');
    });
    const halted = marketView({ state: { acceptingOrders: false } });
    expect(failing.onBook?.(halted, accountView(halted))).toEqual([{ type: 'quote', market: 0, quotes: [] }]);
  });

  it('add the tolerance to each quote intent', () => {
    const tolerant = makerHandlers(context, () => [], { minAgeMs: 500 });
    expect(tolerant.onBook?.(market, view)).toEqual([
      { type: 'quote', market: 0, quotes: [], tolerance: { minAgeMs: 500 } },
    ]);
  });

  it('claim holdings in a final market', () => {
    const final = { status: 'RESOLVED_YES', acceptingOrders: false } as const;
    const [held, empty] = [marketView({ yes: 10, state: final }), marketView({ state: final })];
    expect(handlers.onMarket?.(held, accountView(held))).toEqual([{ type: 'claim', market: 0 }]);
    expect(handlers.onMarket?.(empty, accountView(empty))).toEqual([]);
  });
});

/** Converts intended quotes to placed quotes, both as text: `bid 5800 x 100`. */
function quotes(spec: MarketSpec, ...intents: readonly string[]): readonly string[] {
  return makerQuotes(marketView(spec), intents.map(quoteOf)).map(quoteText);
}

function quoteOf(line: string): QuoteSpec {
  const [side, price, , size] = line.split(' ');
  return { side: side === 'bid' ? 'bid' : 'ask', price: Number(price), shares: parseShares('size', size ?? '') };
}

function quoteText({ side, price, shares }: Quote): string {
  return `${side} ${price} x ${shares / 1_000_000}`;
}

describe('the quotes of a maker', () => {
  it('are rounded away from the middle: bids down, asks up', () => {
    expect(quotes({}, 'bid 5770.26 x 100', 'ask 6172.08 x 100')).toEqual(['bid 5770 x 100', 'ask 6180 x 100']);
  });

  it('stay as they are on the grid', () => {
    expect(quotes({}, 'bid 5770 x 100', 'ask 6180 x 100')).toEqual(['bid 5770 x 100', 'ask 6180 x 100']);
  });

  it('use the price list of each side', () => {
    const grid: PriceGrid = { type: 'list', bids: [5798, 5846].map(priceBps), asks: [6117, 6212].map(priceBps) };
    const spec = { grid, asks: [[6300, 1]] as const };
    expect(quotes(spec, 'bid 5845 x 10', 'ask 6118 x 10')).toEqual(['bid 5798 x 10', 'ask 6212 x 10']);
  });

  it('stop one step before the opposite price of others', () => {
    expect(quotes({}, 'bid 6200 x 100', 'ask 5000 x 100')).toEqual(['bid 6190 x 100', 'ask 5810 x 100']);
  });

  it('omit a side beyond the grid and never move it inside', () => {
    const high = { bids: [[9680, 10]] as const, asks: [[9720, 10]] as const };
    expect(quotes(high, 'bid 9767.27 x 100', 'ask 10221 x 100')).toEqual(['bid 9710 x 100']);
    expect(quotes({}, 'bid 9.99 x 100', 'bid -300 x 100')).toEqual([]);
  });

  it('are omitted if no price is left behind the opposite best price', () => {
    expect(quotes({ bids: [], asks: [[10, 1]] }, 'bid 500 x 100')).toEqual([]);
    expect(quotes({ asks: [], bids: [[9990, 1]] }, 'ask 500 x 100')).toEqual([]);
  });

  it('merge levels that fall on one price', () => {
    expect(quotes({}, 'bid 5769 x 100', 'bid 5761 x 50', 'bid 5759 x 7')).toEqual(['bid 5760 x 150', 'bid 5750 x 7']);
  });

  it('omit a purchase under one share or under ten cents', () => {
    expect(quotes({}, 'bid 5770 x 0.99', 'ask 6180 x 0.99')).toEqual([]);
    const dear = { bids: [[9900, 1]] as const, asks: [] };
    // 50 shares of NO at 10 bps cost five cents, 100 of them ten.
    expect(quotes(dear, 'ask 9990 x 50')).toEqual([]);
    expect(quotes(dear, 'ask 9990 x 100')).toEqual(['ask 9990 x 100']);
  });

  it('sell holdings of any size, and only these if the rest is too small to buy', () => {
    expect(quotes({ yes: 0.5 }, 'ask 6180 x 0.5')).toEqual(['ask 6180 x 0.5']);
    expect(quotes({ no: 0.5 }, 'bid 5770 x 0.7')).toEqual(['bid 5770 x 0.5']);
    expect(quotes({ yes: 30 }, 'ask 6180 x 30.5')).toEqual(['ask 6180 x 30']);
    expect(quotes({ yes: 30 }, 'ask 6180 x 31')).toEqual(['ask 6180 x 31']);
  });

  it('sell holdings once, at the best level first', () => {
    expect(quotes({ yes: 1 }, 'ask 6180 x 0.7', 'ask 6190 x 0.7')).toEqual(['ask 6180 x 0.7', 'ask 6190 x 0.3']);
  });

  it('omit levels without a size', () => {
    expect(quotes({}, 'bid 5770 x 0')).toEqual([]);
  });
});

describe('a market is quotable', () => {
  it.each([
    ['when open with both sides', {}, true],
    ['not when halted', { state: { acceptingOrders: false } }, false],
    ['not without bids', { bids: [] }, false],
    ['not without asks', { asks: [] }, false],
    ['not when the book is crossed', { bids: [[6300, 1]] as const }, false],
  ])('%s', (_, spec, expected) => {
    expect(isQuotable(marketView(spec))).toBe(expected);
  });
});

describe('the tag of a level', () => {
  it('is the tag of the quote, and the first one of levels at one price', () => {
    const level = (price: number, tag?: string): QuoteSpec => ({
      ...bid,
      price,
      ...(tag === undefined ? {} : { tag }),
    });
    const quotes = makerQuotes(marketView(), [
      level(5_700, 'inner'),
      level(5_702, 'same price'),
      level(5_600),
      level(5_500, 'outer'),
    ]);
    expect(quotes.map(({ price, tag }) => [price, tag])).toEqual([
      [5_700, 'inner'],
      [5_600, undefined],
      [5_500, 'outer'],
    ]);
  });
});
