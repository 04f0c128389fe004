import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/clock/index.ts';
import {
  type CloseReason,
  counted,
  epochMs,
  parseShares,
  priceBps,
  ZERO_SHARES,
  ZERO_USD,
} from '../../src/domain/index.ts';
import { makerHandlers, type QuoteWish } from '../../src/strategy/index.ts';
import { seenAccount, seenMarket } from './seen-market.ts';

const context = { bot: counted.bot(0), random: seededRandom(1), markets: [counted.market(0)] };
const bid: QuoteWish = { side: 'bid', price: 5_700, shares: parseShares('size', 10) };
const expected = [{ type: 'quote', market: 0, quotes: [{ side: 'bid', price: 5_700, shares: 10_000_000 }] }];
const told = { market: counted.market(0), order: counted.order(1), time: epochMs(5), venueTime: epochMs(4) };

function closed(reason: CloseReason) {
  return { type: 'orderClosed', reason, ...told } as const;
}

describe('handlers of a maker', () => {
  const handlers = makerHandlers(context, () => [bid]);
  const market = seenMarket();
  const view = seenAccount(market);

  it('ask for quotes after messages, status changes, limits and timers', () => {
    const timer = { type: 'timerFired', time: epochMs(5), bot: context.bot, timer: 'refresh' } as const;
    expect(handlers.onBook?.(market, view)).toEqual(expected);
    expect(handlers.onMarket?.(market, view)).toEqual(expected);
    expect(handlers.onConfig?.(market, view)).toEqual(expected);
    expect(handlers.onTimer?.(timer, view)).toEqual(expected);
  });

  it('ask for quotes at the start where a book is there, and for nothing where none is', () => {
    expect(handlers.onStart?.(view)).toEqual(expected);
    const empty = seenMarket({ bids: [], asks: [] });
    expect(handlers.onStart?.(seenAccount(empty))).toEqual([]);
  });

  it('ask for quotes after an own fill', () => {
    const fill = {
      type: 'orderFilled',
      ...told,
      outcome: 'YES',
      side: 'BUY',
      price: priceBps(5_700),
      shares: bid.shares,
      remaining: ZERO_SHARES,
      fee: ZERO_USD,
      liquidity: 'maker',
      tag: 'queue',
      inside: false,
    } as const;
    expect(handlers.onFill?.(fill, view)).toEqual(expected);
  });

  it('ask again when the venue closed an order, and not when they closed it themselves', () => {
    expect(handlers.onOrder?.(closed('FILLED'), view)).toEqual(expected);
    expect(handlers.onOrder?.(closed('TICK_CHANGED'), view)).toEqual(expected);
    expect(handlers.onOrder?.(closed('USER'), view)).toBeUndefined();
    expect(handlers.onOrder?.(closed('REPLACED'), view)).toBeUndefined();
  });

  it('do not knock again at once after a rejection', () => {
    const rejected = { type: 'orderRejected', reason: 'INSUFFICIENT_BALANCE', ...told } as const;
    expect(handlers.onOrder?.(rejected, view)).toBeUndefined();
  });

  it('leave a market alone where nothing stands and nothing has happened since the timer before', () => {
    const timer = { type: 'timerFired', time: epochMs(5), bot: context.bot, timer: 'refresh' } as const;
    const own = makerHandlers(context, () => [bid]);
    expect(own.onTimer?.(timer, view)).toEqual(expected);
    expect(own.onTimer?.(timer, view)).toEqual([]);
    own.onOrder?.({ type: 'orderRejected', reason: 'INSUFFICIENT_BALANCE', ...told }, view);
    expect(own.onTimer?.(timer, view)).toEqual(expected);
    expect(own.onTimer?.(timer, view)).toEqual([]);
    own.onBook?.(market, view);
    expect(own.onTimer?.(timer, view)).toEqual(expected);
  });

  it('go on looking after a market where an own order stands', () => {
    const timer = { type: 'timerFired', time: epochMs(5), bot: context.bot, timer: 'refresh' } as const;
    const own = makerHandlers(context, () => [bid]);
    const order = { ...told, bot: context.bot, outcome: 'YES', side: 'BUY', price: priceBps(5_700), sign: 1 } as const;
    const standing = {
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
    own.onTimer?.(timer, seenAccount(standing));
    expect(own.onTimer?.(timer, seenAccount(standing))).toEqual(expected);
  });

  it('withdraw without asking while the market cannot be quoted', () => {
    const silent = makerHandlers(context, () => {
      throw new Error('was asked');
    });
    const halted = seenMarket({ state: { acceptingOrders: false } });
    expect(silent.onBook?.(halted, seenAccount(halted))).toEqual([{ type: 'quote', market: 0, quotes: [] }]);
  });

  it('pass the tolerance on', () => {
    const tolerant = makerHandlers(context, () => [], { minAgeMs: 500 });
    expect(tolerant.onBook?.(market, view)).toEqual([
      { type: 'quote', market: 0, quotes: [], tolerance: { minAgeMs: 500 } },
    ]);
  });

  it('claim a final market as long as something is held', () => {
    const final = { status: 'RESOLVED_YES', acceptingOrders: false } as const;
    const [won, gone] = [seenMarket({ yes: 10, state: final }), seenMarket({ state: final })];
    expect(handlers.onMarket?.(won, seenAccount(won))).toEqual([{ type: 'claim', market: 0 }]);
    expect(handlers.onMarket?.(gone, seenAccount(gone))).toEqual([]);
  });
});
