import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SHARE } from '../../../src/domain/index.ts';
import { ImportCounts } from '../../../src/history/import/counts.ts';
import type { MarketImport } from '../../../src/history/import/market-import.ts';
import { TapeImport } from '../../../src/history/import/tape-import.ts';
import { fifoQueue } from '../../../src/replay/queue.ts';
import { type Block, BlockWriter, FLAG, KIND, SIDE } from '../../../src/tape/index.ts';
import { runs } from '../../runs.ts';

const { bid, ask } = SIDE;

/** Opens a tape of one market. `onRows` receives the rows of each message. */
function openTape(onRows: (block: Block) => void) {
  const out = new BlockWriter(onRows);
  const counts = new ImportCounts();
  const tape = new TapeImport(out, counts);
  const market = tape.addMarket({ grid: { type: 'tick', tickBps: 100 } });
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

interface Step {
  readonly action: 'insert' | 'cancel' | 'reduce' | 'trade';
  readonly price: number;
  readonly pick: number;
  readonly shares: number;
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  action: fc.constantFrom('insert', 'insert', 'cancel', 'reduce', 'trade'),
  price: fc.constantFrom(4_000, 4_100),
  pick: fc.nat(1_000),
  shares: fc.integer({ min: 1, max: 40 }),
});

/** Reference implementation with a list of all orders. */
class NaiveOrders {
  orders: { readonly id: string; readonly price: number; shares: number; readonly since: number }[] = [];
  #ids = 0;

  /** Applies a step to the importer and to the list. */
  apply({ action, price, pick, shares }: Step, since: number, market: MarketImport): void {
    const level = this.orders.filter((order) => order.price === price);
    if (action === 'insert') {
      this.#ids += 1;
      this.orders.push({ id: `${this.#ids}`, price, shares, since });
      market.insertOrder(`${this.#ids}`, bid, price, shares * SHARE);
    } else if (action === 'trade') {
      let left = shares;
      for (const order of level) {
        const filled = Math.min(left, order.shares);
        if (filled === 0) break;
        market.trade(ask, price, filled * SHARE);
        market.cancelOrder(order.id, filled * SHARE);
        order.shares -= filled;
        left -= filled;
      }
    } else {
      const order = level[pick % Math.max(1, level.length)];
      if (order === undefined) return;
      const less = action === 'cancel' ? order.shares : Math.min(shares, order.shares);
      market.cancelOrder(order.id, action === 'cancel' ? undefined : less * SHARE);
      order.shares -= less;
    }
    this.orders = this.orders.filter((order) => order.shares > 0);
  }

  /** Remaining shares at a price of the orders that arrived before or with a message. */
  before(price: number, message: number): number {
    return this.orders.reduce((sum, o) => sum + (o.price === price && o.since <= message ? o.shares : 0), 0);
  }
}

/** An own order that arrived after a message, advanced by the rows of the tape and the queue model `fifo`. */
interface OwnOrder {
  readonly price: number;
  readonly since: number;
  front: number;
  printed: number;
}

it('the queue model fifo computes the same shares ahead of an own order as a list of all orders', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(anyStep, { minLength: 1, maxLength: 5 }), { maxLength: 25 }),
      fc.nat(24),
      (messages, saveAt) => {
        const naive = new NaiveOrders();
        const queue = fifoQueue();
        const levels = new Map<number, number>();
        const own: OwnOrder[] = [];
        const onRows = (block: Block): void => {
          let ahead: number | undefined;
          for (let row = 0; row < block.count; row += 1) {
            const [kind, price, shares] = [block.kind[row], block.price[row] ?? 0, (block.shares[row] ?? 0) / SHARE];
            if (kind === KIND.ahead) {
              ahead = shares;
              continue;
            }
            for (const order of own.filter((order) => order.price === price)) {
              if (kind === KIND.trade) {
                order.front = Math.max(0, order.front - shares);
                order.printed += shares;
              } else {
                order.front = queue.frontAfter(order.front, levels.get(price) ?? 0, shares, order.printed, ahead);
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
            for (const step of steps) naive.apply(step, at, market);
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
