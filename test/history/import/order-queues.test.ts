/** Recordings whose orders have ids (docs/spec/models.md#recorded-order-ids). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ImportCounts } from '../../../src/history/import/counts.ts';
import type { MarketImport } from '../../../src/history/import/market-import.ts';
import { TapeImport } from '../../../src/history/import/tape-import.ts';
import { fifoQueue } from '../../../src/replay/queue.ts';
import { type Block, BlockWriter, FLAG, KIND, SIDE } from '../../../src/tape/index.ts';
import { runs } from '../../runs.ts';
import { textOfRows } from './tape-rows.ts';

const SHARE = 1_000_000;
const { bid, ask } = SIDE;
const grid = { type: 'tick', tickBps: 100 } as const;

/** Opens a tape of one market that passes on its rows after each message. */
function openTape(onRows: (block: Block) => void) {
  const out = new BlockWriter(onRows);
  const counts = new ImportCounts();
  const tape = new TapeImport(out, counts);
  const market = tape.addMarket({ grid });
  let time = 0;
  return {
    counts,
    market,
    message(fill: (market: MarketImport) => void): void {
      time += 1;
      tape.begin(time);
      fill(market);
      tape.end();
      out.finish();
    },
  };
}

function rowsOf(...messages: ((market: MarketImport) => void)[]) {
  const rows: string[] = [];
  const { message, counts } = openTape((block) => {
    for (const row of textOfRows(block)) rows.push(row);
  });
  for (const fill of messages) message(fill);
  const reasons = (of: 'dropped' | 'changed') => [...counts[of]].map(([reason, { count }]) => `${count} x ${reason}`);
  return { rows, dropped: reasons('dropped'), changed: reasons('changed') };
}

describe('orders with ids', () => {
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
    expect(changed).toEqual(['1 x level below the sum of its orders: the orders become unknown']);
  });

  it('removes all orders in a gap', () => {
    const { message, market } = openTape(() => undefined);
    message(() => market.insertOrder('a', bid, 4_000, SHARE));
    message(() => market.gap());
    message(() => {
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
      '1 x order with the id of an open order',
      '1 x order of 0 shares',
      '2 x negative size',
      '1 x price not between 0 and 1',
    ]);
    expect(changed).toEqual(['1 x cancel of more than the rest of its order']);
    expect(rows).toEqual([]);
  });
});

interface Step {
  readonly what: 'insert' | 'cancel' | 'reduce' | 'trade';
  readonly price: number;
  readonly pick: number;
  readonly shares: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom('insert', 'insert', 'cancel', 'reduce', 'trade'),
  price: fc.constantFrom(4_000, 4_100),
  pick: fc.nat(1_000),
  shares: fc.integer({ min: 1, max: 40 }),
});

/** Reference implementation that keeps each order. */
class NaiveOrders {
  orders: { readonly id: string; readonly price: number; shares: number; readonly since: number }[] = [];
  #ids = 0;

  /** Applies a step to the importer and to the list. */
  apply({ what, price, pick, shares }: Step, since: number, market: MarketImport): void {
    const there = this.orders.filter((order) => order.price === price);
    if (what === 'insert') {
      this.#ids += 1;
      this.orders.push({ id: `${this.#ids}`, price, shares, since });
      market.insertOrder(`${this.#ids}`, bid, price, shares * SHARE);
    } else if (what === 'trade') {
      let left = shares;
      for (const order of there) {
        const taken = Math.min(left, order.shares);
        if (taken === 0) break;
        market.trade(ask, price, taken * SHARE);
        market.cancelOrder(order.id, taken * SHARE);
        order.shares -= taken;
        left -= taken;
      }
    } else {
      const order = there[pick % Math.max(1, there.length)];
      if (order === undefined) return;
      const less = what === 'cancel' ? order.shares : Math.min(shares, order.shares);
      market.cancelOrder(order.id, what === 'cancel' ? undefined : less * SHARE);
      order.shares -= less;
    }
    this.orders = this.orders.filter((order) => order.shares > 0);
  }

  /** Shares of orders at a price that arrived up to a message. */
  before(price: number, message: number): number {
    return this.orders.reduce((sum, o) => sum + (o.price === price && o.since <= message ? o.shares : 0), 0);
  }
}

/** An own order that arrived after a message, advanced by the rows of the tape and the queue model `fifo`. */
interface Own {
  readonly price: number;
  readonly since: number;
  front: number;
  printed: number;
}

it('the queue model fifo has the same shares ahead of an own order as a list of all orders', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { maxLength: 25 }),
      fc.nat(24),
      (messages, saveAt) => {
        const naive = new NaiveOrders();
        const queue = fifoQueue();
        const levels = new Map<number, number>();
        const own: Own[] = [];
        const onRows = (block: Block): void => {
          let ahead: number | undefined;
          for (let row = 0; row < block.count; row += 1) {
            const [kind, price, shares] = [block.kind[row], block.price[row] ?? 0, (block.shares[row] ?? 0) / SHARE];
            if (kind === KIND.ahead) {
              ahead = shares;
              continue;
            }
            for (const order of own.filter((each) => each.price === price)) {
              if (kind === KIND.trade) {
                order.front = Math.max(0, order.front - shares);
                order.printed += shares;
              } else {
                order.front = queue.afterSet(order.front, levels.get(price) ?? 0, shares, order.printed, ahead);
                order.printed = 0;
              }
            }
            if (kind === KIND.level) levels.set(price, shares);
            ahead = undefined;
          }
          expect((block.flags[block.count - 1] ?? 0) & FLAG.last).toBe(FLAG.last);
        };
        let tape = openTape(onRows);
        for (const [at, steps] of messages.entries()) {
          if (at === saveAt) {
            const saved = JSON.parse(JSON.stringify(tape.market.save()));
            tape = openTape(onRows);
            tape.market.restore(saved);
          }
          tape.message((market) => {
            for (const each of steps) naive.apply(each, at, market);
          });
          for (const order of own) expect(order.front).toBe(naive.before(order.price, order.since));
          for (const price of [4_000, 4_100]) {
            expect(levels.get(price) ?? 0).toBe(naive.before(price, at));
            own.push({ price, since: at, front: levels.get(price) ?? 0, printed: 0 });
          }
        }
        expect([...tape.counts.dropped.keys(), ...tape.counts.changed.keys()]).toEqual([]);
      },
    ),
    { numRuns: runs(1_000) },
  );
});
