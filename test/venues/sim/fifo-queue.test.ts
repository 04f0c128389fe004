/** Own orders in the queue of a recording with order ids (docs/spec/models.md#recorded-order-ids). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fifoQueue } from '../../../src/replay/index.ts';
import { Harness } from './harness.ts';

/** The bid 5900 with 100 shares in it; an own order there has 100 ahead. */
function harness(): { readonly played: Harness; readonly order: ReturnType<Harness['place']> } {
  const played = new Harness({ queue: fifoQueue() });
  played.message('bid 5800 100', 'ask 6200 100', 'bid 5900 100');
  return { played, order: played.place('bid 50 @ 5900') };
}

describe('the queue model fifo', () => {
  it('moves an order forward by what was cancelled ahead of it, and not by what was cancelled behind', () => {
    const { played, order } = harness();
    expect(played.front(order)).toBe(100);
    played.message('bid 5900 130');
    played.message('ahead bid 5900 40', 'bid 5900 110');
    expect(played.front(order)).toBe(80);
    played.message('ahead bid 5900 80', 'bid 5900 90');
    expect(played.front(order)).toBe(80);
  });

  it('takes each cancel of a message by itself, after its prints', () => {
    const { played, order } = harness();
    played.message(
      'sell 10 @ 5900',
      'bid 5900 90',
      'ahead bid 5900 0',
      'bid 5900 70',
      'ahead bid 5900 60',
      'bid 5900 60',
    );
    expect(played.front(order)).toBe(60);
    played.message('sell 65 @ 5900');
    expect(played.fills()).toEqual(['#1 5 @ 5900 queue']);
  });

  it('counts a fall as behind the order where the recording does not say which order it was', () => {
    const { played, order } = harness();
    played.message('bid 5900 150');
    played.message('bid 5900 120');
    expect(played.front(order)).toBe(100);
  });

  it('counts what own takers took as the first of a level', () => {
    const played = new Harness({ queue: fifoQueue() });
    played.message('bid 5800 100', 'ask 6200 100');
    played.place('bid 30 @ 6200', { timeInForce: 'FAK', postOnly: false });
    const order = played.place('ask 50 @ 6200');
    expect(played.front(order)).toBe(70);
    // The first 30 are taken already: of 40 cancelled from 20 on, 30 stood before the order.
    played.message('ahead ask 6200 20', 'ask 6200 60');
    expect(played.front(order)).toBe(40);
  });

  it('moves an order again by the same cancels after a late print', () => {
    const { played, order } = harness();
    played.time += 250;
    played.message('bid 5900 60');
    played.message('ahead bid 5900 20', 'bid 5900 50');
    played.message('late sell 40 @ 5900');
    expect(played.front(order)).toBe(50);
  });

  it('has the front of a book that follows every order, whatever comes', () => {
    fc.assert(
      fc.property(fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { maxLength: 40 }), (messages) => {
        const { played, order } = harness();
        const book = new FollowedBook();
        let filled = 0;
        for (const changes of messages) {
          const [prints, levels]: [string[], string[]] = [[], []];
          const isPrint = ({ what }: Change): boolean => what === 'execute';
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
          if (prints.length + levels.length > 0) played.message(...prints, ...levels);
          if (filled >= 50) break;
          expect(played.front(order)).toBe(book.front);
        }
        const shares = played.fillFacts.reduce((sum, fill) => sum + fill.shares, 0);
        expect(shares / 1_000_000).toBe(Math.min(50, filled));
      }),
    );
  });
});

interface Change {
  readonly what: 'insert' | 'cancel' | 'reduce' | 'execute';
  readonly pick: number;
  readonly shares: number;
}

const change: fc.Arbitrary<Change> = fc.record({
  what: fc.constantFrom('insert', 'cancel', 'reduce', 'execute'),
  pick: fc.nat(1_000),
  shares: fc.integer({ min: 1, max: 40 }),
});

/** The orders of one price, one by one; ours came after the first five. */
class FollowedBook {
  #orders = [10, 20, 30, 25, 15].map((shares) => ({ shares, isAhead: true }));

  get size(): number {
    return this.#orders.reduce((sum, { shares }) => sum + shares, 0);
  }

  get front(): number {
    return this.#orders.reduce((sum, { shares, isAhead }) => sum + (isAhead ? shares : 0), 0);
  }

  /** Takes from the first order on. */
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
  apply({ what, pick, shares }: Change): string[] {
    if (what === 'insert') this.#orders.push({ shares, isAhead: false });
    const at = pick % Math.max(1, this.#orders.length);
    const order = this.#orders[at];
    if (what === 'insert' || order === undefined) return [`bid 5900 ${this.size}`];
    const ahead = this.#orders.slice(0, at).reduce((sum, each) => sum + each.shares, 0);
    order.shares -= what === 'cancel' ? order.shares : Math.min(shares, order.shares);
    this.#orders = this.#orders.filter((each) => each.shares > 0);
    return [`ahead bid 5900 ${ahead}`, `bid 5900 ${this.size}`];
  }
}
