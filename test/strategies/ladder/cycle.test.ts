import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { epochMs, microShares, priceBps, SHARE, unchecked, ZERO_USD } from '../../../src/domain/index.ts';
import type { OrderFilled } from '../../../src/strategy/index.ts';
import { LadderCycle } from '../../../strategies/ladder/cycle.ts';
import { ladderLevels } from '../../../strategies/ladder/levels.ts';
import { ladderParams } from '../../../strategies/ladder/params.ts';
import strategy from '../../../strategies/ladder/strategy.ts';
import { contextOf } from '../../strategy/context.ts';
import { accountView, marketView } from '../../strategy/market-view.ts';

const EXAMPLE = {
  bid_spread: 60,
  ask_spread: 60,
  order_amount: 100,
  order_refresh_time: 4,
  inventory_skew_enabled: false,
  max_position: 10_000,
};

/** A cycle with times in seconds and sizes in shares. */
function cycleOf(change: Record<string, unknown>) {
  const params = ladderParams.parse({ ...EXAMPLE, ...change });
  const cycle = new LadderCycle(params);
  return {
    quotesAt: (seconds: number, mid: number) =>
      cycle
        .quotes(seconds * 1_000, mid, () => ladderLevels(params, { bid: mid, ask: mid }, 0))
        .map(({ side, price, shares }) => `${side} ${price}${shares === 100 * SHARE ? '' : ` x ${shares / SHARE}`}`),
    fill: (seconds: number, side: 'bid' | 'ask', price: number, shares = 100) =>
      cycle.onFill({ side, price, shares: shares * SHARE }, seconds * 1_000),
    withdraw: () => cycle.withdraw(),
    next: () => cycle.nextChange / 1_000,
  };
}

const HANGING = { hanging_orders_enabled: true, hanging_orders_cancel_pct: 5, filled_order_delay: 8 };

describe('hanging orders of the ladder', () => {
  it('stay after the other order of the pair was filled, until the mid is too far away', () => {
    const { quotesAt, fill, next } = cycleOf(HANGING);
    expect(quotesAt(1, 6_000)).toEqual(['bid 5940', 'ask 6060']);
    fill(1.5, 'bid', 5_940);
    expect(quotesAt(1.5, 6_000)).toEqual(['ask 6060']);
    expect(next()).toBe(5);
    expect(quotesAt(5, 6_000)).toEqual(['ask 6060']);
    expect(next()).toBe(9.5);
    expect(quotesAt(9, 5_950)).toEqual(['ask 6060']);
    expect(quotesAt(10, 5_950)).toEqual(['ask 6060', 'bid 5890', 'ask 6010']);
    expect(quotesAt(11, 5_560)).toContain('ask 6060');
    expect(quotesAt(11, 5_550)).not.toContain('ask 6060');
  });

  it('start no delay when they are filled', () => {
    const { quotesAt, fill } = cycleOf(HANGING);
    quotesAt(1, 6_000);
    fill(1.5, 'bid', 5_940);
    quotesAt(5, 6_000);
    fill(9.4, 'ask', 6_060);
    expect(quotesAt(9.5, 6_000)).toEqual(['bid 5940', 'ask 6060']);
  });

  it('do not exist when neither or both of a pair were filled, or only partly', () => {
    for (const fills of [[], ['bid', 'ask']] as const) {
      const { quotesAt, fill } = cycleOf(HANGING);
      quotesAt(1, 6_000);
      for (const side of fills) fill(1.5, side, side === 'bid' ? 5_940 : 6_060);
      expect(quotesAt(20, 5_900)).toEqual(['bid 5840', 'ask 5960']);
    }
    const { quotesAt, fill } = cycleOf(HANGING);
    quotesAt(1, 6_000);
    fill(1.5, 'bid', 5_940, 99);
    expect(quotesAt(2, 6_000)).toEqual(['bid 5940 x 1', 'ask 6060']);
    expect(quotesAt(5, 5_900)).toEqual(['bid 5840', 'ask 5960']);
  });

  it('are cancelled when the market halts', () => {
    const { quotesAt, fill, withdraw } = cycleOf(HANGING);
    quotesAt(1, 6_000);
    fill(1.5, 'bid', 5_940);
    quotesAt(5, 6_000);
    withdraw();
    expect(quotesAt(6, 6_000)).toEqual([]);
    expect(quotesAt(9.5, 6_000)).toEqual(['bid 5940', 'ask 6060']);
  });
});

describe('the delay after a fill', () => {
  it('quotes the other side until the refresh, and then nothing until the delay ends', () => {
    const { quotesAt, fill } = cycleOf({ filled_order_delay: 8 });
    quotesAt(1, 6_000);
    fill(1.5, 'bid', 5_940);
    expect(quotesAt(4.9, 5_950)).toEqual(['ask 6060']);
    expect(quotesAt(5, 5_950)).toEqual([]);
    expect(quotesAt(9.4, 5_950)).toEqual([]);
    expect(quotesAt(9.5, 5_950)).toEqual(['bid 5890', 'ask 6010']);
  });

  it('does not start with a partial fill', () => {
    const { quotesAt, fill } = cycleOf({ filled_order_delay: 8 });
    quotesAt(1, 6_000);
    fill(1.5, 'bid', 5_940, 40);
    expect(quotesAt(5, 5_950)).toEqual(['bid 5890', 'ask 6010']);
  });
});

describe('ping-pong of the ladder', () => {
  it('omits the innermost levels of the side that was filled more often', () => {
    const { quotesAt, fill } = cycleOf({ ping_pong_enabled: true, order_levels: 3 });
    quotesAt(1, 6_000);
    fill(2, 'ask', 6_060);
    fill(2, 'ask', 6_110);
    fill(2, 'bid', 5_940);
    expect(quotesAt(3, 6_000)).toEqual(['bid 5940', 'bid 5890', 'bid 5840', 'ask 6110', 'ask 6160']);
  });

  it('quotes all levels again when both sides were filled equally often', () => {
    const { quotesAt, fill } = cycleOf({ ping_pong_enabled: true });
    quotesAt(1, 6_000);
    fill(2, 'ask', 6_060);
    expect(quotesAt(2, 6_000)).toEqual(['bid 5940']);
    fill(3, 'bid', 5_940);
    expect(quotesAt(3, 6_000)).toEqual(['bid 5940', 'ask 6060']);
  });
});

describe('minimum_spread of the ladder', () => {
  it('cancels an order nearer to the mid than the minimum, and omits it until the next refresh', () => {
    const { quotesAt } = cycleOf({ minimum_spread: 40 });
    expect(quotesAt(1, 5_950)).toEqual(['bid 5890', 'ask 6010']);
    expect(quotesAt(2, 5_930)).toEqual(['bid 5890', 'ask 6010']);
    expect(quotesAt(3, 5_929)).toEqual(['ask 6010']);
    expect(quotesAt(4, 5_950)).toEqual(['ask 6010']);
    expect(quotesAt(5, 5_950)).toEqual(['bid 5890', 'ask 6010']);
  });
});

describe('cycles of the ladder', () => {
  it('give the same quotes twice at one time, and a next change within the longest delay', () => {
    const step = fc.record({
      seconds: fc.integer({ min: 0, max: 5_000 }),
      mid: fc.integer({ min: 3_000, max: 7_000 }),
      side: fc.constantFrom('bid' as const, 'ask' as const),
      shares: fc.integer({ min: 1, max: 100 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const cycle = cycleOf({ ...HANGING, ping_pong_enabled: true, order_levels: 2 });
        let now = 0;
        for (const { seconds, mid, side, shares } of steps) {
          now += seconds / 1_000;
          const before = cycle.quotesAt(now, mid);
          expect(cycle.quotesAt(now, mid)).toEqual(before);
          const quote = before.find((text) => text.startsWith(side));
          if (quote === undefined) continue;
          cycle.fill(now, side, Number(quote.split(' ')[1]), shares);
          expect(cycle.next()).toBeLessThanOrEqual(now + 8);
        }
      }),
    );
  });

  it('are run by the strategy, which sets a timer for the end of the delay and then quotes', () => {
    const set: string[] = [];
    const context = {
      ...contextOf(),
      timers: { set: (name: string, delay: object) => set.push(`${name} ${JSON.stringify(delay)}`), clear: () => {} },
    };
    const params = strategy.params.parse({ ...EXAMPLE, ...HANGING });
    const handlers = strategy.create(params, context);
    const book = { bids: [[5_900, 100]], asks: [[6_100, 100]] } as const;
    const market = marketView(book);
    const quotes = (intents: ReturnType<NonNullable<typeof handlers.onBook>>) =>
      (intents ?? []).flatMap((intent) =>
        intent.type === 'quote' ? intent.quotes.map(({ side, price }) => `${side} ${price}`) : [],
      );
    expect(quotes(handlers.onBook?.(market, accountView(market, 1)))).toEqual(['bid 5940', 'ask 6060']);
    const fill: OrderFilled = {
      type: 'orderFilled',
      market: unchecked.market(0),
      order: unchecked.order(1),
      time: epochMs(1_500),
      venueTime: epochMs(1_500),
      outcome: 'NO',
      side: 'BUY',
      price: priceBps(3_940),
      shares: microShares(100 * SHARE),
      remaining: microShares(0),
      liquidity: 'maker',
      basis: 'through',
      inside: false,
      fee: ZERO_USD,
    };
    expect(quotes(handlers.onFill?.(fill, accountView(market, 1.5)))).toEqual(['bid 5940']);
    const timer = { type: 'timerFired', bot: context.bot, timer: 'cycle', time: epochMs(9_500) } as const;
    expect(quotes(handlers.onTimer?.({ ...timer, time: epochMs(5_000) }, accountView(market, 5)))).toEqual([
      'bid 5940',
    ]);
    expect(quotes(handlers.onTimer?.(timer, accountView(market, 9.5)))).toEqual(['bid 5940', 'ask 6060']);
    expect(set).toEqual(['cycle {"afterMs":4000}', 'cycle {"afterMs":4500}', 'cycle {"afterMs":4000}']);
    const halted = marketView({ ...book, state: { acceptingOrders: false } });
    expect(quotes(handlers.onMarket?.(halted, accountView(halted, 10)))).toEqual([]);
  });
});
