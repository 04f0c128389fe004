/** Recordings whose orders have ids (docs/spec/models.md#recorded-order-ids). */
import { describe, expect, it } from 'vitest';
import { SHARE } from '../../../src/domain/index.ts';
import type { MarketImport } from '../../../src/history/import/market-import.ts';
import { SIDE } from '../../../src/tape/index.ts';
import { openImport } from './open-import.ts';

const { bid, ask } = SIDE;

function rowsOf(...messages: ((market: MarketImport) => void)[]) {
  const { message, rows, dropped, changed } = openImport();
  for (const [at, write] of messages.entries()) message(at + 1, write);
  return { rows: rows(), dropped: dropped(), changed: changed() };
}

describe('an import of orders with ids', () => {
  it('writes the shares ahead of an order that is cancelled or reduced', () => {
    const { rows } = rowsOf(
      (market) => {
        market.insertOrder('a', bid, 4_000, 10 * SHARE);
        market.insertOrder('b', bid, 4_000, 20 * SHARE);
        market.insertOrder('c', ask, 6_000, 5 * SHARE);
      },
      (market) => market.cancelOrder('b', 5 * SHARE),
      (market) => market.cancelOrder('a'),
      (market) => market.cancelOrder('b'),
    );
    expect(rows).toEqual([
      '1 level bid 4000 30',
      '1 level ask 6000 5 |',
      '2 ahead bid 4000 10',
      '2 level bid 4000 25 |',
      '3 ahead bid 4000 0',
      '3 level bid 4000 15 |',
      '4 ahead bid 4000 0',
      '4 level bid 4000 0 |',
    ]);
  });

  it('writes reductions by trades first, then cancels, then new orders', () => {
    const { rows } = rowsOf(
      (market) => {
        for (const id of ['a', 'b', 'c']) market.insertOrder(id, ask, 6_000, 10 * SHARE);
      },
      (market) => {
        market.insertOrder('d', ask, 6_000, 40 * SHARE);
        market.cancelOrder('c');
        market.trade(bid, 6_000, 15 * SHARE);
        market.cancelOrder('a');
        market.cancelOrder('b', 5 * SHARE);
      },
    );
    expect(rows).toEqual([
      '1 level ask 6000 30 |',
      '2 trade bid 6000 15',
      '2 level ask 6000 15',
      '2 ahead ask 6000 5',
      '2 level ask 6000 5',
      '2 level ask 6000 45 |',
    ]);
  });

  it('explains a reduction by a trade of an earlier message', () => {
    const { rows } = rowsOf(
      (market) => {
        for (const id of ['a', 'b', 'c']) market.insertOrder(id, bid, 4_000, 10 * SHARE);
      },
      (market) => market.trade(ask, 4_000, 10 * SHARE),
      (market) => market.insertOrder('d', bid, 4_000, 10 * SHARE),
      (market) => market.cancelOrder('a'),
      (market) => market.cancelOrder('b'),
    );
    expect(rows.slice(1)).toEqual([
      '2 trade ask 4000 10 |',
      '3 level bid 4000 40 |',
      '4 level bid 4000 30 |',
      '5 ahead bid 4000 0',
      '5 level bid 4000 20 |',
    ]);
  });

  it('does not explain a later reduction by a trade whose reduction is in the same message', () => {
    const { rows } = rowsOf(
      (market) => {
        market.insertOrder('a', bid, 4_000, 20 * SHARE);
        market.trade(ask, 4_000, 10 * SHARE);
        market.cancelOrder('a', 10 * SHARE);
      },
      (market) => market.cancelOrder('a', 4 * SHARE),
    );
    expect(rows).toEqual([
      '1 trade ask 4000 10',
      '1 level bid 4000 10 |',
      '2 ahead bid 4000 0',
      '2 level bid 4000 6 |',
    ]);
  });

  it('ranks sizes without an order id before all orders, and writes no queue position for their cancels', () => {
    const { rows } = rowsOf(
      (market) => {
        market.fullBook();
        market.level(bid, 4_000, 50 * SHARE);
      },
      (market) => market.insertOrder('a', bid, 4_000, 10 * SHARE),
      (market) => market.levelDelta(bid, 4_000, -20 * SHARE),
      (market) => market.cancelOrder('a', 5 * SHARE),
    );
    expect(rows).toEqual([
      '1 level bid 4000 50 |',
      '2 level bid 4000 60 |',
      '3 level bid 4000 40 |',
      '4 ahead bid 4000 30',
      '4 level bid 4000 35 |',
    ]);
  });

  it('keeps orders over a repeated full book, and removes those of a level below their sum', () => {
    const { rows, changed } = rowsOf(
      (market) => {
        for (const price of [4_000, 4_100]) market.insertOrder(`${price}`, bid, price, 10 * SHARE);
      },
      (market) => {
        market.fullBook();
        market.level(bid, 4_000, 10 * SHARE);
        market.level(bid, 4_100, 9 * SHARE);
      },
      (market) => {
        market.cancelOrder('4000');
        expect(market.cancelOrder('4100')).toBe(false);
      },
    );
    expect(rows.slice(2)).toEqual(['2 level bid 4100 9 |', '3 ahead bid 4000 0', '3 level bid 4000 0 |']);
    expect(changed).toEqual(['level below the sum of its orders: the orders become unknown 1']);
  });

  it('removes all orders in a gap', () => {
    const { message, market } = openImport();
    message(1, () => market.insertOrder('a', bid, 4_000, SHARE));
    message(2, () => market.gap());
    message(3, () => {
      market.fullBook();
      market.level(bid, 4_000, SHARE);
      expect(market.cancelOrder('a')).toBe(false);
    });
  });

  it('rounds the shares ahead of an order up to lots', () => {
    const { rows } = rowsOf(
      (market) => {
        market.insertOrder('a', bid, 4_000, 15_000);
        market.insertOrder('b', bid, 4_000, 25_000);
      },
      (market) => market.cancelOrder('b'),
    );
    expect(rows).toEqual(['1 level bid 4000 0.04 |', '2 ahead bid 4000 0.02', '2 level bid 4000 0.01 |']);
  });

  it('counts invalid orders and cancels', () => {
    const { dropped, changed, rows } = rowsOf((market) => {
      market.insertOrder('a', bid, 4_000, 10 * SHARE);
      market.insertOrder('a', bid, 4_100, 10 * SHARE);
      market.insertOrder('b', bid, 4_100, 0);
      market.insertOrder('b', bid, 4_100, -SHARE);
      market.insertOrder('b', bid, 0, SHARE);
      market.cancelOrder('a', -SHARE);
      market.cancelOrder('a', 11 * SHARE);
    });
    expect(dropped).toEqual([
      'order with the id of an open order 1',
      'order of 0 shares 1',
      'negative size 2',
      'price not between 0 and 1 1',
    ]);
    expect(changed).toEqual(['cancel of more than the rest of its order 1']);
    expect(rows).toEqual([]);
  });
});
