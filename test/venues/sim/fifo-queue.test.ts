/** Own orders in the queue of a recording with order ids (docs/spec/models.md#recorded-order-ids). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fifoQueue } from '../../../src/replay/queue.ts';
import { Harness } from './harness.ts';

/** A book with 100 shares at the bid 5900, and an own order behind them. */
function harness(): { readonly sim: Harness; readonly order: ReturnType<Harness['place']> } {
  const sim = new Harness({ queue: fifoQueue() });
  sim.message('bid 5800 100', 'ask 6200 100', 'bid 5900 100');
  return { sim, order: sim.place('bid 50 @ 5900') };
}

describe('the queue model fifo', () => {
  it('moves an order forward by cancels ahead of it, not by cancels behind it', () => {
    const { sim, order } = harness();
    expect(sim.front(order)).toBe(100);
    sim.message('bid 5900 130');
    sim.message('ahead bid 5900 40', 'bid 5900 110');
    expect(sim.front(order)).toBe(80);
    sim.message('ahead bid 5900 80', 'bid 5900 90');
    expect(sim.front(order)).toBe(80);
  });

  it('applies each cancel of a message separately, after its prints', () => {
    const { sim, order } = harness();
    sim.message('sell 10 @ 5900', 'bid 5900 90', 'ahead bid 5900 0', 'bid 5900 70', 'ahead bid 5900 60', 'bid 5900 60');
    expect(sim.front(order)).toBe(60);
    sim.message('sell 65 @ 5900');
    expect(sim.fills()).toEqual(['#1 5 @ 5900 queue']);
  });

  it('counts a decrease as behind the order when the recording does not identify the cancelled order', () => {
    const { sim, order } = harness();
    sim.message('bid 5900 150');
    sim.message('bid 5900 120');
    expect(sim.front(order)).toBe(100);
  });

  it('counts shares taken by own takers as the first of a level', () => {
    const sim = new Harness({ queue: fifoQueue() });
    sim.message('bid 5800 100', 'ask 6200 100');
    sim.place('bid 30 @ 6200', { timeInForce: 'FAK', postOnly: false });
    const order = sim.place('ask 50 @ 6200');
    expect(sim.front(order)).toBe(70);
    // Shares 20 to 60 of the level are cancelled. The own taker had the first 30, so 30 were ahead of the order.
    sim.message('ahead ask 6200 20', 'ask 6200 60');
    expect(sim.front(order)).toBe(40);
  });

  it('applies earlier cancels again after a late print', () => {
    const { sim, order } = harness();
    sim.time += 250;
    sim.message('bid 5900 60');
    sim.message('ahead bid 5900 20', 'bid 5900 50');
    sim.message('late sell 40 @ 5900');
    expect(sim.front(order)).toBe(50);
  });

  it('agrees with a book that tracks every order', () => {
    fc.assert(
      fc.property(fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { maxLength: 40 }), (messages) => {
        const { sim, order } = harness();
        const book = new OrderByOrderBook();
        let filled = 0;
        for (const changes of messages) {
          const [prints, levels]: [string[], string[]] = [[], []];
          const isPrint = ({ type }: Change): boolean => type === 'execute';
          for (const each of changes.toSorted((a, b) => Number(isPrint(b)) - Number(isPrint(a)))) {
            if (!isPrint(each)) levels.push(...book.apply(each));
            else if (prints.length === 0 && book.size > 0) {
              const shares = 1 + (each.pick % book.size);
              filled += Math.max(0, shares - book.front);
              book.execute(shares);
              prints.push(`sell ${shares} @ 5900`);
              levels.push(`bid 5900 ${book.size}`);
            }
          }
          if (prints.length + levels.length > 0) sim.message(...prints, ...levels);
          if (filled >= 50) break;
          expect(sim.front(order)).toBe(book.front);
        }
        const shares = sim.fillFacts.reduce((sum, fill) => sum + fill.shares, 0);
        expect(shares / 1_000_000).toBe(Math.min(50, filled));
      }),
    );
  });
});

interface Change {
  readonly type: 'insert' | 'cancel' | 'reduce' | 'execute';
  readonly pick: number;
  readonly shares: number;
}

const change: fc.Arbitrary<Change> = fc.record({
  type: fc.constantFrom('insert', 'cancel', 'reduce', 'execute'),
  pick: fc.nat(1_000),
  shares: fc.integer({ min: 1, max: 40 }),
});

/** Every order at one price. The own order is behind the first five. */
class OrderByOrderBook {
  #orders = [10, 20, 30, 25, 15].map((shares) => ({ shares, isAhead: true }));

  get size(): number {
    return this.#orders.reduce((sum, { shares }) => sum + shares, 0);
  }

  get front(): number {
    return this.#orders.reduce((sum, { shares, isAhead }) => sum + (isAhead ? shares : 0), 0);
  }

  /** Fills orders from the first on. */
  execute(shares: number): void {
    let left = shares;
    for (const order of this.#orders) {
      const taken = Math.min(left, order.shares);
      order.shares -= taken;
      left -= taken;
    }
    this.#orders = this.#orders.filter((order) => order.shares > 0);
  }

  /** @returns the rows of the change */
  apply({ type, pick, shares }: Change): string[] {
    if (type === 'insert') this.#orders.push({ shares, isAhead: false });
    const at = pick % Math.max(1, this.#orders.length);
    const order = this.#orders[at];
    if (type === 'insert' || order === undefined) return [`bid 5900 ${this.size}`];
    const ahead = this.#orders.slice(0, at).reduce((sum, each) => sum + each.shares, 0);
    order.shares -= type === 'cancel' ? order.shares : Math.min(shares, order.shares);
    this.#orders = this.#orders.filter((each) => each.shares > 0);
    return [`ahead bid 5900 ${ahead}`, `bid 5900 ${this.size}`];
  }
}
