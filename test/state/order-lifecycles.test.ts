import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CloseReason,
  epochMs,
  type InputEvent,
  type OrderCommand,
  takerFee,
  unchecked,
} from '../../src/domain/index.ts';
import { about, account, applyMessages, BOT, filled, type PlaceTerms, place, setup, shares } from './world.ts';

const MARKET = unchecked.market(0);
const NOW = epochMs(1_000);

type Action = readonly [kind: string, order: number, amount: number];

const KINDS = [
  'place',
  'place', // the most frequent, so that other actions have orders
  'place',
  'cancel',
  'reduce',
  'replace',
  'cancelAll',
  'accepted',
  'rejected',
  'filled',
  'reduced',
  'closed',
  'cancelRejected',
  'book',
] as const;
const REASONS: readonly CloseReason[] = ['USER', 'FILLED', 'EXPIRED'];

describe('life cycles in any order of events', () => {
  it('preserve all invariants, also with late, repeated or unknown events', () => {
    const action = fc.tuple(
      fc.constantFrom(...KINDS),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 0, max: 15 }),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const run = new InvariantCheck();
        for (const action of actions) run.act(action);
      }),
      { numRuns: 500 },
    );
  });
});

/** Applies actions and checks all invariants after each. */
class InvariantCheck {
  readonly #state = account([setup(0, { feeRateBps: 150 })]);
  readonly #terms = new Map<number, PlaceTerms>();
  /** Open orders that the venue has accepted, filled or reduced. */
  readonly #answered = new Set<number>();
  #next = 1;

  act([kind, order, amount]: Action): void {
    const before = this.#snapshot();
    if (['accepted', 'filled', 'reduced'].includes(kind) && before.has(order)) this.#answered.add(order);
    const touched = this.#apply(kind, order, amount);
    this.#check(before, touched);
  }

  /** @returns the orders of the action */
  #apply(kind: string, order: number, amount: number): readonly number[] {
    const state = this.#state;
    const send = (command: OrderCommand) => state.applyCommand(command, NOW);
    const apply = (event: InputEvent) => state.apply(event);
    switch (kind) {
      case 'place':
        send(this.#fresh(amount));
        return [this.#next - 1];
      case 'cancel':
        send({ type: 'cancel', order: unchecked.order(order), market: MARKET });
        return [order];
      case 'reduce':
        send({ type: 'reduce', order: unchecked.order(order), market: MARKET, by: shares(1) });
        return [order];
      case 'replace': {
        const cancels = [{ order: unchecked.order(order), remaining: shares(amount) }];
        send({ type: 'replace', market: MARKET, cancels, places: [this.#fresh(amount)] });
        return [order, this.#next - 1];
      }
      case 'cancelAll':
        send({ type: 'cancelAll' });
        return [];
      case 'accepted':
        apply({ type: 'orderAccepted', ...about(order) });
        return [order];
      case 'rejected':
        apply({ type: 'orderRejected', ...about(order), reason: 'CONFLICT' });
        return [order];
      case 'filled':
        apply(filled({ ...this.#terms.get(order), order, size: amount }));
        return [order];
      case 'reduced':
        apply({ type: 'orderReduced', ...about(order), remaining: shares(amount) });
        return [order];
      case 'closed':
        apply({ type: 'orderClosed', ...about(order), reason: REASONS[amount % 3] ?? 'USER' });
        return [order];
      case 'cancelRejected':
        apply({ type: 'cancelRejected', ...about(order), reason: 'NOT_FOUND' });
        return [order];
      default:
        applyMessages(state, `1000 | bid ${10 * (100 + amount)} ${amount} | ask ${10 * (300 - order)} ${order % 2}`);
        return [];
    }
  }

  #fresh(amount: number): ReturnType<typeof place> {
    const terms: PlaceTerms = {
      order: this.#next,
      outcome: amount % 2 === 0 ? 'YES' : 'NO',
      side: amount % 3 === 0 ? 'SELL' : 'BUY',
      price: 1_000 + 10 * amount,
      size: 1 + amount,
      postOnly: amount % 5 !== 0,
    };
    this.#next += 1;
    this.#terms.set(terms.order, terms);
    return place(terms);
  }

  #snapshot(): ReadonlyMap<number, number> {
    return new Map(this.#state.market(MARKET).orders.map(({ order, remaining }) => [order, remaining]));
  }

  #check(before: ReadonlyMap<number, number>, touched: readonly number[]): void {
    const state = this.#state;
    const { orders, position, book } = state.market(MARKET);
    const numbers = orders.map(({ order }) => order);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(state.openOrderCount).toBe(numbers.length);
    let held = 0;
    for (const { order, remaining, phase, side, price, bot } of orders) {
      const terms = this.#terms.get(order);
      expect(remaining).toBeGreaterThan(0);
      expect(remaining).toBeLessThanOrEqual(before.get(order) ?? Number.POSITIVE_INFINITY);
      expect(bot).toBe(BOT);
      if (!before.has(order)) expect([phase, touched.includes(order)]).toEqual(['new', true]);
      if (side === 'SELL') continue;
      held += (remaining / 10_000) * price;
      const matching = terms?.postOnly === false && !this.#answered.has(order);
      if (matching) held += takerFee(150, remaining, price);
    }
    for (const order of before.keys()) {
      if (!numbers.includes(unchecked.order(order))) expect(touched).toContain(order);
    }
    expect(state.cash - state.available).toBe(held);
    const { yes, no, net } = position;
    const exit = Math.min(yes, no) + (net > 0 ? (net * (book.bestBid() ?? 0)) / 10_000 : 0);
    const short = net < 0 ? (-net * (10_000 - (book.bestAsk() ?? 10_000))) / 10_000 : 0;
    expect(state.exitEquity).toBe(state.cash + exit + short);
  }
}
