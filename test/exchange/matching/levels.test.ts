import { describe, expect, it, vi } from 'vitest';
import { LOT } from '../../../src/domain/index.ts';
import { FORCE, OrderSlots } from '../../../src/exchange/index.ts';
import { ORDER_KIND } from '../../../src/exchange/matching/codes.ts';
import { LoggedBook } from './logged-book.ts';

const TICKS = Array.from({ length: 5000 }, (_, at) => at + 1).filter((tick) => 10_000 % tick === 0);

describe('a level', () => {
  it.each(TICKS)('has the index of its price, for every price of tick %i', (tickBps) => {
    const book = new LoggedBook({ tickBps, slots: new OrderSlots(), number: 0 });
    let order = 0;
    for (let price = tickBps; price < 10_000; price += tickBps) {
      book.enter(++order, ORDER_KIND.buyYes, FORCE.gtc, price, LOT, 0, 0);
      expect(book.orderCountAt(price)).toBe(1);
      expect(book.refusal(ORDER_KIND.sellYes, FORCE.postOnly, price, LOT, 0, 0)).not.toBe(0);
    }
    expect(book.bestBid).toBe(10_000 - tickBps);
  });

  it('returns the size ahead of its first and last order without a walk over a long queue', () => {
    const slots = new OrderSlots();
    const book = new LoggedBook({ tickBps: 1, slots, number: 0 });
    const steps = vi.spyOn(slots, 'remaining');
    let maxSteps = 0;
    for (let order = 1; order <= 1_000; order += 1) {
      book.place(order, ORDER_KIND.buyYes, FORCE.gtc, 5000, LOT);
      steps.mockClear();
      expect(book.queueAhead(slots.find(order))).toBe((order - 1) * LOT);
      expect(book.queueAhead(slots.find(1))).toBe(0);
      maxSteps = Math.max(maxSteps, steps.mock.calls.length);
    }
    expect(maxSteps).toBeLessThan(4);
    expect(book.queueAhead(slots.find(501))).toBe(500 * LOT);
  });
});
